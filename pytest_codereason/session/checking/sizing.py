"""How much a session asks, suite by suite and model by model. A run and a dry run give the same numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pytest_codereason.core import Model
from pytest_codereason.core.text.parts import Part
from pytest_codereason.engine.limits.prompt_lengths import QuestionKind, count_kinds
from pytest_codereason.engine.limits.run_size import RunSize, add_sizes, estimate_size, is_free
from pytest_codereason.engine.sharing.sharding import find_shared
from pytest_codereason.questions.suites.suite import Suite


class Sizing:
    """Estimates what is asked.

    Args:
        suites: by name.
        items: the questions that will be asked, each a suite file and the id of an item.
        repeat: the part of the questions that is asked twice.
    """

    def __init__(
        self,
        suites: Mapping[str, Suite],
        models: Mapping[str, Model],
        items: Sequence[tuple[Path, str]],
        *,
        repeat: Part | None,
    ) -> None:
        self._suites = suites
        self._models = models
        self._repeat = repeat
        self._kinds = count_by_model(items, next(iter(models)))

    def estimate(self, label: str) -> dict[str, RunSize]:
        """What is asked of a model, by suite."""
        asked = {name: self._kinds.get((suite.path, label)) for name, suite in self._suites.items()}
        return {
            name: estimate_size(
                [(self._suites[name], limit_kinds(self._suites[name], kinds))], self._models[label], repeat=self._repeat
            )
            for name, kinds in asked.items()
            if kinds
        }

    def count_requests(self) -> int:
        """How many requests all models get at most."""
        return sum(size.requests for label in self._models for size in self.estimate(label).values())

    def estimate_each(self) -> dict[str, RunSize]:
        """What is asked of each model, but for those that write no reply, as baselines and stored replies."""
        writing = [label for label, model in self._models.items() if model.takes_sampling or not is_free(model)]
        asked = {label: self.estimate(label) for label in writing}
        return {label: add_sizes(sizes.values()) for label, sizes in asked.items() if sizes}


def limit_kinds(suite: Suite, kinds: Mapping[QuestionKind, int]) -> Mapping[QuestionKind, int]:
    """How many questions of each kind are asked at most: of a cell of an adaptive suite its budget, the hardest."""
    if not suite.chosen_axis or suite.adaptive is None:
        return kinds
    left: dict[str, int] = {}
    places = {f"{suite.chosen_axis}:{rung}": place for place, rung in enumerate(suite.adaptive.rungs)}
    limited: dict[QuestionKind, int] = {}
    for language, cell in sorted(kinds, key=lambda kind: -max(places.get(axis, -1) for axis in kind[1].split(","))):
        name = find_shared(f"{language}/[{cell}]", suite.chosen_axis)
        many = min(kinds[language, cell], left.get(name, suite.adaptive.budget))
        left[name] = left.get(name, suite.adaptive.budget) - many
        limited[language, cell] = many
    return {kind: many for kind, many in limited.items() if many}


def count_by_model(items: Iterable[tuple[Path, str]], only_model: str) -> dict[tuple[Path, str], Counter[QuestionKind]]:
    """How many questions of each kind a suite file asks of each model.

    The ids do not name the model if there is only one.
    """
    split = ((path, nodeid.split("::")[1:]) for path, nodeid in items)
    return count_kinds(((path, within[0] if len(within) > 1 else only_model), within[-1]) for path, within in split)
