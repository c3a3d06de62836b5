"""Queries over a list of records, put together step by step and run at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Record = dict[str, Any]


class Condition:
    """A test of a record that knows its own text."""

    def __init__(self, test: Callable[[Record], bool], text: str):
        self.test = test
        self.text = text

    def __and__(self, other: Condition) -> Condition:
        text = f"({self.text} AND {other.text})"
        return Condition(lambda record: self.test(record) and other.test(record), text)

    def __or__(self, other: Condition) -> Condition:
        text = f"({self.text} OR {other.text})"
        return Condition(lambda record: self.test(record) or other.test(record), text)

    def __invert__(self) -> Condition:
        return Condition(lambda record: not self.test(record), f"NOT {self.text}")


class Column:
    def __init__(self, name: str):
        self.name = name

    def _compare(self, sign: str, value: Any, test: Callable[[Any, Any], bool]) -> Condition:
        # A missing value fits no comparison, as in SQL.
        def holds(record: Record) -> bool:
            found = record.get(self.name)
            return found is not None and test(found, value)

        return Condition(holds, f"{self.name} {sign} {value!r}")

    def __eq__(self, value: Any) -> Condition:  # type: ignore[override]
        return self._compare("=", value, lambda found, wanted: found == wanted)

    def __lt__(self, value: Any) -> Condition:
        return self._compare("<", value, lambda found, wanted: found < wanted)

    def __ge__(self, value: Any) -> Condition:
        return self._compare(">=", value, lambda found, wanted: found >= wanted)

    def like(self, part: str) -> Condition:
        return self._compare("LIKE", part, lambda found, wanted: wanted.lower() in found.lower())

    def is_null(self) -> Condition:
        return Condition(lambda record: record.get(self.name) is None, f"{self.name} IS NULL")


class Query:
    """Every method returns a new query, so that a query can be the start of several others."""

    def __init__(self, steps: tuple[tuple[str, Callable[[list[Record]], list[Record]]], ...] = ()):
        self._steps = steps

    def _then(self, text: str, step: Callable[[list[Record]], list[Record]]) -> Query:
        return Query((*self._steps, (text, step)))

    def where(self, condition: Condition) -> Query:
        return self._then(f"WHERE {condition.text}", lambda rows: list(filter(condition.test, rows)))

    def order_by(self, name: str, descending: bool = False) -> Query:
        def step(rows: list[Record]) -> list[Record]:
            known = [row for row in rows if row.get(name) is not None]
            unknown = [row for row in rows if row.get(name) is None]
            return sorted(known, key=lambda row: row[name], reverse=descending) + unknown

        return self._then(f"ORDER BY {name}" + (" DESC" if descending else ""), step)

    def limit(self, count: int, offset: int = 0) -> Query:
        if count < 0 or offset < 0:
            raise ValueError("a limit cannot be negative")
        return self._then(f"LIMIT {count} OFFSET {offset}", lambda rows: rows[offset : offset + count])

    def select(self, *names: str) -> Query:
        if len(set(names)) != len(names):
            raise ValueError("a column is selected twice")

        def step(rows: list[Record]) -> list[Record]:
            return [{name: row.get(name) for name in names} for row in rows]

        return self._then(f"SELECT {', '.join(names)}", step)

    def group_by(self, name: str, **totals: Callable[[list[Record]], Any]) -> Query:
        def step(rows: list[Record]) -> list[Record]:
            groups: dict[Any, list[Record]] = {}
            for row in rows:
                groups.setdefault(row.get(name), []).append(row)
            return [
                {name: key, **{title: total(group) for title, total in totals.items()}}
                for key, group in groups.items()
            ]

        return self._then(f"GROUP BY {name}", step)

    def run(self, rows: list[Record]) -> list[Record]:
        for _, step in self._steps:
            rows = step(rows)
        return rows

    def __str__(self) -> str:
        return " ".join(text for text, _ in self._steps)


def mean_of(name: str) -> Callable[[list[Record]], float | None]:
    def mean(rows: list[Record]) -> float | None:
        values = [row[name] for row in rows if row.get(name) is not None]
        return round(sum(values) / len(values), 2) if values else None

    return mean


def main() -> None:
    shelf = "Dune,1965,412 Emma,1815,474 Ulysses,1922,730 Momo,1973,304 Iliad,,683 Dracula,1897,".split()
    books: list[Record] = []
    for book in shelf:
        name, *numbers = book.split(",")
        when, size = (int(number) if number else None for number in numbers)
        age = "old" if when is None or when < 1900 else "new"
        books.append({"title": name, "year": when, "pages": size, "age": age})
    year, pages, title = Column("year"), Column("pages"), Column("title")
    old = Query().where(year < 1922)
    queries = [
        old.order_by("year").select("title", "year"),
        old.where(~(pages >= 474)).select("title"),
        Query().order_by("pages", descending=True).limit(2, offset=1).select("title"),
        Query().where((title.like("M") & (pages < 400)) | (title == "Iliad")).order_by("title"),
        Query().group_by("age", count=len, mean=mean_of("pages")).order_by("count"),
    ]
    for query in queries:
        print(query)
        print("  ", *(tuple(row.values()) for row in query.run(books)))


if __name__ == "__main__":
    main()
