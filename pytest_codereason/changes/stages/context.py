"""The stage ``context``: shows a program among functions that have nothing to do with the question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pytest_codereason.core import EMPTY, Axis, AxisValue, Context, Instance, Stage, derive_seed
from pytest_codereason.core.programs import is_whole
from pytest_codereason.core.text.suggestions import check_keys
from pytest_codereason.errors import BadSetting, Skip, UsageError
from pytest_codereason.programs.contexts.corpora import POOLS, load
from pytest_codereason.programs.contexts.pool import Distractor, Pool
from pytest_codereason.programs.contexts.positions import MAX_POSITIONS, count_before, space_positions

#: Raised whenever the same seed and pool would give other contexts.
VERSION = 1
MAX_DISTRACTORS, MAX_TOKENS = 10_000, 10_000_000
#: Tokens of a function of a pool, roughly: what a question costs to read is counted in functions.
TOKENS_OF_A_FUNCTION = 100
#: The pool of the study, and the usual length of its functions (Sense and Sensitivity, section 4).
STUDY_POOL, STUDY_TOKENS = "code-search-net", 200
#: Characters of a token where the model has no tokenizer at hand.
CHARACTERS = 4


def _is_percentage(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 100


def _expand(value: object) -> Sequence[AxisValue] | None:
    return space_positions(value) if is_whole(value, 1, MAX_POSITIONS) else None


class ContextStage(Stage):
    """``distractors`` functions of a pool, or as many as fill ``tokens``, with the program at a ``position``.

    At all positions, a program has the same distractors in the same order, so that a server can reuse its cache. A
    longer context begins with the distractors of a shorter one (Sense and Sensitivity, section 4).
    """

    name = "context"
    place = "context"
    axes: ClassVar[Mapping[str, Axis]] = {
        "distractors": Axis(
            name="distractors",
            default=0,
            allowed=f"whole numbers from 0 to {MAX_DISTRACTORS:,}",
            accepts=lambda value: is_whole(value, 0, MAX_DISTRACTORS),
            short="d",
        ),
        "tokens": Axis(
            name="tokens",
            default=0,
            allowed=f"whole numbers from 0 to {MAX_TOKENS:,} (tokens of context; 0: count distractors instead)",
            accepts=lambda value: is_whole(value, 0, MAX_TOKENS),
            short="tokens",
        ),
        "position": Axis(
            name="position",
            default=50,
            allowed="a list of percentages from 0 to 100, or a number of equally spaced positions (1 to 101)",
            accepts=_is_percentage,
            short="p",
            expand=_expand,
        ),
    }

    def __init__(self, pool: str, seed: int, languages: Sequence[str]) -> None:
        self._pool = pool
        self._seed = seed
        self._languages = tuple(languages)
        self._absent: dict[str, str] = {}  #: why a language has no distractors here
        self._drawn: tuple[tuple[str, int, str], list[Distractor]] | None = None

    @classmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int, languages: Sequence[str]) -> ContextStage:
        """Settings: ``pool``, a name or the path of a folder of frozen pools (default ``auto``)."""
        check_keys([key for key in settings if key not in cls.axes], ("pool",), "[context]")
        pool = settings.get("pool", "auto")
        if not isinstance(pool, str) or not pool:
            raise BadSetting("pool", f"'pool' must be one of {', '.join(POOLS)} or the path of a folder, not {pool!r}")
        if pool not in POOLS:
            for language in languages:  # a folder that is not there is said here, with file and line
                try:
                    load(pool, language)
                except UsageError as error:
                    raise BadSetting("pool", str(error)) from error
        return cls(pool, seed, languages)

    def cell(
        self, cell: tuple[tuple[str, AxisValue], ...], fixed: Mapping[str, AxisValue] = EMPTY
    ) -> tuple[tuple[str, AxisValue], ...]:
        """The cell. Without distractors there is one question, and no position."""
        varied = dict(cell)
        axes = {**fixed, **varied}
        if axes.get("distractors") and axes.get("tokens"):
            key = "tokens" if "tokens" in varied else "distractors"
            raise BadSetting(key, "give 'distractors' or 'tokens', not both")
        if axes.get("distractors") or axes.get("tokens"):
            return tuple(pair for pair in cell if pair[0] not in ("distractors", "tokens") or pair[1])
        if "position" in varied and not {"distractors", "tokens"} & varied.keys():
            raise BadSetting("position", "a 'position' needs a context: give 'distractors' or 'tokens' too")
        return tuple(pair for pair in cell if pair[0] != "position")

    def apply(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
        """The instance in its context.

        Raises:
            Skip: the pool has too few functions.
        """
        axes = instance.axes
        count, tokens = int(axes.get("distractors", 0)), int(axes.get("tokens", 0))
        if not count and not tokens:
            return instance
        drawn = self._draw(instance, count if count else MAX_DISTRACTORS)
        if why := self._absent.get(instance.language):
            raise Skip(why)
        if tokens:
            drawn = _fill(drawn, tokens, instance.program.source, count_tokens)
        elif len(drawn) < count:
            raise Skip(f"the pool {self._pool} holds {len(drawn):,} {instance.language} functions, not {count:,}")
        sources = tuple(f.source for f in drawn)
        where = count_before(float(axes.get("position", 50)), len(sources))
        return replace(instance, context=Context(distractors=sources, place=where))

    def _draw(self, instance: Instance, count: int) -> list[Distractor]:
        """The distractors of a program. The last draw is cached for the next questions."""
        name = instance.program.function
        key = (f"{instance.language}/{instance.family}", count, name)
        if self._drawn is None or self._drawn[0] != key:
            seed = derive_seed(self._seed, "context", VERSION, instance.language, instance.family)
            self._drawn = key, self._pool_of(instance.language).draw_order(seed, name, count)
        return self._drawn[1]

    def _pool_of(self, language: str) -> Pool:
        """The pool of a language; an empty pool if this machine has no code for distractors.

        Raises:
            UsageError: the pool that the suite names is not there.
        """
        try:
            return load(self._pool, language)
        except UsageError as error:
            if self._pool not in ("auto", "installed"):
                raise
            self._absent[language] = str(error)
            return Pool("absent", language, ())

    def notes(self) -> Sequence[str]:
        """Where the distractors of each language come from, and how long they are."""
        return [self._describe_pool(language) for language in self._languages]

    def _describe_pool(self, language: str) -> str:
        pool = self._pool_of(language)
        if why := self._absent.get(language):
            return f"no {language} distractors: {why}"
        size = f"{len(pool.functions):,} functions, median {pool.median_tokens:,} tokens"
        text = f"{language} distractors come from the pool {pool.name}: {size}"
        if pool.name == STUDY_POOL:
            return text
        return (
            f"{text}. The study draws from CodeSearchNet, about {STUDY_TOKENS} tokens each, so its figures differ. To "
            f"have it: codereason fetch {STUDY_POOL} --language {language}"
        )

    @property
    def details(self) -> Mapping[str, AxisValue]:
        """The median tokens of each language's functions."""
        return {f"pool_{language}_tokens": self._pool_of(language).median_tokens for language in self._languages}

    def cost(self, axes: Mapping[str, AxisValue]) -> int:
        """The number of distractors, or an estimate of how many fill the tokens."""
        return int(axes.get("distractors", 0)) + int(axes.get("tokens", 0)) // TOKENS_OF_A_FUNCTION

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Version, seed, the pool's name and the digest of each language's functions."""
        names = {f"pool_{language}": self._pool_of(language).name for language in self._languages}
        shas = {f"pool_{language}_sha": self._pool_of(language).sha for language in self._languages}
        return {"version": VERSION, "seed": self._seed, **names, **shas}


def _fill(
    functions: Sequence[Distractor], tokens: int, program: str, count_tokens: Callable[[str], int | None]
) -> list[Distractor]:
    """As many of the first functions as fit into ``tokens`` beside the program."""

    def length(text: str) -> int:
        counted = count_tokens(text)
        return -(-len(text) // CHARACTERS) if counted is None else counted

    left = tokens - length(program)
    chosen: list[Distractor] = []
    for function in functions:
        if (left := left - length(function.source) - 1) < 0:
            return chosen
        chosen.append(function)
    raise Skip(f"the pool holds {len(functions):,} functions, which do not fill {tokens:,} tokens")
