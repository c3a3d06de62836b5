"""Grades of a class: weights, dropped marks, ranks and a small chart."""

from collections import defaultdict
from functools import reduce
from itertools import groupby, zip_longest
from operator import attrgetter, itemgetter
from statistics import median
from typing import Callable, Iterable, NamedTuple

MARKS = """
ada   quiz 9 10; quiz 7 10; quiz 10 10; exam 81 90; essay 18 20
bert  quiz 5 10; quiz - 10; exam 45 90; essay 20 20
chloe exam 90 90; quiz 10 10; quiz 8 10; essay 11 20
dan   quiz 6 10; quiz 9 10; exam 63 90
elif  quiz 9 10; quiz 7 10; quiz 10 10; exam 81 90; essay 18 20
"""
WEIGHTS = {"quiz": 20, "exam": 50, "essay": 30}
SCALE = [(90, "A"), (80, "B"), (65, "C"), (50, "D")]


class Mark(NamedTuple):
    kind: str
    points: float | None
    out_of: float

    @property
    def percent(self) -> float:
        return 100 * (self.points or 0) / self.out_of


class Result(NamedTuple):
    student: str
    percent: float
    note: str = ""

    @property
    def grade(self) -> str:
        return next((letter for bound, letter in SCALE if self.percent >= bound), "F")


Policy = Callable[[list[Mark]], list[Mark]]


def parse(text: str) -> dict[str, list[Mark]]:
    book = {}
    for line in text.strip().splitlines():
        student, _, rest = line.partition(" ")
        fields = (part.split() for part in rest.split(";"))
        book[student] = [Mark(kind, None if p == "-" else float(p), float(of)) for kind, p, of in fields]
    return book


def drop_lowest(kind: str, keep: int) -> Policy:
    """Leaves out the worst marks of a kind, as long as more than some are there."""

    def policy(marks: list[Mark]) -> list[Mark]:
        places = [place for place, mark in enumerate(marks) if mark.kind == kind]
        best_first = sorted(places, key=lambda place: marks[place].percent, reverse=True)
        dropped = set(best_first[keep:])
        return [mark for place, mark in enumerate(marks) if place not in dropped]

    return policy


def excuse_absence(marks: list[Mark]) -> list[Mark]:
    return [mark for mark in marks if mark.points is not None]


def curve(kind: str, bonus: float) -> Policy:
    def raise_mark(mark: Mark) -> Mark:
        if mark.kind != kind or mark.points is None:
            return mark
        return mark._replace(points=min(mark.out_of, mark.points + bonus))

    return lambda marks: list(map(raise_mark, marks))


def apply_policies(marks: list[Mark], policies: Iterable[Policy]) -> list[Mark]:
    return reduce(lambda current, policy: policy(current), policies, marks)


def weigh(student: str, marks: list[Mark]) -> Result:
    by_kind = defaultdict(list)
    for mark in marks:
        by_kind[mark.kind].append(mark.percent)
    present = {kind: weight for kind, weight in WEIGHTS.items() if kind in by_kind}
    if not present:
        return Result(student, 0.0, "no marks")
    total = sum(weight * sum(by_kind[kind]) / len(by_kind[kind]) for kind, weight in present.items())
    missing = [kind for kind in WEIGHTS if kind not in present]
    return Result(student, round(total / sum(present.values()), 1), f"no {missing[0]}" if missing else "")


def rank(results: list[Result]) -> list[tuple[int, Result]]:
    """Equal results share a place, and the places after them are left out."""
    ordered = sorted(results, key=lambda result: (-result.percent, result.student))
    placed, place = [], 1
    for _, group in groupby(ordered, key=attrgetter("percent")):
        tied = list(group)
        placed += [(place, result) for result in tied]
        place += len(tied)
    return placed


def chart(results: list[Result]) -> list[str]:
    """Columns of names above their grade."""
    columns = [[letter] for letter in [*map(itemgetter(1), SCALE), "F"]]
    for result in results:
        for column in columns:
            if column[0] == result.grade:
                column.append(result.student)
    lines = [" ".join(f"{cell:<6}" for cell in row).rstrip() for row in zip_longest(*columns, fillvalue="")]
    return lines[::-1]


def main() -> None:
    policies = [excuse_absence, drop_lowest("quiz", keep=2)]
    results = [weigh(student, apply_policies(marks, policies)) for student, marks in parse(MARKS).items()]
    for place, result in rank(results):
        note = f" ({result.note})" if result.note else ""
        print(f"{place}. {result.student}: {result.percent} {result.grade}{note}")
    print(*chart(results), sep="\n")
    print("median:", median(map(attrgetter("percent"), results)))


if __name__ == "__main__":
    main()
