"""The stage ``ablation``: removes lines from a program and asks the same question again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pytest_codereason.core import Axis, AxisValue, Instance, Program, Stage, derive_seed
from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.programs import is_whole
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.changes import move
from pytest_codereason.core.text.removals import format_removal, parse_removal
from pytest_codereason.core.text.suggestions import check_keys
from pytest_codereason.errors import BadEdit, BadSetting, Skip

#: Raised whenever the same settings would give other versions.
VERSION = 1
#: Most incomplete versions of one program, unless the suite says otherwise.
DEFAULT, MOST = 4_096, 1_000_000


def list_body(source: str) -> list[str]:
    """The lines that may be removed: all but the first, also blank lines and comments."""
    return source.removesuffix("\n").split("\n")[1:]


class Ablation(Stage):
    """Every version of a program with some body lines removed, the whole program among them.

    A program of b lines after the first has 2**b versions (Sense and Sensitivity, sections 3.2 and
    5.2; 71,994 over CRUXEval). Where there are more than ``versions``, the whole program and a uniform
    sample of the others are asked about. Lines are removed as text: what is left may not parse. Of a
    program of several files only the entry loses lines.
    """

    name = "ablation"
    place = "ablation"
    axes: ClassVar[Mapping[str, Axis]] = {
        "removed": Axis(
            name="removed",
            default="",
            allowed="what [ablation] draws for each program, such as 1+3of7",
            accepts=lambda _: False,
            short="removed",
        )
    }

    def __init__(self, versions: int, seed: int) -> None:
        self._versions = versions
        self._seed = seed

    @classmethod
    def create(cls, settings: Mapping[str, object], *, seed: int, languages: Sequence[str]) -> Ablation:
        """Settings: ``versions``, the most versions of one program, with the whole program (default 4,096)."""
        check_keys(settings, ("versions",), "[ablation]")
        versions = settings.get("versions", DEFAULT)
        if not is_whole(versions, 2, MOST):
            raise BadSetting("versions", f"'versions' must be a whole number from 2 to {MOST:,}, not {versions!r}")
        return cls(versions, seed)

    def values(self, program: Program) -> Mapping[str, Sequence[AxisValue]]:
        """The versions of a program, the whole one first, then by number of lines removed."""
        lines = len(list_body(program.source))
        chosen = sorted(self._masks(program, lines), key=lambda mask: (mask.bit_count(), mask))
        return {"removed": [format_removal([i + 1 for i in range(lines) if mask >> i & 1], lines) for mask in chosen]}

    def _masks(self, program: Program, lines: int) -> Sequence[int]:
        """The versions as bit masks: bit i says that body line i + 1 is removed."""
        if 2**lines <= self._versions:
            return range(2**lines)
        draws = Draws(derive_seed(self._seed, "ablation", VERSION, program.language, program.source))
        masks = {0}
        while len(masks) < self._versions:
            masks.add(sum(1 << i for i in range(lines) if draws.chance(0.5)))
        return list(masks)

    def apply(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
        """The instance with its lines removed. The question still asks for the output of the whole program."""
        gone = str(instance.axes.get("removed", ""))
        if not gone:
            return instance
        program = instance.program
        rest = list_body(program.source)
        try:
            lines, of = parse_removal(gone)
        except ValueError as error:
            raise Skip(str(error)) from None
        if of != len(rest) or any(line > of for line in lines):
            raise Skip(f"the program has {len(rest)} lines after the first, not {of}")
        try:
            changed = move(program, _remove_lines(program.source, lines))
        except BadEdit as error:
            raise Skip(str(error)) from None
        return replace(
            instance,
            program=changed,
            original=instance.original or program,
            reference=instance.reference or program,
        )

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Version, seed, and the most versions of a program."""
        return {"version": VERSION, "seed": self._seed, "versions": self._versions}


def _remove_lines(source: str, removed: Sequence[int]) -> Applied:
    """A text without some of its body lines, each taken away with the line end before it."""
    parts: list[tuple[int, int, str | None]] = []
    start = 0
    for number, line in enumerate(source.removesuffix("\n").split("\n")):
        end = start + len(line)
        if number:
            parts.append((start - 1, end, "" if number in removed else None))
        else:
            parts.append((start, end, None))
        start = end + 1
    if source.endswith("\n"):
        parts.append((len(source) - 1, len(source), None))
    text = "".join(source[first:last] for first, last, gone in parts if gone is None)
    return Applied(source, text, tuple(part for part in parts if part[0] < part[1]))
