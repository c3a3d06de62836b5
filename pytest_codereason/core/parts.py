"""The abstract types of parts: source, stage, perturbation, task, model. A new part implements one of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from pytest_codereason.core.answers import Completion, Metric, Recorded, Verdict
from pytest_codereason.core.batches import Batching
from pytest_codereason.core.doses import Dose, PerturbationExample
from pytest_codereason.core.language.capabilities import Capability, Language
from pytest_codereason.core.prices import Price
from pytest_codereason.core.programs import EMPTY, Axis, AxisValue, Cell, Program
from pytest_codereason.core.questions import Instance, Request, Steps, TaskExample
from pytest_codereason.core.texts import TextRequest
from pytest_codereason.errors import UsageError

if TYPE_CHECKING:
    from pytest_codereason.core.files.fetching import Remote
    from pytest_codereason.core.random_draws import Draws


class Source(ABC):
    """Gives programs. One object is one ``[source]`` table of a suite."""

    name: ClassVar[str]
    languages: tuple[str, ...]  #: of the class; settings may give an object more
    facts: frozenset[str]  #: the facts its programs carry; :meth:`with_facts` may give an object more
    axes: ClassVar[Mapping[str, Axis]] = EMPTY
    #: settings that name a file beside the suite file; :meth:`create` gets them as absolute paths
    beside_suite: ClassVar[frozenset[str]] = frozenset()
    #: Whether programs with a known output are run first, where a suite does not say it with ``check``.
    checks: ClassVar[bool] = False
    files: ClassVar[Mapping[str, Remote]] = EMPTY  #: the public files of a data set, by language
    licence: ClassVar[str] = ""  #: of these files

    @classmethod
    @abstractmethod
    def create(cls, settings: Mapping[str, object], *, seed: int) -> Source:
        """A source from the other keys of its ``[source]`` table.

        Raises:
            BadSetting: a key is unknown or its value out of range.
        """

    @abstractmethod
    def names(self, language: str) -> Iterator[str]:
        """The names of its programs, in order. Builds no program, because collection calls this method.

        Programs with the same name in several languages are the same program.
        """

    def speaks(self, language: str) -> bool:
        """Whether a suite may name this language too, because the source itself writes the programs."""
        return False

    def cell(self, cell: Cell, fixed: Mapping[str, AxisValue]) -> Cell:
        """As :meth:`Stage.cell`; a source refuses values together with which it has no program."""
        return cell

    @abstractmethod
    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of that name, the same in every process."""

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        """Worked examples for the question about that program, none of them of this source. The default is none.

        Raises:
            UsageError: there are not so many.
        """
        if count:
            raise UsageError(f"the source {self.name} has no worked examples, not {count}")
        return ()

    def without_scripts(self, task: str) -> Source:
        """This source without its programs that have no call, because the task of this name asks about a call.

        Raises:
            BadSetting: no program is left.
        """
        return self

    def with_facts(self, facts: frozenset[str], task: str) -> Source:
        """This source without its programs that lack one of these facts, because the task of this name needs them.

        Raises:
            BadSetting: no program is left.
        """
        return self

    def notes(self, language: str) -> Sequence[str]:
        """Notes for the user, a line each: how many programs were left out, and why."""
        return ()

    @property
    @abstractmethod
    def identity(self) -> Mapping[str, AxisValue]:
        """Everything that decides which programs the source gives: settings, seed, generator's version, digests."""


#: Whether a task runs programs; ``"optional"`` if it can do without them.
Executes = Literal[True, False, "optional"]

#: Where a stage stands between source and task, in this order. Stages of one place follow each other by name.
#: ``fault`` changes what the program does; ``ablation`` takes parts of it away; ``perturbation`` changes its text and
#: keeps what it does; ``context`` puts other code around it; ``layout`` labels the lines of all that is shown.
StagePlace = Literal["fault", "ablation", "perturbation", "context", "layout"]


