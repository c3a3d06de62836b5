"""A question once it is built, with its prompt template, and the requests in which a task asks it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from pytest_codereason.core.answers import Completion, Outcome, Verdict
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.programs import AxisValue, Context, Layout, Program
from pytest_codereason.core.texts import Text


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Template(ABC):
    """A prompt template: turns the named values of a question into messages."""

    @abstractmethod
    def render(
        self, shots: Sequence[Mapping[str, Any]], question: Mapping[str, Any]
    ) -> tuple[tuple[Message, ...], str]:
        """The messages, and the beginning of the assistant's reply (may be empty)."""

    @property
    @abstractmethod
    def sha(self) -> str:
        """Digest of the template's text."""

    @property
    def has_prefill(self) -> bool:
        """Whether it may give the beginning of the reply. A template that does not say so is taken to."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One built question: the program as it is shown, and the way to ask about it."""

    id: str
    family: str  #: the program it came from; answers of one family are not independent
    suite: str
    program: Program
    axes: Mapping[str, AxisValue]  #: every axis of source, task and sampling, defaults included
    matrix: Mapping[str, AxisValue]  #: the axes of the suite's matrix alone
    shots: tuple[Program, ...] = ()  #: worked examples, never among the programs asked about
    template: Template
    seed: int = 0  #: the suite's; draws go through :func:`derive_seed`
    original: Program | None = None  #: the program before any stage changed it, ``None`` where none did
    #: the program whose result is right: execution of what is shown must equal it. ``None`` where that is the program
    #: shown. A stage that plants a fault makes the faulty program the reference; the original stays the correct one
    reference: Program | None = None
    #: whether a stage rewrote the program, which must then be seen to do what :attr:`reference` does
    verify: bool = False
    asks: str = ""  #: the fact that is asked for, see :attr:`Task.asks`
    context: Context | None = None  #: what it is shown among
    layout: Layout | None = None  #: the labels on the lines that are shown
    texts: Mapping[str, Text] = field(default_factory=dict)  #: written beforehand, by place; see :class:`TextRequest`
    #: who wrote each kind of text of the program, where a model may write the kind; see :attr:`Text.author`
    texts_by: Mapping[str, str] = field(default_factory=dict)
    #: when an earlier session had the texts written that are shown, by kind and subject: see :attr:`Text.written`
    texts_reused: Mapping[str, float] = field(default_factory=dict)
    unchanged: str = ""  #: why no perturbation changed its program, which is asked about all the same
    #: on how many calls its changed program was seen to do what :attr:`reference` does, 0 where none was checked
    checked_calls: int = 0
    #: the same question under other values of axes, for a task that asks it first, see :attr:`Task.twin`
    twin: Instance | None = None
    rewriting: Template | None = None  #: asks for the program in other words first, see :attr:`Axis.rewriting`

    @property
    def language(self) -> str:
        """The language of its program."""
        return self.program.language

    @property
    def way(self) -> str:
        """The way of prompting, empty if the task has only one way."""
        return str(self.axes.get("prompting", ""))

    @property
    def hint_by(self) -> str:
        """Who wrote the hint that its program is shown with, see :attr:`Text.author`."""
        return self.texts_by.get("hint", "")

    @property
    def rejections(self) -> dict[str, Mapping[str, int]]:
        """How many texts of the rule failed before those that are shown, by place and reason."""
        return {place: text.rejections for place, text in self.texts.items() if text.rejections}

    @property
    def forms(self) -> dict[str, dict[str, int]]:
        """How many of its program's places are changed in a study's form and in a safe form, by perturbation."""
        return {name: forms._asdict() for name, forms in self.program.facts.get("forms", {}).items()}

    @property
    def code(self) -> str:
        """The code that is shown: the program with its context and its labels, if it has any."""
        if self.layout is not None:
            return self.layout.text
        shown = self.program.text
        if self.context is None:
            return shown
        return "\n\n".join(block.strip("\n") for block in self.context.blocks(shown)) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskExample:
    """An example of a task: a question about a program, a reply, and the outcome of the reply."""

    program: Program
    reply: str
    outcome: Outcome
    axes: Mapping[str, AxisValue] = field(default_factory=dict)  #: the axes of the task that are not at their default
    prefilled: bool = False  #: whether the reply continues the prefill
    metrics: Mapping[str, float] = field(default_factory=dict)  #: the metrics that matter here


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """The settings of sampling. ``None`` leaves a setting to the server."""

    temperature: float = 0.0
    top_p: float | None = None
    max_tokens: int | None = 200
    reasoning_effort: str | None = None

    def with_axes(self, axes: Mapping[str, AxisValue]) -> Sampling:
        """These settings, overridden by the axes that carry a setting's name."""
        names = {f.name for f in fields(self)}
        return replace(self, **{k: v for k, v in axes.items() if k in names})  # type: ignore[arg-type]

    def with_room(self, tokens: int) -> Sampling:
        """These settings, with at least so many tokens for the reply."""
        return self if self.max_tokens is None else replace(self, max_tokens=max(self.max_tokens, tokens))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A step of a task: asks the model and returns its :class:`Completion`.

    Only baselines read five of the fields: ``truth`` is a right reply, ``guess`` makes a reply from a
    uniform draw, ``run`` and ``reply`` make a reply by running the program, ``naive`` is a reply by the looks.
    """

    messages: tuple[Message, ...]
    prefill: str = ""
    prefill_stop: tuple[str, ...] = ()  #: stop sequences, sent only where the prefill is continued
    truth: str
    guess: Callable[[Callable[[], float]], str]
    #: what a perfect reader would do instead: run this, and reply with what :attr:`reply` makes of the result
    run: Run | None = None
    reply: Callable[[Execution], str] | None = None
    #: what a reader would reply who looks at the text and follows nothing; empty if nothing is said of one
    naive: str = ""
    #: tokens that the reply may take at least, where the suite's limit is lower
    room: int = 0
    #: lines about the right answer, such as what another call returns. No model gets them
    notes: tuple[str, ...] = ()
    #: steps that lead to the right answer, such as the lines that run. Only a model that is trained gets them
    derivation: tuple[str, ...] = ()


Steps = Generator[Ask | Run, Completion | Execution, Verdict]


def ask_model(ask: Ask) -> Generator[Ask | Run, Completion | Execution, Completion]:
    """The typed form of yielding an ``Ask``: ``completion = yield from ask_model(Ask(...))``."""
    reply = yield ask
    assert isinstance(reply, Completion), "an Ask is sent its completion"
    return reply


def run_program(run: Run) -> Generator[Ask | Run, Completion | Execution, Execution]:
    """The typed form of yielding a ``Run``: ``execution = yield from run_program(Run(...))``."""
    reply = yield run
    assert isinstance(reply, Execution), "a Run is sent its execution"
    return reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One :class:`Ask` on its way to a model. Real models read ``ask`` and ``sampling`` alone."""

    ask: Ask
    sampling: Sampling
    instance: Instance
    sample: int = 0
    step: int = 0
    repeat: int = 0  #: 1 if the same sample is asked once more, to see how often the model changes its answer
    #: runs a program in the sandbox; raises :class:`~pytest_codereason.errors.SandboxError`
    run: Callable[[Run], Awaitable[Execution]] | None = None

    @property
    def draw(self) -> tuple[str | int, ...]:
        """What a random draw for this request is named after: no two requests of a suite have the same."""
        name = (self.instance.id, self.sample, self.step)
        return (*name, self.repeat) if self.repeat else name
