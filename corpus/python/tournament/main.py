"""A knock-out tournament and a league of the same clubs, with results that follow from a formula."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Iterator


@dataclass
class Club:
    name: str
    strength: int
    goals_for: int = 0
    goals_against: int = 0
    points: int = 0

    @property
    def difference(self) -> int:
        return self.goals_for - self.goals_against

    def rank_key(self) -> tuple:
        """Sorts the better club first."""
        return -self.points, -self.difference, -self.goals_for, self.name


@dataclass
class Match:
    """Two sides; a side is a club, or a match whose winner it will be. A missing side is a bye."""

    home: Club | Match | None
    away: Club | Match | None
    score: tuple[int, int] = field(default=(0, 0))

    def winner(self) -> Club:
        home, away = resolve(self.home), resolve(self.away)
        if home is None or away is None:
            return home or away
        self.score = play(home, away)
        if self.score[0] == self.score[1]:
            return penalties(home, away)
        return home if self.score[0] > self.score[1] else away

    def is_upset(self) -> bool:
        """Whether the weaker club wins."""
        clubs = [club for club in (resolve(self.home), resolve(self.away)) if club]
        return self.winner().strength < max(club.strength for club in clubs)

    def describe(self, depth: int = 0) -> Iterator[str]:
        self.winner()  # the score is that of a match that was played
        home, away = resolve(self.home), resolve(self.away)
        if home and away:
            yield f"{'  ' * depth}{home.name} {self.score[0]}-{self.score[1]} {away.name}"
        for side in (self.home, self.away):
            if isinstance(side, Match):
                yield from side.describe(depth + 1)


def resolve(side):
    return side.winner() if isinstance(side, Match) else side


def play(home: Club, away: Club) -> tuple[int, int]:
    """The stronger club scores more; playing at home is worth something."""
    edge = home.strength + 5 - away.strength
    luck = (home.strength * 7 + away.strength * 3) % 4
    return max(0, edge // 10) + luck, max(0, -edge // 10) + luck


def penalties(home: Club, away: Club) -> Club:
    return min(home, away, key=lambda club: (-club.strength, club.name))


def seeded(count: int) -> list[int]:
    """Places in the draw such that the best two can only meet in the final, and so on."""
    order = [1]
    while len(order) < count:
        size = 2 * len(order) + 1
        order = [seed for best in order for seed in (best, size - best)]
    return order


def knock_out(clubs: list[Club]) -> Match:
    if not clubs:
        raise ValueError("nobody plays")
    ranked = sorted(clubs, key=lambda club: (-club.strength, club.name))
    sides = [ranked[seed - 1] if seed <= len(ranked) else None for seed in seeded(len(ranked))]
    while len(sides) > 1:
        sides = [Match(home, away) for home, away in zip(sides[::2], sides[1::2])]
    return sides[0]


def league(clubs: list[Club]) -> list[Club]:
    for one, other in combinations(clubs, 2):
        for home, away in ((one, other), (other, one)):
            record(home, away, *play(home, away))
    return sorted(clubs, key=Club.rank_key)


def record(home: Club, away: Club, goals: int, against: int) -> None:
    for club, scored, conceded in ((home, goals, against), (away, against, goals)):
        club.goals_for += scored
        club.goals_against += conceded
        if scored > conceded:
            club.points += 3
        elif scored == conceded:
            club.points += 1


def rounds(names: list[str]) -> Iterator[list[tuple[str, str]]]:
    """A timetable in which everybody plays everybody once: all but the first move round a circle."""
    if len(set(names)) < len(names):
        raise ValueError("a name is there twice")
    circle = names if len(names) % 2 == 0 else [*names, ""]
    for _ in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]))
        yield [pair for pair in pairs if all(pair)]
        circle = [circle[0], circle[-1], *circle[1:-1]]


def main() -> None:
    strengths = {"Rovers": 80, "City": 74, "Albion": 61, "Harriers": 74, "Orient": 42, "Wasps": 55}
    clubs = [Club(name, strength) for name, strength in strengths.items()]
    final = knock_out(clubs)
    print("cup:", final.winner().name)
    print(*final.describe(), sep="\n")
    for place, club in enumerate(league(clubs[:4]), start=1):
        print(f"{place}. {club.name:<9}{club.points:>3} points {club.goals_for}:{club.goals_against}")
    for pairs in rounds(["a", "b", "c", "d", "e"]):
        print(" ".join("-".join(pair) for pair in pairs), end="; ")
    print(seeded(5))


if __name__ == "__main__":
    main()