class Stage(ABC):
    """Changes what a question shows, between source and task: an ablation, a perturbation, a context.

    One object is one table of a suite file: ``[context]`` for the stage ``context``.
    """

    name: ClassVar[str]
    place: ClassVar[StagePlace]
    axes: ClassVar[Mapping[str, Axis]]
    executes: ClassVar[bool] = False  #: whether what it gives is run before it is asked about
    gives: ClassVar[frozenset[str]] = frozenset()  #: facts that its programs have, though their source knows none

    @classmethod
    @abstractmethod
    def create(cls, settings: Mapping[str, object], *, seed: int, languages: Sequence[str]) -> Stage:
        """A stage from its table. Cheap: reads no data.

        Raises:
            BadSetting: a key is unknown or its value out of range.
        """

    def cell(self, cell: Cell, fixed: Mapping[str, AxisValue] = EMPTY) -> Cell:
        """A cell of the matrix without the axes that mean nothing in it. Cells that end up equal are asked once.

        Raises:
            BadSetting: the values cannot go together, or with ``fixed``, which has the axes outside the matrix.
        """
        return cell

    def values(self, program: Program) -> Mapping[str, Sequence[AxisValue]]:
        """Axes whose values depend on the program, such as which of its lines are removed."""
        return EMPTY

    def text_kinds(self, axes: Mapping[str, Collection[AxisValue]]) -> Collection[str]:
        """The kinds of text that :meth:`text_requests` may ask for, if a suite names these values of its axes."""
        return ()

    def text_requests(self, instance: Instance) -> Sequence[TextRequest]:
        """The texts that :meth:`apply` takes from :attr:`Instance.texts`, each with its own place there.

        Raises:
            Skip: this question cannot be built.
        """
        return ()

    @abstractmethod
    def apply(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
        """The changed instance, the same in every process.

        While a later stage is asked for its :meth:`text_requests`, the texts of this stage may be missing.

        Raises:
            Skip: this question cannot be built.
        """

    def notes(self) -> Sequence[str]:
        """Notes for the user before the run, a line each, such as the length of what it adds."""
        return ()

    @property
    def details(self) -> Mapping[str, AxisValue]:
        """Numbers for ``run.json`` that decide nothing, such as the usual length of what it adds."""
        return EMPTY

    def cost(self, axes: Mapping[str, AxisValue]) -> int:
        """The additional text to read under these axes, in functions of usual length.

        Workers get questions by cost, so an estimate is enough.
        """
        return 0

    @property
    @abstractmethod
    def identity(self) -> Mapping[str, AxisValue]:
        """Everything that decides what the stage does, besides the axes: settings, version, digests of data."""

    def versions(self, axes: Mapping[str, Collection[AxisValue]]) -> Mapping[str, AxisValue]:
        """The versions of the parts that a suite names by these values of its axes, such as its perturbations."""
        return EMPTY


class Perturbation(ABC):
    """Changes a program's text and keeps what the program does, in every language that has a place for the change."""

    name: ClassVar[str]
    version: ClassVar[int]  #: raised when the same seed gives another text
    needs: ClassVar[frozenset[str]] = frozenset()  #: facts that it reads
    capabilities: ClassVar[frozenset[Capability]] = frozenset({"syntax"})  #: what it needs of a language
    #: the settings of a dose that it obeys, such as ``Dose.SETTINGS``; a suite that gives it another is refused
    doses: ClassVar[tuple[str, ...]] = ()
    strengths: ClassVar[tuple[int, int]] = (1, 100)  #: least and most
    placements: ClassVar[tuple[str, ...]] = ()  #: where its text may stand beside the code; empty for no choice
    #: whether it gives every program back as it is, as ``vanilla`` does; of any other such programs are counted
    changes_nothing: ClassVar[bool] = False
    prints: ClassVar[bool] = False  #: whether the program prints more than before; scripts are then skipped
    #: the kind of text that it puts into programs, ``""`` for none; its class is then made with the text, or ``""``
    text_kind: ClassVar[str] = ""
    #: whether its request for a text depends on the program; else :meth:`text_request` may be given another program
    text_reads_program: ClassVar[bool] = True

    def text_request(self, program: Program, draws: Draws, dose: Dose, asks: str) -> TextRequest | None:
        """The text that :meth:`apply` would put into this program; ``None`` if it needs no text.

        Raises:
            Skip: there is nothing to change.
        """
        return None

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Small programs before and after the change, at least one for each supported language."""
        return ()

    @abstractmethod
    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The changed program, with its call and facts, see :func:`~pytest_codereason.core.text.changes.change`.

        The result is the same in every process. With the same draws, a stronger dose changes every place that a
        weaker dose changes, and more. ``asks`` is the fact that the question asks for.

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
    #: whether it asks about the call of a program, so that scripts, which have none, are left out
    needs_call: ClassVar[bool] = False
    #: whether a step may be a :class:`~pytest_codereason.core.execution.Run`; ``"optional"`` if each is optional
    executes: ClassVar[Executes] = False
    #: axes that have another value in :attr:`Instance.twin`, such as ``{"perturbation": "none"}``; without any there is
    #: no twin
    twin: ClassVar[Mapping[str, AxisValue]] = EMPTY
    #: the task whose shipped prompt templates it uses; empty for its own
    templates_of: ClassVar[str] = ""
    #: the text of the prompt template, or one text for each way of prompting; empty where files hold the templates
    template: ClassVar[str | Mapping[str, str]] = ""

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """Small questions, each with a reply and its outcome, for tests and for readers."""
        return ()

    def text_kinds(self, axes: Mapping[str, Collection[AxisValue]]) -> Collection[str]:
        """The kinds of text that :meth:`text_requests` may ask for, if a suite names these values of its axes."""
        return ()

    def text_requests(self, instance: Instance) -> Sequence[TextRequest]:
        """The texts that :meth:`steps` takes from :attr:`Instance.texts`, each with its own place there.

        ``instance`` is the question before any stage.

        Raises:
            Skip: this question cannot be built.
        """
        return ()

    @abstractmethod
    def steps(self, instance: Instance) -> Steps:
        """Yields each ``Ask`` and ``Run``, receives completions and executions, and returns the verdict.

        Raises:
            Skip: nothing can be asked about this program.
        """

    def count_answers(self, instance: Instance, reply: str) -> int:
        """How many different answers a reply gives, where the task can tell. A reward is paid for one alone."""
        return 1

    def judge_again(self, lang: Language, recorded: Recorded) -> Verdict | None:
        """The verdict once more, with the metrics that follow from a record; ``None``, the default, if none does."""
        return None


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

    #: the name in every record: the spec as the user typed it, or the name of its table; set by whoever creates it
    label: str
    #: the spec that it was created from
    spec: str = ""
    #: most requests worth having in flight at once, unless the user says otherwise
    concurrency: int = 32
    #: settings of sampling that replace those of every suite, for this model alone; set by whoever creates it
    sampling: Mapping[str, Any] = EMPTY
    #: whether settings of sampling shape its answers
    takes_sampling: ClassVar[bool] = True
    #: settings of sampling that the user has it leave out of its requests
    omits: frozenset[str] = frozenset()
    #: whether the seed of the suite shapes its answers at a temperature above 0
    draws_by_seed: bool = False
    #: whether it is asked at an address, which ``--model-url`` gives
    takes_url: ClassVar[bool] = True
    #: whether ``url`` may be several addresses with commas between them, of servers of one model
    takes_several_urls: ClassVar[bool] = False
    #: whether answers are worth keeping: not where asking again costs nothing
    stored: ClassVar[bool] = True
    #: whether forks of the process that checked it may ask it, and gain by that: not where it computes on this machine
    forks: ClassVar[bool] = True
    #: whether it answers by running programs, through :attr:`Request.run`
    executes: bool = False
    #: US dollars per million tokens: ``(prompt, completion)``, or a :class:`Price` where cached tokens or reasoning
    #: cost something else; ``None`` where unknown
    price: tuple[float, float] | Price | None = None

    @classmethod
    def examples(cls) -> Sequence[ModelExample]:
        """Specs that name models of this kind. Creating such a model loads and contacts nothing."""
        return ()

    @classmethod
    @abstractmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> Model:
        """A model from the name after the colon of its spec, ``--model-url`` and ``--model-arg``.

        For a class of a user's own, ``package.module:Name``, ``name`` is the whole spec.

        Must be cheap: heavy imports and connections belong in :meth:`start`.

        Raises:
            UsageError: the name or an argument is not valid.
        """

    @property
    @abstractmethod
    def identity(self) -> Mapping[str, Any]:
        """Everything that shapes an answer besides the request: weights, endpoint, engine, settings."""

    @property
    @abstractmethod
    def pinned(self) -> bool:
        """Whether ``identity`` fixes the weights by digest, so that stored answers never expire."""

    async def check(self) -> None:  # noqa: B027
        """Checks within 10 seconds that the model can be asked. Called before the first question, perhaps long before.

        It may run in another loop or process than the answers, so it keeps nothing. It may fetch weights.

        Raises:
            UsageError: the key, endpoint, model, package or weights are missing; the message says what to do.
        """

    async def start(self) -> None:  # noqa: B027
        """Loads the model. Called once, before the first request, in the event loop of the answers.

        Raises:
            UsageError: the model cannot be loaded; the message says why and what to do.
        """

    @abstractmethod
    async def answer(self, request: Request) -> Completion:
        """One completion. Raises :class:`~pytest_codereason.errors.ModelError` if there is no answer."""

    async def close(self) -> None:  # noqa: B027
        """Releases what :meth:`start` loaded."""

    @property
    def batching(self) -> Batching | None:
        """The way to the model by batches, ``None`` if there is none."""
        return None

    def count_tokens(self, text: str) -> int | None:
        """The tokens of ``text`` by the model's own tokenizer, ``None`` if there is no tokenizer."""
        return None

    def context_length(self) -> int | None:
        """The most tokens of prompt and answer, ``None`` if unknown before it is loaded. Cheap; final after `check`."""
        return None
