"""The abstract types: a new part implements one of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from pytest_codereason.core.answers import Completion, Metric
from pytest_codereason.core.languages import Capability
from pytest_codereason.core.programs import EMPTY, Axis, AxisValue, Dose, Program
from pytest_codereason.core.questions import Instance, Request, Steps, TaskExample
from pytest_codereason.core.texts import TextRequest

if TYPE_CHECKING:
    from pytest_codereason.core.random_draws import Draws


class Source(ABC):
    """Where programs come from. One object is one ``[source]`` table of a suite."""

    name: ClassVar[str]
    languages: tuple[str, ...]  #: of the class; settings may give an object more
    facts: ClassVar[frozenset[str]]  #: the facts its programs carry
    axes: ClassVar[Mapping[str, Axis]] = EMPTY

    @classmethod
    @abstractmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int) -> Source:
        """A source from the other keys of its ``[source]`` table.

        Raises:
            BadSetting: a key is unknown or its value out of range.
        """

    @abstractmethod
    def names(self, language: str) -> Iterator[str]:
        """The names of its programs, in order. Builds nothing: collection calls this.

        Programs of one name in several languages are the same program.
        """

    @abstractmethod
    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of that name, the same in every process."""

    @abstractmethod
    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        """Worked examples for the question about that program; they are no program of this source."""

    def notes(self, language: str) -> Sequence[str]:
        """What a user should know of its programs, a line each: how many were left out, and why."""
        return ()

    @property
    @abstractmethod
    def identity(self) -> Mapping[str, AxisValue]:
        """All that decides which programs it gives: settings, seed, version of the generator, digests."""


#: Where a stage stands between source and task, in this order. Stages of one place follow each other by name.
#: ``fault`` changes what the program does; ``ablation`` takes parts of it away; ``perturbation`` changes its text and
#: keeps what it does; ``context`` puts other code around it; ``layout`` labels the lines of all that is shown.
StagePlace = Literal["fault", "ablation", "perturbation", "context", "layout"]


