"""The stage ``perturbation``: changes programs in ways that keep what they do."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import ClassVar, Final, Literal

from pytest_codereason import registry
from pytest_codereason.changes.stages._compositions import NAMED, NONE, Part, identify, parse
from pytest_codereason.changes.stages._steps import Step, derive_file_seed, list_code_files, take_step
from pytest_codereason.core import (
    Axis,
    AxisValue,
    Instance,
    Perturbation,
    Program,
    Stage,
    TextRequest,
    derive_seed,
)
from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.changes import move
from pytest_codereason.core.text.own_lines import remember_lines
from pytest_codereason.core.text.suggestions import check_keys
from pytest_codereason.errors import (
    BadSetting,
    DoesNotParse,
    LostPlace,
    MissingCapability,
    NothingToChange,
    Skip,
    UsageError,
    blame,
    name_type,
)

__all__ = ["NAMED", "NONE", "Part", "PerturbationStage", "parse", "perturb", "request_texts"]

#: Raised whenever the same seed would give other programs.
VERSION = 1
#: Raised whenever the uniform layout of a program changes. No draw depends on it.
UNIFORM = 2
#: Values of the axis ``examples``.
CHANGED, PLAIN = "changed", "plain"
#: What programs may keep that is removed otherwise: their layout, and their comments with it.
Keep = Literal["", "layout"]
LAYOUT: Final = "layout"
#: What questions ask about that are about lines: those of the program, and none that a change adds.
ASKS_LINES = frozenset({"moment"})
#: Where the texts of the program itself go, before the place of the part.
_PROGRAM = "program/"


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

    Every value but ``none`` first removes comments and layout, so that a program differs from ``vanilla`` only by
    the perturbation. With ``keep = "layout"`` the program is changed as it is, and ``vanilla`` changes nothing. The
    changed program is run before the question is asked. It must do what the reference does (CodeCrash, section 2 and
    appendix B).
    """

    name = "perturbation"
    place = "perturbation"
    executes = True
    axes: ClassVar[Mapping[str, Axis]] = {
        "perturbation": Axis(
            name="perturbation",
            default=NONE,
            allowed=f"{NONE}, or perturbations joined by +, such as rename+comments(density=0.5)",
            accepts=_accepts,
            short="perturbation",
        ),
        "examples": Axis(
            name="examples",
            default=CHANGED,
            allowed=f"{CHANGED} (worked examples are changed as the program is), {PLAIN}",
            accepts=lambda value: value in (CHANGED, PLAIN),
            short="examples",
        ),
    }

    def __init__(self, seed: int, keep: Keep = "") -> None:
        self._seed, self._keep = seed, keep

    @classmethod
    def create(cls, settings: Mapping[str, object], *, seed: int, languages: Sequence[str]) -> PerturbationStage:
        """The stage. With the setting ``keep = "layout"`` programs keep their layout and their comments."""
        check_keys(settings, ("keep",), "[perturbation]")
        if settings.get("keep", LAYOUT) != LAYOUT:
            raise BadSetting("keep", f'keep is "{LAYOUT}", or is left out')
        return cls(seed, LAYOUT if "keep" in settings else "")

    def apply(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
        """The instance with its program changed.

        Raises:
            Skip: a perturbation finds nothing to change, or the program cannot be read.
        """
        parts = parse(str(instance.axes.get("perturbation", NONE)))
        if not parts:
            return instance
        texts = {place: text.value for place, text in instance.texts.items()}
        own, unchanged = _list_texts(texts, _PROGRAM, parts), ""
        try:
            program = self._perturb(instance, parts, own)
        except NothingToChange as reason:
            program, unchanged = self._perturb(instance, ()), str(reason)
        shots = tuple(_perturb_shot(shot) for shot in self._list_shots(instance, parts, texts))
        return replace(
            instance,
            program=program,
            shots=shots,
            original=instance.original or instance.program,
            reference=instance.reference or instance.program,
            verify=True,
            unchanged=instance.unchanged or unchanged,
        )

    def _perturb(self, instance: Instance, parts: tuple[Part, ...], texts: Sequence[str] = ()) -> Program:
        program, family, asks = instance.program, instance.family, instance.asks
        if asks in ASKS_LINES:
            program = remember_lines(program)
        return perturb(program, parts, self._seed, family, asks, texts, keep=self._keep)

    def text_kinds(self, axes: Mapping[str, Collection[AxisValue]]) -> frozenset[str]:
        """The kinds of text that the perturbations of a suite put in."""
        return frozenset(part.kind.text_kind for part in _list_parts(axes) if part.kind.text_kind)

    def text_requests(self, instance: Instance) -> list[TextRequest]:
        """The texts of the perturbations that the axis names, in the program and in worked examples.

        Raises:
            Skip: the program cannot be read.
        """
        parts = parse(str(instance.axes.get("perturbation", NONE)))
        if not any(part.kind.text_kind for part in parts):
            return []
        reference = instance.reference or instance.program
        wanted = request_texts(instance.program, parts, self._seed, instance.family, instance.asks, keep=self._keep)
        requests = [request._replace(program=reference, place=f"{_PROGRAM}{place}") for place, request in wanted]
        for shot in self._list_shots(instance, parts, {}):
            requests += _request_shot_texts(shot)
        return requests

    def _list_shots(self, instance: Instance, parts: tuple[Part, ...], texts: Mapping[str, str]) -> list[_Shot]:
        """The worked examples with what changes them; plain ones are only normalised."""
        if instance.axes.get("examples") == PLAIN:
            parts = ()
        return [
            _Shot(
                shot,
                shot.sha,
                shot.facts.get("reasoning"),
                parts,
                self._seed,
                f"shot {number}",
                instance.asks,
                _list_texts(texts, f"shot {number}/", parts),
                self._keep,
            )
            for number, shot in enumerate(instance.shots)
        ]

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Version, seed and what is kept."""
        return {"version": VERSION, "layout": UNIFORM, "seed": self._seed} | (
            {"keep": self._keep} if self._keep else {}
        )

    def versions(self, axes: Mapping[str, Collection[AxisValue]]) -> Mapping[str, AxisValue]:
        """The version of each perturbation that the suite names."""
        return {identify(part.kind): part.kind.version for part in _list_parts(axes)}


def _list_parts(axes: Mapping[str, Collection[AxisValue]]) -> list[Part]:
    return [part for value in axes.get("perturbation", ()) for part in parse(str(value))]


@dataclass(frozen=True, slots=True)
class _Shot:
    """A worked example and everything that decides its change, the same for every question of a suite."""

    program: Program = field(compare=False)
    sha: str
    reasoning: str | None
    parts: tuple[Part, ...]
    seed: int
    family: str
    asks: str
    texts: tuple[str, ...]  #: what each part is to put in, empty for the rule's
    keep: Keep


@lru_cache(maxsize=256)
def _request_shot_texts(shot: _Shot) -> tuple[TextRequest, ...]:
    """The texts for a worked example, which the rule writes."""
    return tuple(
        request._replace(program=shot.program, by_rule=True, place=f"{shot.family}/{place}")
        for place, request in request_texts(shot.program, shot.parts, shot.seed, shot.family, shot.asks, keep=shot.keep)
    )


@lru_cache(maxsize=256)
def _perturb_shot(shot: _Shot) -> Program:
    """A worked example, changed in the same way. If there is nothing to change, it is only normalised.

    Its reasoning stays if it names nothing of the program, because it is then true for every version.
    """
    program, steps = shot.program, shot.reasoning
    try:
        changed = perturb(program, shot.parts, shot.seed, shot.family, shot.asks, shot.texts, keep=shot.keep)
    except Skip:
        changed = perturb(program, (), shot.seed, shot.family, shot.asks, keep=shot.keep)
    if steps is None or _list_names(program.language, program.source, program.call) & set(re.findall(r"\w+", steps)):
        return changed
    return replace(changed, facts=changed.facts.replace(reasoning=steps))


def request_texts(
    program: Program, parts: Sequence[Part], seed: int, family: str, asks: str, *, keep: Keep = ""
) -> Iterator[tuple[int, TextRequest]]:
    """The texts that :func:`perturb` can be given, each with the place of its part. They are about the entry.

    Raises:
        Skip: the program cannot be read.
    """
    last = max((place for place, part in enumerate(parts) if part.kind.text_kind), default=-1)
    speaker = registry.language(program.language)
    texts = [""] * len(parts)  # what the rule writes first
    try:
        for place, part in enumerate(parts[: last + 1]):
            if part.kind.text_kind:
                speaker.require(part.kind.capabilities, f"the perturbation {part.kind.name}")
                before = program
                if part.kind.text_reads_program:
                    before = perturb(program, parts[:place], seed, family, asks, texts, must_change=False, keep=keep)
                drawn = _derive_part_seed(parts, place, seed, program.language, family)
                with suppress(Skip):
                    _check_needs(part.kind, before)
                    draws = Draws(derive_file_seed(before, before.entry, drawn))
                    with blame(part.kind):
                        request = part.kind().text_request(before, draws, part.dose, asks)
                    if request is not None:
                        texts[place] = next(iter(request.candidates), "")
                        yield place, request
    except DoesNotParse as error:
        raise Skip(f"the program cannot be read: {error}") from error
    except MissingCapability as error:
        raise Skip(str(error)) from error


def perturb(
    program: Program,
    parts: Sequence[Part],
    seed: int,
    family: str,
    asks: str,
    texts: Sequence[str] = (),
    *,
    must_change: bool = True,
    keep: Keep = "",
) -> Program:
    """The program normalised and then changed by each part in turn; the same for the same seed and family.

    Each part draws from a seed of its own, so a further part does not change the draws of the others. A part that finds
    nothing to change is passed over if another part finds something.

    A part sees one file of a program at a time (:meth:`Program.view`), draws anew for each, and takes its dose in each.
    It does not touch names that another file may see, see ``changes/perturbations/_places.py``.

    Args:
        texts: the text of each part; empty for a part without a text, and for the text of its rule.
        must_change: whether to raise ``Skip`` if no part finds anything to change.
        keep: ``layout`` leaves out the normalising: the program keeps its layout and comments.

    Raises:
        Skip: there is nothing to change, a fact or a capability of the language is missing, the program cannot be
            read, or a change removes what is faulty or tears it apart.
    """
    idle: list[Skip] = []
    speaker = registry.language(program.language)
    try:
        for file in () if keep else list_code_files(program):
            view = program.view(file)
            laid_out = _normalise(view.language, view.source)
            if laid_out.text != view.source:
                program = program.accept_view(move(view, laid_out))
        for place, part in enumerate(parts):
            speaker.require(part.kind.capabilities, f"the perturbation {part.kind.name}")
            _check_needs(part.kind, program)
            drawn = _derive_part_seed(parts, place, seed, program.language, family)
            try:
                text = texts[place] if place < len(texts) else ""
                program = take_step(Step(program, part, drawn, asks, text))
            except Skip as skip:
                idle.append(skip.with_traceback(None))
    except LostPlace as error:
        raise Skip(str(error)) from None
    except DoesNotParse as error:
        raise Skip(f"the program cannot be read: {error}") from error
    except MissingCapability as error:
        raise Skip(str(error)) from error
    if must_change and parts and len(idle) == len(parts):
        raise idle[0]
    return program


def _derive_part_seed(parts: Sequence[Part], place: int, seed: int, language: str, family: str) -> int:
    """The seed of one part, which does not depend on the other parts."""
    kind = parts[place].kind
    turn = [part.kind for part in parts[:place]].count(kind)
    return derive_seed(seed, "perturbation", VERSION, kind.name, kind.version, turn, language, family)


def _check_needs(kind: type[Perturbation], program: Program) -> None:
    if kind.needs and (missing := kind.needs - program.facts.keys()):
        raise Skip(f"{kind.name} needs facts that the program lacks: {', '.join(sorted(missing))}")
    if kind.prints and not program.call:
        raise Skip(f"the program is a script, whose output is what it prints, and {kind.name} adds to that output")


def _list_texts(texts: Mapping[str, str], owner: str, parts: Sequence[Part]) -> tuple[str, ...]:
    """The texts of one program, in the order of the parts; nothing if there are none."""
    return tuple(texts.get(f"{owner}{place}", "") for place in range(len(parts))) if texts else ()


@lru_cache(maxsize=64)
def _normalise(language: str, source: str) -> Applied:
    """The normalised program, with which every perturbation begins. It is cached for several axis values."""
    syntax = registry.language(language).syntax
    with blame(syntax):
        laid_out: object = syntax.normalise(source)
        if not isinstance(laid_out, Applied):
            raise TypeError(f"normalise must return what apply(source, edits) does, not {name_type(laid_out)}")
    return laid_out


def _list_names(language: str, source: str, call: str) -> frozenset[str]:
    """The names that a program declares."""
    bindings = registry.language(language).syntax.parse(source, call).bindings
    return frozenset(binding.name.lstrip("$") for binding in bindings)
