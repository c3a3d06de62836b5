"""Counts what became of every file and every program, each once, by its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NotRequired, TypedDict

from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.outcomes import FileOutcome

#: Reasons in the order of the steps. Others follow in alphabetical order.
STEPS = (
    "the repository is too large",
    "its name is no plain text",
    "leads out of the archive",
    "is a symbolic link",
    "is no ordinary file",
    "is too large",
    "is code of others",
    "is a test",
    "is generated",
    "cannot be read",
    "is no text",
    "is minified",
    "has no licence",
    "has another licence",
    "is too short",
    "takes too long to read",
    "does not parse",
    "has no function",
    "is not drawn",
    "has too many lines",
    "cannot be worked on",
    "needs a missing package",
    "does not compile",
    "raises an error",
    "is stopped at a limit",
    "ends without a result",
    "shows no value",
    "is not the same under trace",
    "differs from run to run",
    "has too few calls",
    "has a name that is no plain text",
    "has a call that its text does not explain",
    "is not what a second witness saw",
    "has the calls of another program of its file",
    "is nearly a copy",
    "has no driver by the writer",
)
#: What is counted and refused, and what stays of it.
_KINDS: Sequence[tuple[Literal["files", "programs"], Literal["files_refused", "programs_refused"], str]] = (
    ("files", "files_refused", "files that programs are made of"),
    ("programs", "programs_refused", "programs accepted"),
)


class LanguageTally(TypedDict):
    """What ``funnel.json`` says of a language."""

    files: int
    files_refused: dict[str, int]
    programs: int
    programs_refused: dict[str, int]
    accepted: int
    written: NotRequired[int]


class FunnelContent(TypedDict):
    """The content of ``funnel.json``."""

    languages: dict[str, LanguageTally]
    examples: dict[str, str]
    repositories: NotRequired[list[dict[str, str]]]  #: what is known of each, once the set is made


@dataclass
class LanguageCount:
    """The count of one language."""

    files: int = 0
    file_refusals: Counter[str] = field(default_factory=Counter)
    programs: int = 0
    program_refusals: Counter[str] = field(default_factory=Counter)
    written: int = 0  #: programs of the set whose driver a model wrote

    @property
    def accepted(self) -> int:
        """The programs of the set."""
        return self.programs - self.program_refusals.total()


class Funnel:
    """The counts of all languages, with an example of each reason."""

    def __init__(self, languages: Iterable[str]) -> None:
        self.tallies = {language: LanguageCount() for language in languages}
        self.examples: dict[str, str] = {}

    def add(self, outcome: FileOutcome, repository: str) -> None:
        """Counts a file and its programs."""
        tally = self.tallies[outcome.language]
        tally.files += 1
        if outcome.refusal:
            self._refuse(tally.file_refusals, outcome.refusal, f"{repository}/{outcome.path}")
        for program in outcome.programs:
            tally.programs += 1
            if program.refusal:
                self.refuse_program(outcome.language, program.refusal, f"{repository}/{outcome.path}")

    def refuse_program(self, language: str, refusal: Refusal, place: str) -> None:
        """Counts a refused program, which has been counted among the programs."""
        self._refuse(self.tallies[language].program_refusals, refusal, place)

    def _refuse(self, counter: Counter[str], refusal: Refusal, place: str) -> None:
        counter[refusal.reason] += 1
        self.examples.setdefault(refusal.reason, f"{place}: {refusal.detail}" if refusal.detail else place)

    def to_json(self) -> FunnelContent:
        """The content of ``funnel.json``."""
        return {
            "languages": {language: _describe(tally) for language, tally in self.tallies.items()},
            "examples": {reason: self.examples[reason] for reason in _order(self.examples)},
        }


def _describe(count: LanguageCount) -> LanguageTally:
    tally: LanguageTally = {
        "files": count.files,
        "files_refused": _sort(count.file_refusals),
        "programs": count.programs,
        "programs_refused": _sort(count.program_refusals),
        "accepted": count.accepted,
    }
    if count.written:
        tally["written"] = count.written
    return tally


def draw_funnel(funnel: FunnelContent) -> Iterator[str]:
    """The lines of a table: a column a language, and an example of each reason."""
    languages = funnel["languages"]
    rows: list[tuple[str, list[int], str]] = []
    for kind, kind_refused, last in _KINDS:
        counts = [tally[kind] for tally in languages.values()]
        refused = [tally[kind_refused] for tally in languages.values()]
        rows.append((kind, counts, ""))
        for reason in _order({reason for reasons in refused for reason in reasons}):
            rows.append((f"  {reason}", [reasons.get(reason, 0) for reasons in refused], funnel["examples"][reason]))
        rows.append((last, [n - sum(reasons.values()) for n, reasons in zip(counts, refused, strict=True)], ""))
    if any("written" in tally for tally in languages.values()):
        rows.append(("  with a driver by the writer", [tally.get("written", 0) for tally in languages.values()], ""))
    width = max(len(title) for title, *_ in rows)
    widths = [max(len(language), 7) for language in languages]
    yield " " * width + "".join(f"  {name:>{w}}" for name, w in zip(languages, widths, strict=True))
    for title, counts, example in rows:
        numbers = "".join(f"  {n:>{w},}" for n, w in zip(counts, widths, strict=True))
        yield f"{title:<{width}}{numbers}{f'  {example[:100]}' if example else ''}"


def _order(reasons: Iterable[str]) -> list[str]:
    return sorted(reasons, key=lambda reason: (STEPS.index(reason) if reason in STEPS else len(STEPS), reason))


def _sort(counter: Counter[str]) -> dict[str, int]:
    return {reason: counter[reason] for reason in _order(counter)}
