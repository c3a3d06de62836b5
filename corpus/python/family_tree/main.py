from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(eq=False)
class Person:
    name: str
    born: int
    parents: list[Person] = field(default_factory=list)
    children: list[Person] = field(default_factory=list)

    def adopt(self, *children: Person) -> None:
        for child in children:
            child.parents.append(self)
            self.children.append(child)
            self.children.sort(key=lambda child: child.born)

    def ancestors(self, depth: int = 1) -> Iterator[tuple[Person, int]]:
        """Parents, each followed by their own ancestors, with the number of generations."""
        for parent in self.parents:
            yield parent, depth
            yield from parent.ancestors(depth + 1)

    def descendants(self) -> Iterator[Person]:
        for child in self.children:
            yield child
            yield from child.descendants()

    def siblings(self) -> list[Person]:
        found = []
        for parent in self.parents:
            for child in parent.children:
                if child is not self and child not in found:
                    found.append(child)
        return found


def distances(person: Person) -> dict[Person, int]:
    nearest = {person: 0}
    for ancestor, depth in person.ancestors():
        nearest[ancestor] = min(depth, nearest.get(ancestor, depth))
    return nearest


def common_ancestor(one: Person, other: Person) -> tuple[Person, int, int] | None:
    up_one, up_other = distances(one), distances(other)
    shared = [person for person in up_one if person in up_other]
    if not shared:
        return None
    # Of equally near ancestors the older one stands for both.
    nearest = min(shared, key=lambda person: (up_one[person] + up_other[person], person.born))
    return nearest, up_one[nearest], up_other[nearest]


def relation(one: Person, other: Person) -> str:
    """What ``other`` is to ``one``."""
    if one is other:
        return "self"
    match common_ancestor(one, other):
        case None:
            return "no relative"
        case _, up, 0:
            return greats(up, "parent")
        case _, 0, down:
            return greats(down, "child")
        case _, 1, 1:
            return "sibling" if set(one.parents) == set(other.parents) else "half-sibling"
        case _, 1, down:
            return greats(down - 1, "nephew or niece")
        case _, up, 1:
            return greats(up - 1, "uncle or aunt")
        case _, up, down:
            removed = abs(up - down)
            return f"cousin {min(up, down) - 1}" + (f", {removed} removed" if removed else "")


def greats(generations: int, word: str) -> str:
    if generations == 1:
        return word
    return "great-" * (generations - 2) + "grand-" + word


def draw(person: Person, indent: str = "") -> Iterator[str]:
    yield f"{indent}{person.name} ({person.born})"
    for child in person.children:
        yield from draw(child, indent + "  ")


def oldest_line(person: Person) -> list[str]:
    """From a person to the earliest ancestor that is reached by going to the older parent each time."""
    if not person.parents:
        return [person.name]
    elder = min(person.parents, key=lambda parent: parent.born)
    return [person.name, *oldest_line(elder)]


def main() -> None:
    years = {"Ida": 1900, "Max": 1898, "Eva": 1925, "Jon": 1922, "Rut": 1926, "Leo": 1950}
    years |= {"Mia": 1953, "Kim": 1948, "Tom": 1975, "Zoe": 1980, "Nia": 2001}
    p = {name: Person(name, born) for name, born in years.items()}
    families = {"Ida": "Eva Jon", "Max": "Jon Eva", "Jon": "Mia Leo", "Rut": "Leo", "Eva": "Kim"}
    for parent, children in families.items():
        p[parent].adopt(*(p[child] for child in children.split()))
    p["Kim"].adopt(p["Zoe"], p["Tom"])
    p["Tom"].adopt(p["Nia"])
    print(*draw(p["Ida"]), sep="\n")
    pairs = "Leo-Max Max-Nia Leo-Mia Leo-Kim Leo-Nia Jon-Kim Zoe-Jon Tom-Zoe Leo-Eva Eva-Rut"
    for one, other in (pair.split("-") for pair in pairs.split()):
        print(f"{other} is to {one}: {relation(p[one], p[other])}")
    print("older line of Nia:", " < ".join(oldest_line(p["Nia"])))


if __name__ == "__main__":
    main()
