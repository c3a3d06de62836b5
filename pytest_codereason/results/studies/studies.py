"""Says how a picture of a run departs from the figure of a study that it repeats: other programs, other distractors.

Example: the study hides 800 programs among functions of CodeSearchNet. A run of 100 programs among functions of
installed code repeats the figure, but its numbers are not the paper's: ``on 100 of 800 programs and on the pool
installed, median 96 tokens``.

What a study fixes stands in :mod:`~pytest_codereason.results.studies.study_facts`. What ``run.json`` does not say is
unknown and no departure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_codereason.core import EMPTY
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.records.axes import LENGTHS, PERTURBATION, POSITION, UNCHANGED
from pytest_codereason.results.runs.run_info import ModelInfo, SuiteInfo
from pytest_codereason.results.studies.study_conditions import Departure, PoolFound, ProgramsFound
from pytest_codereason.results.studies.study_facts import select_facts
from pytest_codereason.results.studies.study_places import may_reason

#: What a run has, by the key of the fact that judges it.
Conditions = Mapping[str, tuple[Any, ...]]

#: Axes whose values a study lists. Of other axes with several values only the name is said.
_SWEPT = ("defence", "digits")
#: Fields of a request that a model may set with ``body.NAME``, and the settings that they replace.
_FIELDS = {
    **{name: name for name in ("temperature", "top_p", "max_tokens", "reasoning_effort")},
    "max_completion_tokens": "max_tokens",
}


def find_departures(
    picture: Picture,
    suites: Mapping[str, SuiteInfo],
    models: Mapping[str, ModelInfo] = EMPTY,
    writers: Mapping[str, Sequence[Any]] = EMPTY,
    languages: Mapping[str, Sequence[str]] = EMPTY,
) -> tuple[str, ...]:
    """In what the picture departs from its study: ``("on programs of jsonl",)``; empty if in nothing.

    ``models`` has the models of the run by label, whose own settings replace those of the suites. ``writers`` has who
    wrote the texts of each suite, see :meth:`~pytest_codereason.results.runs.run_data.RunData.list_writers`.
    ``languages`` has those that each suite asked about; of a suite that is missing there, all its languages count.

    A picture without ``suite``, ``language`` or ``prompting`` in ``of`` is about all of them.
    """
    of = picture.of
    named = of.get("suite", "").split(", ")
    named_ones = {name: suite for name, suite in suites.items() if name in named} or suites
    about = list(named_ones.values())
    found: list[Departure] = []
    for name, suite in named_ones.items():
        asked = languages.get(name) or list(map(str, suite.axes["language"]))
        spoken = [of["language"]] if of.get("language") else asked
        for way in _list_ways(suite, of.get("prompting")):
            conditions = [_read_conditions(suite, each, way, writers.get(name, ())) for each in spoken]
            found += _compare(picture.after, suite, way, conditions)
    for suite in about:
        for way in _list_ways(suite, of.get("prompting")):
            found += _compare_models(picture.after, suite, way, models)
    return _word(found)


def _compare(after: str, suite: SuiteInfo, way: str, conditions: Iterable[Conditions]) -> Iterator[Departure]:
    """What is not as the study has it, in the order of its facts."""
    facts, several = select_facts(after, suite.task, way, reasons=may_reason(suite)), list(conditions)
    varying = {axis for each in several for axis in each["axes"]}
    for key, fact in facts.items():
        if key in varying and any(facts["axes"].judge("axes", (key,))):
            continue  # the name of the axis is said
        for values in dict.fromkeys(each[key] for each in several if key in each):
            yield from fact.judge(key, values)


def _compare_models(after: str, suite: SuiteInfo, way: str, models: Mapping[str, ModelInfo]) -> Iterator[Departure]:
    """The settings that one model gets otherwise than the suite has them."""
    facts = select_facts(after, suite.task, way, reasons=may_reason(suite))
    asked = _read_settings(suite, way)
    for label, model in models.items():
        for key, value in _read_sent(model, asked, suite).items():
            for departure in facts[key].judge(key, (value,)) if key in facts else ():
                if value is None:
                    yield Departure(f"{key} not sent to {label}")
                else:
                    yield departure._replace(model=label)


def _word(departures: Iterable[Departure]) -> tuple[str, ...]:
    """One phrase for each: ``with max_tokens = 7 instead of 200 or 2,000 for MODEL``."""
    wanted: dict[tuple[str, str], dict[str, None]] = {}
    for departure in departures:
        wanted.setdefault((departure.text, departure.model), {})[departure.wanted] = None
    return tuple(
        " ".join(
            [
                text,
                *([f"instead of {' or '.join(filter(None, values))}"] if any(values) else []),
                *([f"for {model}"] if model else []),
            ]
        )
        for (text, model), values in wanted.items()
    )


# --- what a run has ------------------------------------------------------------------------------


def _list_ways(suite: SuiteInfo, only: str | None) -> list[str]:
    """The ways of prompting that a picture is about."""
    fixed = suite.resolved.get("fixed", {})
    return [only] if only else list(map(str, suite.axes.get("prompting", (fixed.get("prompting", ""),))))


def _read_conditions(suite: SuiteInfo, language: str, way: str, writers: Sequence[Any]) -> Conditions:
    """All that facts are about, of one language and one way of prompting."""
    varying = [axis for axis in suite.varying_axes(list(suite.axes)) if axis not in (POSITION, *LENGTHS)]
    conditions: dict[str, tuple[Any, ...]] = {
        **{key: (value,) for key, value in _read_settings(suite, way).items()},
        **{axis: tuple(values) for axis, values in suite.axes.items() if axis not in varying},
        **{axis: tuple(suite.axes[axis]) for axis in varying if axis in _SWEPT},
        **_read_source(suite, language),
        **_read_stages(suite, language),
        **_read_perturbations(suite, language),
        "axes": tuple(varying),
        "language": (language,),
        "questions": ((suite.selected, suite.whole),),
        "task": (suite.task,),
        "writers": tuple(writers),
    }
    if way:
        conditions["prompting"] = (way,)
    if any(conditions.get("tokens", ())):
        conditions.pop("distractors", None)
    return conditions


def _read_settings(suite: SuiteInfo, way: str) -> dict[str, object]:
    """The settings of the questions that have one value. A run from before they were recorded lacks them."""
    resolved = suite.resolved
    sampling, samples = resolved.get("sampling", {}), resolved.get("samples", {})
    settings: dict[str, object] = {
        **{key: resolved[key] for key in ("template",) if key in resolved},
        **_read_prefill(resolved, way),
        **sampling.get(way, sampling.get("default", {})),
        **_read_fixed(suite, way),
    }
    if isinstance(samples, Mapping) and (many := samples.get(way, samples.get("default"))) is not None:
        settings["samples"] = many
    settings |= {axis: values[0] for axis, values in suite.axes.items() if len(values) == 1}
    for axis in (*suite.varying_axes(list(suite.axes)), "prompting", "language", PERTURBATION):
        settings.pop(axis, None)
    return settings


def _read_prefill(resolved: Mapping[str, Any], way: str) -> dict[str, bool]:
    """Whether prompts begin the reply: if the suite allows it and the template does.

    Runs of earlier versions say what the suite allows, and do not know what a template of another name does.
    """
    prefilled = resolved.get("prefilled")
    if isinstance(prefilled, Mapping) and {way, "default"} & prefilled.keys():
        return {"prefill": bool(prefilled.get(way, prefilled.get("default")))}
    if "prefill" not in resolved or (resolved["prefill"] and resolved.get("template") != "default"):
        return {}
    return {"prefill": bool(resolved["prefill"])}


def _read_fixed(suite: SuiteInfo, way: str) -> dict[str, object]:
    """The axes with one value, in one way of prompting."""
    resolved = suite.resolved
    return {**resolved.get("fixed", {}), **resolved["prompted"].get(way, {})} if "prompted" in resolved else {}


def _read_source(suite: SuiteInfo, language: str) -> dict[str, tuple[Any, ...]]:
    source = suite.resolved.get("source", {})
    if not source.get("name"):
        return {}
    number = suite.resolved.get("programs", {}).get(language) or source.get("count") or None
    found: dict[str, tuple[Any, ...]] = {"programs": (ProgramsFound(source["name"], language, number),)}
    if "digits" in source and "digits" not in suite.axes:
        found["digits"] = (source["digits"],)
    return found


def _read_stages(suite: SuiteInfo, language: str) -> dict[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for stage in suite.resolved.get("stages", ()):
        if pool := stage.get(f"pool_{language}"):
            found["pool"] = (PoolFound(pool, stage.get(f"pool_{language}_tokens")),)
        if stage.get("stage") == "ablation" and isinstance(stage.get("versions"), int):
            found["versions"] = (stage["versions"],)
    return found


def _read_perturbations(suite: SuiteInfo, language: str) -> dict[str, tuple[Any, ...]]:
    """The perturbations, in which language functions change their order, and how hints at inputs are worded."""
    fixed = suite.resolved.get("fixed", {}).get(PERTURBATION)
    asked = tuple(str(value) for value in suite.axes.get(PERTURBATION, (fixed,)) if value not in (None, "", *UNCHANGED))
    hinted = suite.task == "input-prediction" and any("hint" in value for value in asked)
    ordered = any("function-order" in value for value in asked)
    return {
        PERTURBATION: asked,
        **({"order": (language,)} if ordered else {}),
        **({"hints": ("at inputs in other words",)} if hinted else {}),
    }


def _read_sent(model: ModelInfo, asked: Mapping[str, Any], suite: SuiteInfo) -> dict[str, object]:
    """The settings that a model gets otherwise than the suite asks, as they are sent; ``None`` is not sent."""
    identity = model.identity
    fixed = {*suite.axes, *suite.resolved.get("fixed", {})}  # an axis comes before a setting of the model
    omitted, body = identity.get("omit") or (), identity.get("body") or {}
    sent = {
        **{key: value for key, value in model.sampling.items() if key not in fixed},
        **dict.fromkeys(omitted),
        **{_FIELDS[name]: value for name, value in body.items() if name in _FIELDS},
        **({"prefill": False} if identity.get("prefill") == "never" else {}),
    }
    return {key: value for key, value in sent.items() if key not in asked or asked[key] != value}
