"""What a paper says of a run, so that somebody else can repeat it and check that it is the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date

from pytest_codereason.core.text.wording import count, plural
from pytest_codereason.engine.storage.seals import Seal
from pytest_codereason.results.runs.run_info import ModelInfo, RunInfo, SuiteInfo

#: Of what a suite has resolved: what a reader needs to ask the same, in the order in which it is printed.
_SHOWN = ("source", "stages", "fixed", "sampling", "samples", "templates", "seed")


def write_citation(run: RunInfo, seal: Seal | None) -> str:
    """Versions, models, suites and the seal of a run as lines of text, and BibTeX entries behind them."""
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    lines = [f"asked        {run.started[:10]} with {run.tool or f'pytest-codereason {run.codereason}'}"]
    lines += [f"versions     {versions}"] if versions else []
    lines += [f"sandbox      {run.sandbox}"]
    if run.partial_because:
        lines.append(f"partial      {run.partial_because}")
    if seal is not None:
        lines.append(f"seal         {seal.chain} over {plural(seal.count, 'record')}")
    for label, model in run.models.items():
        lines += ["", f"model {label}", *_list_pairs(_describe_model(model))]
    for name, suite in run.suites.items():
        lines += ["", f"suite {name}", *_list_pairs(_describe_suite(suite))]
    return "\n".join([*lines, "", *_write_bibtex(run, seal), ""])


def _describe_model(model: ModelInfo) -> dict[str, object]:
    return {**({"spec": model.spec} if model.spec else {}), **model.identity, **_rename_sampling(model.sampling)}


def _rename_sampling(sampling: Mapping[str, object]) -> dict[str, object]:
    return {"sampling": sampling} if sampling else {}


def _describe_suite(suite: SuiteInfo) -> dict[str, object]:
    version = "" if suite.task_version is None else f", version {suite.task_version}"
    resolved = {name: suite.resolved[name] for name in _SHOWN if suite.resolved.get(name)}
    return {"task": f"{suite.task}{version}", "plan": suite.plan, **resolved, "questions": count(suite.selected)}


def _list_pairs(values: Mapping[str, object]) -> Iterator[str]:
    for name, value in values.items():
        if value not in (None, "", {}, []):
            yield f"  {name:<10} {_spell(value)}"


def _spell(value: object) -> str:
    """A value of ``run.json`` as text: ``temperature 0.0, max_tokens 80``."""
    if isinstance(value, Mapping):
        return ", ".join(
            f"{name} {f'({_spell(each)})' if isinstance(each, Mapping) else _spell(each)}"
            for name, each in value.items()
            if each is not None
        )
    return ", ".join(map(_spell, value)) if isinstance(value, (list, tuple)) else str(value)


def _write_bibtex(run: RunInfo, seal: Seal | None) -> list[str]:
    """An entry for the tool and one for the run."""
    asked = _read_date(run.started)
    tool = [
        "@misc{pytest-codereason,",
        "  author  = {{The pytest-codereason developers}},",
        "  title   = {{pytest-codereason: does a language model understand code?}},",
        *([f"  version = {{{run.codereason}}},"] if run.codereason else []),
        *([f"  year    = {{{asked.year}}},"] if asked else []),
        "}",
    ]
    names = ", ".join(_clean(label) for label in run.models)
    plans = ", ".join(f"{_clean(name)} (plan {suite.plan})" for name, suite in run.suites.items())
    digest = f", seal {seal.chain[:16]}" if seal else ""
    measured = [
        f"@misc{{{_make_key(run)},",
        f"  key    = {{{_make_key(run)}}},",
        f"  title  = {{{{Answers of {names}}}}},",
        f"  note   = {{{plans}{digest}}},",
        *([f"  year   = {{{asked.year}}},", f"  month  = {{{asked.month}}},"] if asked else []),
        "}",
    ]
    return [*tool, "", *measured]


def _make_key(run: RunInfo) -> str:
    """The name of an entry: the first suite, the day and the time of it."""
    name = f"{next(iter(run.suites), 'run')}-{run.started[:19].replace(':', '')}"
    return re.sub(r"[^A-Za-z0-9-]+", "-", name).strip("-")


def _clean(text: str) -> str:
    """A name without what BibTeX or LaTeX reads as more than a letter."""
    return re.sub(r"[^A-Za-z0-9 .:/+-]", "-", text)


def _read_date(moment: str) -> date | None:
    try:
        return date.fromisoformat(moment[:10])
    except ValueError:
        return None
