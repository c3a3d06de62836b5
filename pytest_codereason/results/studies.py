"""Says how a picture of a run departs from the figure of a study that it repeats: other programs, other distractors.

Example: the study hides 800 programs among functions of CodeSearchNet. A run of 100 programs among functions of
installed code repeats the figure, but its numbers are not the paper's: ``on 100 programs and on the pool installed,
median 96 tokens``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_codereason.core import EMPTY
from pytest_codereason.results.axes import LENGTHS, PERTURBATION, POSITION, UNCHANGED
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.run_info import ModelInfo, SuiteInfo
from pytest_codereason.text.wording import count, plural

DISTRACTORS = "distractors"
#: The table about the programs that two languages have in common.
COMMON = "CodeCrash, table 7"
#: The table and the figure about models that reason.
REASONING = ("CodeCrash, table 4", "CodeCrash, figure 3")


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """The conditions of a paper's figures."""

    title: str  #: how :attr:`Picture.after` begins
    programs: Mapping[str, int]  #: by source: how many programs it has
    languages: frozenset[str]
    axes: frozenset[str]  #: what it varies, besides the context
    asked: Mapping[str, Mapping[str, Sequence[Any]]]  #: by way of prompting: the values that a setting may have
    pool: str = ""  #: where its distractors come from; empty if its programs stand alone
    contexts: Mapping[str, Sequence[Any]] = field(default_factory=dict)  #: the values of its axes of context
    perturbations: str = ""  #: a pattern of the perturbations that it asks; empty if it asks none
    versions: int = 0  #: the most versions of a program with lines removed; 0 if it removes no lines


#: How CodeCrash asks (appendix D) and samples.
_CRASH_FORM: Mapping[str, Sequence[Any]] = {
    "template": ["cruxeval"],
    "query": ["after"],
    "examples": ["plain"],
    "temperature": [0.2],
    "top_p": [0.95],
}

STUDIES = (
    Study(
        title="Sense and Sensitivity",
        programs={"semtrace": 800, "cruxeval": 800, "cruxeval-x": 800},
        languages=frozenset({"python", "javascript", "php"}),
        axes=frozenset({"language", "digits", "removed"}),
        asked={"direct": {"shots": [0], "temperature": [0]}},
        pool="code-search-net",
        versions=4096,  # as many as any of its programs has
        contexts={DISTRACTORS: [0, 20, 40, 60, 80], POSITION: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]},
    ),
    Study(
        title="CodeCrash",
        programs={"cruxeval": 800, "livecodebench": 479},
        languages=frozenset({"python", "javascript"}),
        axes=frozenset({"language", "perturbation", "prompting", "defence", "reasoning_effort"}),
        asked={  # models that reason have no limit
            "direct": {"shots": [2], **_CRASH_FORM, "max_tokens": [200, None]},
            "cot": {"shots": [1], **_CRASH_FORM, "max_tokens": [2000, None]},
        },
        perturbations=r"(rename|conditions|dead-code|psc-all|hint|(comments|prints)(\(density=[\d.]+\))?)",
    ),
    Study(
        title="TraceEval",
        programs={},  # its own set, which a user may have, but no source knows
        languages=frozenset({"python", "javascript", "java"}),
        axes=frozenset({"language"}),
        asked={"direct": {"temperature": [0]}},
    ),
)


def find_departures(
    picture: Picture, suites: Mapping[str, SuiteInfo], models: Mapping[str, ModelInfo] = EMPTY
) -> tuple[str, ...]:
    """In what the picture departs from its study: ``("on programs of jsonl",)``; empty if in nothing.

    ``models`` has the models of the run by label, whose own settings of sampling replace those of the suites.

    A picture without ``suite``, ``language`` or ``prompting`` in ``of`` is about all of them. One whose ``of`` has
    ``distractors`` 0 shows programs that stand alone, whatever the suite asks besides.
    """
    study = next((study for study in STUDIES if picture.after.startswith(study.title)), None)
    if study is None:
        return ()
    named = picture.of.get("suite", "").split(", ")
    about = [suite for name, suite in suites.items() if name in named] or list(suites.values())
    departures = [departure for suite in about for departure in _list_departures(study, suite, picture)]
    for suite in about:
        departures += _judge_models(study, suite, models, picture.of.get("prompting"))
    return tuple(dict.fromkeys(departures))


def _list_departures(study: Study, suite: SuiteInfo, picture: Picture) -> Iterator[str]:
    of = picture.of
    languages = [of["language"]] if of.get("language") else list(map(str, suite.axes["language"]))
    yield from (f"in {language}" for language in languages if language not in study.languages)
    yield from _judge_programs(study, suite)
    if picture.after != COMMON:
        yield from _judge_size(study, suite, languages)
    if picture.after in REASONING:
        yield from _judge_reasoning(suite, of.get("prompting"))
    yield from _judge_settings(study, suite, of.get("prompting"))
    yield from _judge_perturbations(study, suite)
    yield from _judge_versions(study, suite)
    for axis in suite.varying_axes(list(suite.axes)):
        if axis not in study.axes and axis not in (POSITION, *LENGTHS):
            yield f"at several values of {axis}"
    if of.get(DISTRACTORS) != "0":
        yield from _judge_context(study, suite, languages)


