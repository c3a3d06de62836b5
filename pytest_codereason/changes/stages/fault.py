"""The stage ``fault``: plants an error on one line of a program, for questions about where the error is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pytest_codereason import registry
from pytest_codereason.core import (
    EMPTY,
    Axis,
    AxisValue,
    FaultOperator,
    Instance,
    Stage,
    TextRequest,
)
from pytest_codereason.core.programs import is_whole
from pytest_codereason.core.text.planting import ChosenFault, WantedFault, plant
from pytest_codereason.core.text.suggestions import check_keys
from pytest_codereason.errors import BadEdit, BadSetting, Skip, UsageError

#: Raised whenever the same fault would give another program, or another line would be to blame.
VERSION = 2
NONE = "none"
#: Where the text of the fault goes, and the kind of this text.
_PLACE = _KIND = "fault"
ALWAYS, WHERE_POSSIBLE = "always", "where-possible"
MOST_NUMBER = 1_000


def _accepts(value: object) -> bool:
    if not isinstance(value, str):
        return False
    if value == NONE:
        return True
    try:
        registry.find(FaultOperator, value)
    except UsageError as error:
        more = f"; or {NONE}, which plants no fault" if str(error).startswith("unknown") else ""
        raise BadSetting("fault", f"{error}{more}") from error
    return True


class FaultStage(Stage):
    """Plants one fault: the axis ``fault`` says which mistake, ``fault_quarter`` where, ``fault_number`` which of all.

    The kind of text ``fault`` chooses the line and sees to it that somebody can observe the fault. The faulty program
    is the reference of all stages that follow; the original stays the correct program.
    """

    name = "fault"
    place = "fault"
    executes = True
    gives: ClassVar[frozenset[str]] = frozenset({"fault"})
    axes: ClassVar[Mapping[str, Axis]] = {
        "fault": Axis(
            name="fault",
            default=NONE,
            allowed=f"{NONE}, or a fault such as operator-swap",
            accepts=_accepts,
            short="fault",
        ),
        "fault_quarter": Axis(
            name="fault_quarter",
            default=0,
            allowed="whole numbers from 0 to 4 (a quarter of the file by lines; 0: anywhere)",
            accepts=lambda value: is_whole(value, 0, 4),
            short="quarter",
        ),
        "fault_number": Axis(
            name="fault_number",
            default=1,
            allowed=f"whole numbers from 1 to {MOST_NUMBER:,} (the first fault that will do, the second, ...)",
            accepts=lambda value: is_whole(value, 1, MOST_NUMBER),
            short="number",
        ),
    }

    def __init__(self, *, observed: bool) -> None:
        self._observed = observed

    @classmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int, languages: Sequence[str]) -> FaultStage:
        """Settings: ``observe``: ``always`` (default), or ``where-possible`` for programs that cannot be run here."""
        check_keys([key for key in settings if key not in cls.axes], ("observe",), "[fault]")
        observe = settings.get("observe", ALWAYS)
        if observe not in (ALWAYS, WHERE_POSSIBLE):
            raise BadSetting("observe", f"'observe' must be {ALWAYS} or {WHERE_POSSIBLE}, not {observe!r}")
        return cls(observed=observe == ALWAYS)

    def cell(
        self, cell: tuple[tuple[str, AxisValue], ...], fixed: Mapping[str, AxisValue] = EMPTY
    ) -> tuple[tuple[str, AxisValue], ...]:
        """The cell. Without a fault there is one question, and neither quarter nor number."""
        if {**fixed, **dict(cell)}.get("fault", NONE) != NONE:
            return cell
        return tuple(pair for pair in cell if pair[0] not in ("fault_quarter", "fault_number"))

    def text_kinds(self, axes: Mapping[str, Collection[AxisValue]]) -> Collection[str]:
        """The kind ``fault``, if any question has a fault."""
        return (_KIND,) if set(axes.get("fault", ())) - {NONE} else ()

    def text_requests(self, instance: Instance) -> Sequence[TextRequest]:
        """The fault of this question."""
        axes = instance.axes
        operator = str(axes.get("fault", NONE))
        if operator == NONE:
            return ()
        quarter, number = int(axes.get("fault_quarter", 0)), int(axes.get("fault_number", 1))
        wanted = WantedFault(operator, quarter, number, self._observed)
        return (TextRequest(_KIND, instance.program, wanted.of, place=_PLACE),)

    def apply(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
        """The instance with its fault; unchanged while the fault is not chosen yet.

        Raises:
            Skip: the fault is not one of this program.
        """
        text = instance.texts.get(_PLACE)
        if text is None or not text.value or instance.axes.get("fault", NONE) == NONE:
            return instance
        try:
            faulty = plant(instance.program, ChosenFault.read(text.value))
        except (ValueError, BadEdit) as error:
            raise Skip(f"the fault does not fit the program: {error}") from error
        return replace(instance, program=faulty, original=instance.original or instance.program, reference=faulty)

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Version, and whether faults must be observed."""
        return {"version": VERSION, "observed": self._observed}

    def versions(self, axes: Mapping[str, Collection[AxisValue]]) -> Mapping[str, AxisValue]:
        """The version of each fault that the suite names."""
        kinds = [
            registry.find(FaultOperator, str(name)) for name in sorted(set(axes.get("fault", ())) - {NONE}, key=str)
        ]
        return {kind.name: kind.version for kind in kinds}
