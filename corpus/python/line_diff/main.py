"""Shows how one list of lines becomes another, and applies such a change."""

from dataclasses import dataclass
from enum import Enum
from typing import Iterator


class Kind(Enum):
    SAME = " "
    OUT = "-"
    IN = "+"


@dataclass(frozen=True)
class Edit:
    kind: Kind
    line: str

    def __str__(self) -> str:
        return self.kind.value + self.line


@dataclass
class Hunk:
    old_start: int
    new_start: int
    edits: list[Edit]

    @property
    def header(self) -> str:
        old = sum(edit.kind is not Kind.IN for edit in self.edits)
        new = sum(edit.kind is not Kind.OUT for edit in self.edits)
        return f"@@ -{self.old_start + 1},{old} +{self.new_start + 1},{new} @@"


class PatchError(Exception):
    pass


def common_lengths(old: list[str], new: list[str]) -> list[list[int]]:
    """``table[i][j]`` is the length of the longest common subsequence of ``old[i:]`` and ``new[j:]``."""
    table = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            if old[i] == new[j]:
                table[i][j] = table[i + 1][j + 1] + 1
            else:
                table[i][j] = max(table[i + 1][j], table[i][j + 1])
    return table


def diff(old: list[str], new: list[str]) -> Iterator[Edit]:
    table = common_lengths(old, new)
    i = j = 0
    while i < len(old) and j < len(new):
        if old[i] == new[j]:
            yield Edit(Kind.SAME, old[i])
            i, j = i + 1, j + 1
        elif table[i + 1][j] >= table[i][j + 1]:
            yield Edit(Kind.OUT, old[i])
            i += 1
        else:
            yield Edit(Kind.IN, new[j])
            j += 1
    yield from (Edit(Kind.OUT, line) for line in old[i:])
    yield from (Edit(Kind.IN, line) for line in new[j:])


def hunks(edits: list[Edit], context: int = 1) -> Iterator[Hunk]:
    """Groups changes; two changes are in one hunk if their contexts touch or overlap."""
    if context < 0:
        raise ValueError("context cannot be negative")
    changed = [number for number, edit in enumerate(edits) if edit.kind is not Kind.SAME]
    old_at, new_at = 0, 0
    done = 0
    while changed:
        start = max(changed[0] - context, done)
        last = changed.pop(0)
        while changed and changed[0] - last <= 2 * context + 1:
            last = changed.pop(0)
        stop = min(last + context + 1, len(edits))
        old_at += sum(edit.kind is not Kind.IN for edit in edits[done:start])
        new_at += sum(edit.kind is not Kind.OUT for edit in edits[done:start])
        hunk = Hunk(old_at, new_at, edits[start:stop])
        yield hunk
        old_at += sum(edit.kind is not Kind.IN for edit in hunk.edits)
        new_at += sum(edit.kind is not Kind.OUT for edit in hunk.edits)
        done = stop


def apply(lines: list[str], patch: list[Hunk]) -> list[str]:
    result, at = [], 0
    for hunk in patch:
        if hunk.old_start < at:
            raise PatchError("hunks overlap")
        if hunk.old_start > len(lines):
            raise PatchError(f"there is no line {hunk.old_start}")
        result += lines[at : hunk.old_start]
        at = hunk.old_start
        for edit in hunk.edits:
            if edit.kind is not Kind.IN:
                if at >= len(lines) or lines[at] != edit.line:
                    raise PatchError(f"line {at + 1} is not {edit.line!r}")
                at += 1
            if edit.kind is not Kind.OUT:
                result.append(edit.line)
    return result + lines[at:]


def similarity(old: list[str], new: list[str]) -> float:
    total = len(old) + len(new)
    return 2 * common_lengths(old, new)[0][0] / total if total else 1.0


old = "milk eggs flour salt oil sugar rum".split()
new = "milk butter flour salt oil sugar rum figs".split()
patch = list(hunks(list(diff(old, new))))
for hunk in patch:
    print(hunk.header, *hunk.edits, sep="\n")
print("applies:", apply(old, patch) == new)
try:
    apply(new, patch)
except PatchError as error:
    print("refused:", error)