class Stage(ABC):
    """A step between source and task that changes what is shown: an ablation, a perturbation, a context.

    One object is one table of a suite file: ``[context]`` for the stage ``context``.
    """

    name: ClassVar[str]
    place: ClassVar[StagePlace]
    axes: ClassVar[Mapping[str, Axis]]
    executes: ClassVar[bool] = False  #: whether what it gives is run before it is asked about

    @classmethod
    @abstractmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int, languages: Sequence[str]) -> Stage:
        """A stage from its table. Cheap: reads no data.

        Raises:
            BadSetting: a key is unknown or its value out of range.
        """

    def cell(
        self, cell: tuple[tuple[str, AxisValue], ...], fixed: Mapping[str, AxisValue] = EMPTY
    ) -> tuple[tuple[str, AxisValue], ...]:
        """A cell of the matrix without the axes that mean nothing in it; cells that become the same are one.

        ``fixed`` has the axes outside the matrix, at their one value.

        Raises:
            BadSetting: the values cannot go together.
        """
        return cell

    def values(self, program: Program) -> Mapping[str, Sequence[AxisValue]]:
        """Axes whose values depend on the program, such as which of its lines are removed."""
        return EMPTY

    def text_kinds(self, axes: Mapping[str, Collection[AxisValue]]) -> Collection[str]:
        """The kinds of text that :meth:`text_requests` may ask for, where a suite names these values of its axes."""
        return ()

    def text_requests(self, instance: Instance) -> Sequence[TextRequest]:
        """The texts that :meth:`apply` takes from :attr:`Instance.texts`, each with a place of its own there.

        Raises:
            Skip: this question cannot be built.
        """
        return ()

    @abstractmethod
    def apply(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
        """The instance as changed; the same in every process.

        A text of this stage is missing while a later stage is asked for its :meth:`text_requests`.

        Raises:
            Skip: this question cannot be built.
        """

    def cost(self, axes: Mapping[str, AxisValue]) -> int:
        """How much more there is to read under these axes, in functions of usual length.

        Workers are dealt questions by cost. It need not be exact.
        """
        return 0

    @property
    @abstractmethod
    def identity(self) -> Mapping[str, AxisValue]:
        """All that decides what it does, besides the axes: settings, version, digests of data."""

    def versions(self, axes: Mapping[str, Collection[AxisValue]]) -> Mapping[str, AxisValue]:
        """The versions of the parts that a suite names by these values of its axes, such as its perturbations."""
        return EMPTY


class PerturbationExample(NamedTuple):
    """A program before and after a perturbation. Both are run in a test and must return ``output``."""

    language: str
    before: str
    after: str
    call: str  #: before the change
    call_after: str
    output: str  #: a literal of the language
    seed: int = 0  #: of the draws
    dose: Dose = Dose()


class Perturbation(ABC):
    """A change of a program that keeps what it does, in every language that has a place for it."""

    name: ClassVar[str]
    version: ClassVar[int]  #: raised when the same seed gives another text
    needs: ClassVar[frozenset[str]] = frozenset()  #: facts that it reads
    capabilities: ClassVar[frozenset[Capability]] = frozenset({"syntax"})  #: what it needs of a language
    strengths: ClassVar[tuple[int, int]] = (1, 100)  #: least and most
    prints: ClassVar[bool] = False  #: whether the program prints more than before; scripts are then skipped
    #: the kind of text that it puts into programs, ``""`` for none; its class is then made with the text, or ``""``
    text_kind: ClassVar[str] = ""

    def text_request(self, program: Program, draws: Draws, dose: Dose, asks: str) -> TextRequest | None:
        """The text that :meth:`apply` would put into this program; ``None`` where it would put in none.

        Raises:
            Skip: there is nothing to change.
        """
        return None

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Small programs before and after, at least one for each language it was written for."""
        return ()

    @abstractmethod
    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program as changed; call and facts follow (see ``changes.py``).

        The same in every process. More strength never changes fewer places, and with the same draws a
        stronger dose changes what a weaker one does, and more. ``asks`` is the fact that will be asked for.

        Raises:
            Skip: there is nothing to change.
        """


class Task(ABC):
    """Asks about an instance, reads the replies, scores them."""

    name: ClassVar[str]
    version: ClassVar[int]  #: raised when the same replies would be scored differently
    needs: ClassVar[frozenset[str]]  #: facts a program must carry
    capabilities: ClassVar[frozenset[Capability]] = frozenset()  #: what it needs of a language
    asks: ClassVar[str] = ""  #: the fact that is asked for: ``output`` or ``input``
    metrics: ClassVar[tuple[Metric, ...]]  #: the first is the headline
    axes: ClassVar[Mapping[str, Axis]] = EMPTY
    #: axes of stages that it needs at one value, such as ``{"layout": "keys"}``; their stages then take part
    requires: ClassVar[Mapping[str, AxisValue]] = EMPTY
    executes: ClassVar[bool] = False  #: whether a step may be a :class:`~pytest_codereason.core.execution.Run`
    #: the text of the prompt template, or one text for each way of prompting; empty where files hold the templates
    template: ClassVar[str | Mapping[str, str]] = ""

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """Small questions with a reply and the outcome of each, for tests and for readers."""
        return ()

    def text_kinds(self, axes: Mapping[str, Collection[AxisValue]]) -> Collection[str]:
        """The kinds of text that :meth:`text_requests` may ask for, where a suite names these values of its axes."""
        return ()

    def text_requests(self, instance: Instance) -> Sequence[TextRequest]:
        """The texts that :meth:`steps` takes from :attr:`Instance.texts`, each with a place of its own there.

        ``instance`` is the question before any stage.

        Raises:
            Skip: this question cannot be built.
        """
        return ()

    @abstractmethod
    def steps(self, instance: Instance) -> Steps:
        """Yields what to ask and what to run, is sent completions and executions, returns the verdict."""


class ModelExample(NamedTuple):
    """A spec that names a model, for tests and for readers."""

    spec: str
    url: str | None = None
    args: Mapping[str, str] = EMPTY
    files: Mapping[str, str] = EMPTY  #: text by name, of files that must lie in the current folder
    #: the reply to the question ``python/0007[digits:2]`` of the suite ``semtrace``, where asking costs nothing
    reply: str | None = None


class Model(ABC):
    """Turns prompts into completions. One object serves one process, from one event loop."""

    #: the spec as the user typed it, without secrets; stands in every record; set for a class of a user's own
    label: str
    #: most requests worth having in flight at once, unless the user says otherwise
    concurrency: int = 32
    #: whether answers are worth keeping: not where asking again costs nothing
    stored: ClassVar[bool] = True
    #: whether it answers by running programs, through :attr:`Request.run`
    executes: bool = False
    #: US dollars per million prompt and completion tokens, ``None`` where unknown
    price: tuple[float, float] | None = None

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """Specs that name models of this kind. None of them is loaded or reached by being made."""
        return ()

    @classmethod
    @abstractmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> Model:
        """A model from what stands after the colon of its spec, ``--model-url`` and ``--model-arg``.

        For a class of a user's own, ``package.module:Name``, ``name`` is the whole spec.

        Cheap: imports nothing heavy and reaches nothing; that is :meth:`start`.

        Raises:
            UsageError: the name or an argument cannot be.
        """

    @property
    @abstractmethod
    def identity(self) -> Mapping[str, Any]:
        """All that shapes an answer besides the request: weights, endpoint, engine, its settings."""

    @property
    @abstractmethod
    def pinned(self) -> bool:
        """Whether ``identity`` names the weights by digest, so that an answer stays true for ever."""

    async def check(self) -> None:  # noqa: B027
        """Whether the model could be asked, said within 10 seconds; called before anything is asked.

        Runs in a loop and perhaps a process of its own and so keeps nothing that an answer needs. Missing
        weights may be fetched here, but nothing is loaded.

        Raises:
            UsageError: no key, no such endpoint, model, package or weights; says what to do.
        """

    async def start(self) -> None:  # noqa: B027
        """Loads the model; called once, before the first request, in the event loop that asks.

        Raises:
            UsageError: it cannot be loaded; says why and what to do.
        """

    @abstractmethod
    async def answer(self, request: Request) -> Completion:
        """One completion. Raises :class:`~pytest_codereason.errors.ModelError` where none came."""

    async def close(self) -> None:  # noqa: B027
        """Lets go of what :meth:`start` took."""

    def count_tokens(self, text: str) -> int | None:
        """Tokens of ``text`` by the model's own tokenizer, ``None`` where it has none at hand."""
        return None

    def context_length(self) -> int | None:
        """The most tokens of prompt and answer together, ``None`` where it is not known without loading the model.

        Cheap; known from :meth:`check` on at the latest.
        """
        return None
