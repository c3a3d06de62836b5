"""The horizon: generated programs of any number of executed steps, each of which is needed for the answer.

A program changes a small state: four numbers, a list, objects with several names. In a loop, two rounds more are eight
steps more with the same text, so the number of steps has no upper end, and the length of the text says nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, overload

from pytest_codereason import registry
from pytest_codereason.core import Axis, AxisValue, Program, derive_seed
from pytest_codereason.core.endless import EndlessSource
from pytest_codereason.core.programs import Cell, is_whole
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import BadSetting, UsageError
from pytest_codereason.programs.generation.programs import print_program
from pytest_codereason.programs.horizon.drawing import FORMS, MOST, Arguments, Drawn, draw, draw_start
from pytest_codereason.programs.horizon.states import STATES
from pytest_codereason.programs.sources._series import ProgramSeries, list_numbers, read_number
from pytest_codereason.programs.sources._settings import SEEDS, describe_split, read_generated

#: Raised whenever the same seed would give other programs.
VERSION = 1
MAX_COUNT = 1_000
#: Worked examples of each state, and their executed steps.
EXAMPLES, EXAMPLE_STEPS = 2, 3
#: Draws for one program. The rarest programs take a few dozen.
DRAWS = 1_000


class States(Sequence[Any]):
    """The start, and the state after each executed step. The program is evaluated when the first one is read."""

    def __init__(self, drawn: Drawn, steps: int) -> None:
        self._drawn, self._steps = drawn, steps

    def __len__(self) -> int:
        return self._steps + 1

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self._all[index]

    @cached_property
    def _all(self) -> Sequence[Any]:
        return self._drawn.list_states()

    def __repr__(self) -> str:
        return f"<{len(self)} states>"


class _CellPrograms:
    """The programs of one state, form and number of steps.

    Their starts differ, so that no two programs are the same, and each is drawn without those before it.
    """

    def __init__(self, seed: int, split: str, state: str, form: str, steps: int) -> None:
        self._seed, self._what = seed, (state, form, steps)
        self._starts = ProgramSeries(
            lambda *draw: draw_start(state, self._make_draws("start", *draw)),
            identify=repr,
            examples=EXAMPLES,
            split=split,
        )
        self._drawn: dict[tuple[str, int], Drawn] = {}

    def find(self, purpose: str, index: int) -> Drawn:
        """A program, or a worked example: ``find("program", 7)``, ``find("example", 1)``."""
        if (purpose, index) not in self._drawn:
            start = self._starts[index] if purpose == "program" else self._starts.examples[index]
            self._drawn[purpose, index] = self._draw(start, purpose, index)
        return self._drawn[purpose, index]

    def draw(self, number: int) -> Drawn:
        """The program of any number. It is not kept."""
        return self._draw(self._starts.draw(number), "endless", number)

    def _draw(self, start: Arguments, purpose: str, index: int) -> Drawn:
        attempts = (draw(*self._what, start, self._make_draws(purpose, index, each)) for each in range(DRAWS))
        if (drawn := next(filter(None, attempts), None)) is None:
            state, form, steps = self._what
            raise UsageError(f"no {form} program of {steps} steps was found for the state {state} in {DRAWS:,} draws")
        return drawn

    def _make_draws(self, *purpose: str | int) -> Draws:
        return Draws(derive_seed(self._seed, "horizon", VERSION, *self._what, *purpose))


class Horizon(EndlessSource):
    """``count`` programs for each state, form and number of steps, no two the same; ``0000`` and on."""

    name = "horizon"
    facts = frozenset({"output", "input", "executed", "states"})
    axes: ClassVar[Mapping[str, Axis]] = {
        "state": Axis.of_words("state", STATES, default="int", changes_program=True),
        "form": Axis.of_words("form", FORMS, default="looped", changes_program=True),
        "steps": Axis(
            name="steps",
            default=8,
            allowed=f"whole numbers from 0 to {MOST:,}",
            accepts=lambda value: is_whole(value, 0, MOST),
            short="steps",
            changes_program=True,
            falls=True,
        ),
    }

    def __init__(self, count: int, seed: int, split: str = "") -> None:
        self.languages = tuple(name for name in registry.list_printed_languages() if self.speaks(name))
        self._count = count
        self._seed = seed
        self._split = split
        self._cells: dict[tuple[str, str, int], _CellPrograms] = {}

    @classmethod
    def create(cls, settings: Mapping[str, object], *, seed: int) -> Horizon:
        """Settings: ``count`` (programs a cell of the matrix, 1 to 1,000, default 24), ``seed``, ``split``."""
        limits = {"count": (1, MAX_COUNT), "seed": SEEDS}
        return cls(**read_generated(cls.name, settings, {"count": 24, "seed": seed}, limits))

    def cell(self, cell: Cell, fixed: Mapping[str, AxisValue]) -> Cell:
        """See :meth:`Source.cell`. Refused are loops of a state that has none, and steps beyond those of a form."""
        axes = {**fixed, **dict(cell)}
        state, form, steps = str(axes["state"]), str(axes["form"]), int(axes["steps"])
        if form != "unrolled" and not STATES[state].loops:
            raise BadSetting(
                "state",
                f'a loop over {state!r} soon repeats, so it has no form {form!r}: write form = "unrolled"',
            )
        if form == "unrolled" and steps > STATES[state].unrolled:
            most = f"at most {STATES[state].unrolled:,} steps"
            raise BadSetting("steps", f"programs of the form {form!r} over {state!r} have {most}, not {steps:,}")
        return cell

    def speaks(self, language: str) -> bool:
        """Whether programs can be printed in it. A printer of somebody else's may lack what these programs need."""
        lang = registry.language(language)
        return lang.has("printer") and {"get", "row", "cell", "earlier"} <= lang.printer.forms.keys()

    def names(self, language: str) -> Iterator[str]:
        """``0000``, ``0001`` and so on: the same in every language and cell."""
        return list_numbers(self._count)

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of that name, with the ``state``, ``form`` and ``steps`` of ``axes``.

        It has the facts ``executed``, which is the number of steps, and ``states``.

        Raises:
            UsageError: there is no program of that name, or none was found in a thousand draws.
        """
        number = read_number(self.name, name, self._count)
        what = self._read(axes)
        return self._print(self._find_cell(*what).find("program", number), language, what[-1])

    def draw_program(self, language: str, number: int, axes: Mapping[str, AxisValue]) -> Program:
        """See :meth:`EndlessSource.draw_program`."""
        what = self._read(axes)
        return self._print(self._find_cell(*what).draw(number), language, what[-1])

    def _read(self, axes: Mapping[str, AxisValue]) -> tuple[str, str, int]:
        state, form, steps = (axes.get(each, axis.default) for each, axis in self.axes.items())
        return str(state), str(form), int(steps)

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        """Up to 2 worked examples of three steps: the same for all programs of one state."""
        if count > EXAMPLES:
            raise UsageError(f"horizon has {EXAMPLES} worked examples, not {count}")
        cell = self._find_cell(str(axes.get("state", self.axes["state"].default)), "unrolled", EXAMPLE_STEPS)
        return tuple(self._print(cell.find("example", i), language, EXAMPLE_STEPS) for i in range(count))

    def _find_cell(self, *what: Any) -> _CellPrograms:
        if what not in self._cells:
            self._cells[what] = _CellPrograms(self._seed, self._split, *what)
        return self._cells[what]

    @staticmethod
    def _print(drawn: Drawn, language: str, steps: int) -> Program:
        program = print_program(drawn.module, drawn.output, registry.language(language), origin="horizon")
        facts = program.facts.replace(executed=steps, states=States(drawn, steps))
        return program.replace_source(program.source, facts=facts)

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Name, version of the generator, and settings."""
        settings = {"version": VERSION, "count": self._count, "seed": self._seed}
        return {"name": self.name, **settings, **describe_split(self._split)}
