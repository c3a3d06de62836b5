"""Checks a run before the first question is asked. Each check says what is wrong and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pytest_codereason.core import Model
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.text import wording
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.limits.prompt_lengths import QuestionKind
from pytest_codereason.engine.limits.run_size import RunSize, is_free
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import NotHere, PartError, SandboxError, StoreError, UsageError
from pytest_codereason.options import Options
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.session.collecting.suites import Suites

#: What comes of a run whose suites can do without running programs.
WITHOUT_RUNS = "no program is run to explain wrong answers"


@dataclass(frozen=True)
class Selection:
    """The questions of this run."""

    suites: Mapping[str, Suite]  #: by name
    kinds: Mapping[str, Counter[QuestionKind]]  #: how many questions of each kind, by suite
    left_out: Mapping[str, str] = field(default_factory=dict)  #: why suites of a folder are not asked, by file

    @property
    def counts(self) -> Counter[str]:
        """How many questions are asked, by suite."""
        return Counter({name: kinds.total() for name, kinds in self.kinds.items()})


def read_suites(suites: Suites, questions: Mapping[Path, Counter[QuestionKind]], needed: Collection[Path]) -> Selection:
    """Every suite that has questions in this run.

    A suite whose data are not on this machine is left out if another suite can be asked, and ``needed`` lacks it.

    Raises:
        UsageError: suites cannot be read, or two have one name; names them all.
    """
    mistakes, left_out = list[str](), dict[str, str]()
    read: dict[str, Suite] = {}
    kinds: dict[str, Counter[QuestionKind]] = {}
    for path, counts in questions.items():
        try:
            suite = suites.read(path)
        except UsageError as error:
            if isinstance(error, NotHere) and path not in needed:
                left_out[shorten_path(path)] = str(error).partition(": ")[2]
            else:
                mistakes.append(str(error))
            continue
        except PartError:
            continue  # its one item says so
        if suite.name in read:
            other = shorten_path(read[suite.name].path)
            mistakes.append(f"{shorten_path(path)}: another suite is also named {suite.name} ({other})")
        read[suite.name] = suite
        kinds[suite.name] = counts
    if mistakes or (left_out and not read):
        raise UsageError("\n       ".join([*mistakes, *(f"{file}: {why}" for file, why in left_out.items())]))
    return Selection(read, kinds, left_out)


def list_uncounted(writers: Iterable[Model]) -> list[str]:
    """A note if a writer is paid too."""
    paid = any(not is_free(writer) for writer in writers)
    return ["no number here counts the requests of the writer, and what they cost"] if paid else []


def check_limit(options: Options, suites: Iterable[Suite]) -> None:
    """Checks that a sample of the questions is not wanted of a suite that chooses its questions itself.

    Raises:
        UsageError: it is; the message says what to do.
    """
    chosen = [suite.name for suite in suites if suite.chosen_axis]
    if options.limit is not None and chosen:
        raise UsageError(
            f"--eval-limit: {', '.join(chosen)} chooses its questions by the answers, so a sample says less for more: "
            "leave the option out, or set budget in [adaptive] of the suite file"
        )


def check_prices(models: Mapping[str, Model], writers: Sequence[Model]) -> None:
    """Checks that the price of every model is known, so that a limit on cost can be kept.

    Raises:
        UsageError: the price of a model is unknown.
    """
    for label, model in models.items():
        if model.price is None:
            raise UsageError(
                f"--eval-max-cost: the price of {label} is unknown; give --model-arg price_in=USD and "
                "--model-arg price_out=USD, dollars per million tokens"
            )
    for writer in writers:
        if writer.price is None:
            raise UsageError(
                f"--eval-max-cost: the price of the writer {writer.label} is unknown; give --model-arg "
                f"{writer.label}:price_in=USD and --model-arg {writer.label}:price_out=USD, or write the hints before "
                "the run with 'codereason prepare', and name the file in the key 'hints' of the suite"
            )


def list_open_costs(sizes: Mapping[str, RunSize], options: Options) -> list[str]:
    """A note for each model with replies without a limit of tokens, by which the run may cost more than its limit."""
    if options.max_cost is None:
        return []
    return [
        f"--eval-max-cost {options.max_cost:g} may be passed: {label} gives {wording.plural(size.unlimited, 'reply')} "
        "without a limit of tokens. Each request in flight reserves the cost of the longest such reply so far, and may "
        "cost more. For a limit that holds, add --model-arg max_tokens=N"
        for label, size in sizes.items()
        if size.unlimited and size.cost != 0
    ]


def list_divided_costs(options: Options) -> list[str]:
    """A note on the limit of this shard, which has a part of the limit of the whole run."""
    if options.max_cost is None or options.shard is None:
        return []
    part, parts = options.shard
    whole = options.max_cost * parts
    return [
        f"--eval-max-cost {whole:g} is for all {parts} shards: shard {part + 1} may spend ${options.max_cost:.4g} of it"
    ]


def check_store(folder: Path) -> None:
    """Checks that answers can be stored in the folder.

    Raises:
        UsageError: they cannot be stored.
    """
    try:
        Store(folder).close()
    except StoreError as error:
        raise UsageError(str(error)) from error


def count_stored(folder: Path, reuse_s: float | None, pairs: Iterable[tuple[Suite, Model]], selection: str) -> int:
    """How many answers of these suites and models the store holds already; 0 if that cannot be read.

    Whoever wants one of the answers says what is wrong with the store.
    """
    if reuse_s == 0:
        return 0
    with suppress(StoreError), closing(Store(folder, reuse_s=reuse_s or 0.0)) as store:
        return sum(OpenRuns(store, model, selection).count(suite.plan) for suite, model in pairs)
    return 0


def check_sandbox(
    executor: Executor, suites: Iterable[Suite], models: Iterable[Model], mode: str
) -> tuple[str, Sequence[str]]:
    """The tier of the sandbox, and messages about missing interpreters.

    The sandbox is opened only if the run will run programs.

    Raises:
        UsageError: the sandbox does not start, or does not offer the required isolation, and the run needs it.
    """
    models_execute = any(model.executes for model in models)
    executing = [suite for suite in suites if models_execute or suite.executes]
    needing = [suite for suite in executing if models_execute or suite.executes != "optional"]
    if not executing:
        return "none", []
    try:
        tier = executor.tier
    except SandboxError as error:
        if needing:
            raise UsageError(f"--eval-sandbox {mode}: {error}") from error
        return "none", [f"{error}; {WITHOUT_RUNS}"]
    languages = {name: False for suite in executing for name in suite.languages}
    languages.update((name, True) for suite in needing for name in suite.languages)
    outcomes = {True: "questions that need it to run become errors", False: WITHOUT_RUNS}
    return tier, [
        f"{missing}; {outcomes[needed]}"
        for name, needed in languages.items()
        for missing in executor.find_missing([name])
    ]