def _judge_programs(study: Study, suite: SuiteInfo) -> Iterator[str]:
    source = suite.resolved.get("source", {})
    name, number = source.get("name", ""), source.get("count", 0)
    if name and name not in study.programs:
        yield f"on programs of {name}"
    elif number and number != study.programs.get(name, number):
        yield f"on {plural(number, 'program')}"
    if suite.selected < suite.whole:
        yield f"on {count(suite.selected)} of {count(suite.whole)} questions"


def _judge_size(study: Study, suite: SuiteInfo, languages: Iterable[str]) -> Iterator[str]:
    """Whether the data set is whole: its file may be cut off, or a suite may ask about programs of two languages."""
    name = suite.resolved.get("source", {}).get("name", "")
    if name == "cruxeval-x":  # no language of it has all programs
        return
    for language in languages:
        number = suite.resolved.get("programs", {}).get(language, 0)
        if 0 < number < study.programs.get(name, 0):
            yield f"on {plural(number, 'program')}"


def _judge_reasoning(suite: SuiteInfo, only: str | None) -> Iterator[str]:
    """What the study asks of models that reason: outputs, without a limit on tokens."""
    if suite.task != "output-prediction":
        yield f"on {suite.task}"
    sampling = suite.resolved.get("sampling", {})
    for way in _list_ways(suite, only):
        limit = sampling.get(way, sampling.get("default", {})).get("max_tokens")
        if limit is not None:
            yield f"with max_tokens = {limit}"


def _judge_settings(study: Study, suite: SuiteInfo, only: str | None) -> Iterator[str]:
    """Shots, form and sampling, way by way. A run from before these were recorded says nothing of them."""
    resolved = suite.resolved
    fixed, prompted, sampling = (resolved.get(key, {}) for key in ("fixed", "prompted", "sampling"))
    for way in _list_ways(suite, only):
        axes = {**fixed, **prompted.get(way, {})} if "prompted" in resolved else {}
        form = {"template": resolved["template"]} if "template" in resolved else {}
        chosen = {**axes, **form, **sampling.get(way, sampling.get("default", {}))}
        for key, allowed in study.asked.get(way, {}).items():
            value = chosen.get(key, allowed[0])
            if value not in allowed:
                yield f"without {key}" if value is None else f"with {key} = {value}"


def _list_ways(suite: SuiteInfo, only: str | None) -> list[str]:
    """The ways of prompting that a picture is about."""
    fixed = suite.resolved.get("fixed", {})
    return [only] if only else list(map(str, suite.axes.get("prompting", (fixed.get("prompting", ""),))))


def _judge_models(study: Study, suite: SuiteInfo, models: Mapping[str, ModelInfo], only: str | None) -> Iterator[str]:
    """The settings of sampling that a user has given one model."""
    for label, model in models.items():
        for key, value in model.sampling.items():
            allowed = [study.asked.get(way, {}).get(key) for way in _list_ways(suite, only)]
            judged = [values for values in allowed if values is not None]
            own = key == "reasoning_effort" and key not in study.axes
            if own or any(value not in values for values in judged):
                yield f"with {key} = {value} for {label}"


def _judge_perturbations(study: Study, suite: SuiteInfo) -> Iterator[str]:
    """Perturbations that the study does not ask; and hints at inputs, whose words are not the study's."""
    fixed = suite.resolved.get("fixed", {}).get(PERTURBATION)
    asked = [str(value) for value in suite.axes.get(PERTURBATION, (fixed,)) if value not in (None, "", *UNCHANGED)]
    if study.perturbations:
        yield from (f"with {value}" for value in asked if not re.fullmatch(study.perturbations, value))
    elif asked and PERTURBATION not in suite.axes:  # an axis is named with its values
        yield f"with {asked[0]}"
    if study.perturbations and suite.task == "input-prediction" and any("hint" in value for value in asked):
        yield "with hints at inputs in other words"


def _judge_versions(study: Study, suite: SuiteInfo) -> Iterator[str]:
    for stage in suite.resolved.get("stages", ()):
        versions = stage.get("versions")
        if stage.get("stage") == "ablation" and isinstance(versions, int) and versions < study.versions:
            yield f"with at most {plural(versions, 'version')} of a program"


def _judge_context(study: Study, suite: SuiteInfo, languages: Iterable[str]) -> Iterator[str]:
    for stage in suite.resolved.get("stages", ()):
        for language in languages:
            if pool := stage.get(f"pool_{language}"):
                yield from _judge_pool(study, pool, stage.get(f"pool_{language}_tokens"))
    if not study.pool:
        return
    if any(suite.axes.get("tokens", ())):
        yield "in contexts of other lengths"
    if others := [value for value in suite.axes.get(DISTRACTORS, ()) if value not in study.contexts[DISTRACTORS]]:
        yield f"among {' or '.join(map(str, others))} distractors"
    if (positions := suite.axes.get(POSITION)) and list(positions) != study.contexts[POSITION]:
        yield f"at {plural(len(positions), 'position')}"


def _judge_pool(study: Study, pool: str, tokens: Any) -> Iterator[str]:
    if not study.pool:
        yield "among distractors"
    elif pool != study.pool:
        yield f"on the pool {pool}" + (f", median {count(tokens)} tokens" if isinstance(tokens, int) else "")
