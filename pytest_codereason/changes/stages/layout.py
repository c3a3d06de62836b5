"""The stage ``layout``: puts a label before each line that is shown, a key or its number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pytest_codereason.core import Axis, AxisValue, Instance, Layout, Stage, derive_seed
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.suggestions import check_keys

#: Raised whenever the same seed would give other labels.
VERSION = 1
PLAIN = "plain"
_LAYOUTS = (PLAIN, "keys", "numbers")
_KEYS = 16**6


class LayoutStage(Stage):
    """Labels on lines: six hexadecimal digits (``keys``), or the number of the line (``numbers``).

    With keys, nothing but the keys leads to a function of a long context. A line has the same key at every position
    of the program (Sense and Sensitivity, section 4).
    """

    name = "layout"
    place = "layout"
    axes: ClassVar[Mapping[str, Axis]] = {"layout": Axis.of_words("layout", _LAYOUTS)}

    @classmethod
    def create(cls, settings: Mapping[str, object], *, seed: int, languages: Sequence[str]) -> LayoutStage:
        """A layout; it has no settings of its own."""
        check_keys(settings, (), "[layout]")
        return cls()

    def apply(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
        """The instance with a label on each line."""
        layout = str(instance.axes.get("layout", PLAIN))
        if layout == PLAIN:
            return instance
        label = _draw_labels if layout == "keys" else _number_lines
        return replace(instance, layout=label(instance))

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Its version."""
        return {"version": VERSION}


def _split_blocks(instance: Instance) -> tuple[list[list[str]], int]:
    """The lines of each block that is shown, an empty line behind each, and which block is the program."""
    program = instance.program.text
    blocks = instance.context.blocks(program) if instance.context else [program]
    return [[*block.strip("\n").split("\n"), ""] for block in blocks], instance.context.place if instance.context else 0


def _lay_out(blocks: Sequence[Sequence[str]], place: int, labels: Sequence[str]) -> Layout:
    start = sum(map(len, blocks[:place]))
    return Layout(
        lines=tuple(line for block in blocks for line in block),
        labels=tuple(labels),
        start=start,
        end=start + len(blocks[place]) - 1,
    )


def _number_lines(instance: Instance) -> Layout:
    """The number of each line, from 1, with blanks before it so that the code stays aligned."""
    blocks, place = _split_blocks(instance)
    count = sum(map(len, blocks))
    width = len(str(count))
    return _lay_out(blocks, place, [f"{number:>{width}}" for number in range(1, count + 1)])


def _draw_labels(instance: Instance) -> Layout:
    """A key of its own for each line."""
    blocks, place = _split_blocks(instance)
    # Drawn for the distractors in their order and then for the program: a move of the program changes no key.
    seed = derive_seed(instance.seed, "keys", instance.language, instance.family)
    own = draw_keys(derive_seed(seed, "target"), len(blocks[place]))
    before, after = sum(map(len, blocks[:place])), sum(map(len, blocks[place + 1 :]))
    count = before + after
    others = [key for key in draw_keys(seed, count + len(own)) if key not in own][:count]
    return _lay_out(blocks, place, [*others[:before], *own, *others[before:]])


def draw_keys(seed: int, count: int) -> list[str]:
    """``count`` distinct keys of six hexadecimal digits. A longer draw of a seed begins with a shorter one."""
    draws = Draws(seed)
    keys: dict[str, None] = {}
    while len(keys) < count:
        keys[f"{draws.below(_KEYS):06x}"] = None
    return list(keys)
