"""The stage ``perturbation``: changes programs in ways that keep what they do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from pytest_codereason import registry
from pytest_codereason.core import Axis, AxisValue, Dose, Instance, Perturbation, Program, Stage, derive_seed, digest
from pytest_codereason.core.draws import Draws
from pytest_codereason.errors import BadSetting, DoesNotParse, MissingCapability, Skip, UsageError, blame

#: Raised whenever the same seed would give other programs.
VERSION = 1
NONE = "none"
#: Compositions that have a name of their own.
NAMED: Mapping[str, str] = {"psc-all": "rename+conditions+dead-code"}
_PART = re.compile(r"(?P<name>[A-Za-z][\w.:-]*)(?:\((?P<settings>[^()]*)\))?")
_SETTINGS = {"strength", "density", "place"}


class Part(NamedTuple):
    """One perturbation of a composition, as it was written."""

    kind: type[Perturbation]
    dose: Dose


@lru_cache(maxsize=256)
def parse(text: str) -> tuple[Part, ...]:
    """The perturbations that ``rename+dead-code(strength=3)`` names, in the order in which they are applied.

    Raises:
        UsageError: it names none, or says of one what cannot be; lists what there is.
    """
    if text == NONE:
        return ()
    return tuple(_part(part.strip()) for name in _split(text) for part in _split(NAMED.get(name, name)))


def _split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\+(?![^()]*\))", text)]


def _part(text: str) -> Part:
    found = _PART.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} is no perturbation: write a name, or NAME(strength=3,density=0.5,place=2)")
    try:
        kind: type[Perturbation] = registry.find(Perturbation, found["name"])
    except UsageError as error:
        raise UsageError(f"{error}; or {', '.join(NAMED)}, compositions, or {NONE}, which changes nothing") from error
    return Part(kind, _dose(kind, found["settings"] or ""))


def _dose(kind: type[Perturbation], text: str) -> Dose:
    values: dict[str, Any] = {}
    for setting in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = (part.strip() for part in setting.partition("="))
        if key not in _SETTINGS or key in values:
            raise UsageError(f"{kind.name}({setting}): there are strength, density and place, each at most once")
        least, most = {"strength": kind.strengths, "density": (0, 1), "place": (1, 4)}[key]
        try:
            number = float(value) if key == "density" else int(value)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            what = "a number" if key == "density" else "a whole number"
            raise UsageError(f"{kind.name}({setting}): {key} is {what} from {least} to {most}")
        values[key] = number
    return Dose(**values)


def _accepts(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        parse(value)
    except UsageError as error:
        raise BadSetting("perturbation", str(error)) from error
    return True


class PerturbationStage(Stage):
    """Applies the perturbations that the axis names, from left to right, to the normalised program.

    Whatever an axis value but ``none`` gives has lost its comments and its layout, so that against
    ``vanilla`` nothing but the perturbation differs. What comes out is run before it is asked about and must
    return what the original does (CodeCrash, section 2 and appendix B).
    """

    name = "perturbation"
    executes = True
    axes: ClassVar[Mapping[str, Axis]] = {
        "perturbation": Axis(
            name="perturbation",
            default=NONE,
            allowed=f"{NONE}, or perturbations joined by +, such as rename+comments(density=0.5)",
            accepts=_accepts,
            short="perturbation",
        )
    }

    def __init__(self, seed: int) -> None:
        self._seed = seed

    @classmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int, languages: Sequence[str]) -> PerturbationStage:
        """It has no settings of its own."""
        for key in settings:
            raise BadSetting(key, f"unknown key {key!r}: [perturbation] has none")
        return cls(seed)

    def apply(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
        """The instance with its program changed.

        Raises:
            Skip: a perturbation finds nothing to change, or the program cannot be read.
        """
        parts = parse(str(instance.axes.get("perturbation", NONE)))
        if not parts:
            return instance
        program = perturbed(instance.program, parts, self._seed, instance.family, instance.asks)
        shots = tuple(
            _changed(_Shot(shot, shot.sha, shot.facts.get("reasoning"), parts, self._seed, f"shot {i}", instance.asks))
            for i, shot in enumerate(instance.shots)
        )
        return replace(
            instance, program=program, shots=shots, original=instance.original or instance.program, verify=True
        )

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Version, seed, and the version of every perturbation that there is."""
        kinds = {name: registry.find(Perturbation, name).version for name in registry.list_shipped(Perturbation)}
        return {"version": VERSION, "seed": self._seed, "versions": digest(kinds)[:16]}


@dataclass(frozen=True, slots=True)
class _Shot:
    """A worked example and all that decides what becomes of it: the same for every question of a suite."""

    program: Program = field(compare=False)
    sha: str
    reasoning: str | None
    parts: tuple[Part, ...]
    seed: int
    family: str
    asks: str


@lru_cache(maxsize=256)
def _changed(shot: _Shot) -> Program:
    """A worked example changed alike; one in which there is nothing to change is only normalised.

    Its reasoning stays where it names nothing of the program, and so is true of every version of it.
    """
    program, steps = shot.program, shot.reasoning
    try:
        changed = perturbed(program, shot.parts, shot.seed, shot.family, shot.asks)
    except Skip:
        changed = perturbed(program, (), shot.seed, shot.family, shot.asks)
    if steps is None or _named(program.language, program.source, program.call) & set(re.findall(r"\w+", steps)):
        return changed
    return replace(changed, facts={**changed.facts, "reasoning": steps})


def perturbed(program: Program, parts: Sequence[Part], seed: int, family: str, asks: str) -> Program:
    """A program normalised and then changed by each part in turn; the same for the same seed and family.

    Each part draws from a seed of its own, so that adding one changes nothing about the others' draws.

    A part that finds nothing to change is passed over where another finds something.

    Raises:
        Skip: there is nothing to change, a fact or a capability of the language is missing, or the program cannot be
            read.
    """
    idle: list[Skip] = []
    speaker = registry.language(program.language)
    try:
        program = program.rewritten(_normalised(program.language, program.source), program.call, program.facts)
        for place, (kind, dose) in enumerate(parts):
            speaker.require(kind.capabilities, f"the perturbation {kind.name}")
            if missing := kind.needs - program.facts.keys():
                raise Skip(f"{kind.name} needs what is not known of the program: {', '.join(sorted(missing))}")
            turn = sum(1 for other in parts[:place] if other.kind is kind)
            drawn = derive_seed(seed, "perturbation", VERSION, kind.name, kind.version, turn, program.language, family)
            try:
                with blame(kind):
                    program = kind().apply(program, Draws(drawn), dose, asks)
            except Skip as skip:
                idle.append(skip)
    except DoesNotParse as error:
        raise Skip(f"the program cannot be read: {error}") from error
    except MissingCapability as error:
        raise Skip(str(error)) from error
    if parts and len(idle) == len(parts):
        raise idle[0]
    return program


@lru_cache(maxsize=64)
def _normalised(language: str, source: str) -> str:
    """A program as every perturbation begins with it; under several axis values it is the same."""
    return registry.language(language).syntax.normalise(source).text


def _named(language: str, source: str, call: str) -> frozenset[str]:
    """The names that a program declares."""
    bindings = registry.language(language).syntax.parse(source, call).bindings
    return frozenset(binding.name.lstrip("$") for binding in bindings)
