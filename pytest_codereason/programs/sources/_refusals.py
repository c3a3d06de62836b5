"""Why programs of a data set are left out."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Refusals:
    """How many programs are left out for each reason, and where the first stands."""

    counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)

    def add(self, reason: str, place: str) -> None:
        """Counts a program that is left out."""
        self.counts[reason] = self.counts.get(reason, 0) + 1
        self.first.setdefault(reason, place)

    def include(self, others: Refusals) -> None:
        """Counts the programs that others have counted."""
        for reason, count in others.counts.items():
            self.counts[reason] = self.counts.get(reason, 0) + count
            self.first.setdefault(reason, others.first[reason])

    def notes(self, source: str) -> list[str]:
        """A line for each reason."""
        return [
            f"{source}: {count:,} left out: {reason} (the first: {self.first[reason]})"
            for reason, count in self.counts.items()
        ]
