"""A picture is a paper's only under the paper's conditions."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.run_info import parse_run
from pytest_codereason.results.studies import find_departures
from tests.results.synthetic import make_run

RECALL, CRASH = "Sense and Sensitivity, figure 2", "CodeCrash, table 7"


def describe(source: str, **pools: Any) -> dict[str, Any]:
    """What a run says of a suite with this source, and with this pool of distractors."""
    return {"source": {"name": source}, "stages": [{"stage": "context", **pools}] if pools else []}


STUDY = describe("cruxeval", pool_python="code-search-net", pool_python_tokens=190)
INSTALLED = describe("cruxeval", pool_python="installed", pool_python_tokens=1096, pool_php="code-search-net")
CONTEXTS = {"distractors": [0, 20, 40, 60, 80], "position": list(range(0, 101, 10))}


def describe_crash(shots: int = 2, **sampling: Any) -> dict[str, Any]:
    """What a run says of a suite that asks as CodeCrash does, but for these settings of the direct question."""
    direct = {"temperature": 0.2, "top_p": 0.95, "max_tokens": 200, **sampling}
    cot = {"temperature": 0.2, "top_p": 0.95, "max_tokens": 2000}
    return {
        **describe("cruxeval"),
        "fixed": {"query": "after"},
        "prompted": {"direct": {"shots": shots}, "cot": {"shots": 1}},
        "sampling": {"direct": direct, "cot": cot},
    }


def find(
    picture: Picture,
    suites: list[dict[str, Any]],
    task: str = "output-prediction",
    own: dict[str, Any] | None = None,
    /,
    **axes: list[Any],
) -> tuple[str, ...]:
    """The departures in a whole run of suites with these resolved settings, which vary these axes.

    The first model has its ``own`` settings of sampling.
    """
    run = make_run(suites={f"s{i}": {"language": ["python", "php"], **axes} for i in range(len(suites))})
    for i, resolved in enumerate(suites):
        run["suites"][f"s{i}"] |= {"resolved": resolved, "instances": 600, "selected": 1200, "task": task}
    next(iter(run["models"].values()))["sampling"] = own or {}
    info = parse_run(run)
    return find_departures(picture, info.suites, info.models)


@pytest.mark.parametrize(
    ("after", "of", "suites", "departures"),
    [
        (RECALL, {}, [STUDY], ()),
        (RECALL, {}, [INSTALLED], ("on the pool installed, median 1,096 tokens",)),
        (RECALL, {"language": "php"}, [INSTALLED], ()),
        (RECALL, {"distractors": "0"}, [INSTALLED], ()),
        (RECALL, {"suite": "s0"}, [STUDY, INSTALLED], ()),
        (RECALL, {"suite": "s0, s1"}, [STUDY, INSTALLED], ("on the pool installed, median 1,096 tokens",)),
        (RECALL, {}, [describe("jsonl")], ("on programs of jsonl",)),
        (CRASH, {"language": "python"}, [describe("livecodebench")], ()),
        (CRASH, {}, [describe("livecodebench")], ("in php",)),
        (CRASH, {"language": "python"}, [describe("semtrace")], ("on programs of semtrace",)),
        (CRASH, {"language": "python"}, [STUDY], ("among distractors",)),
        ("a figure of my own", {}, [describe("jsonl")], ()),
    ],
)
def test_other_programs_and_distractors_are_said(
    after: str, of: dict[str, str], suites: list[dict[str, Any]], departures: tuple[str, ...]
) -> None:
    assert find(Picture(name="p", kind="p", title="p", after=after, of=of), suites) == departures


@pytest.mark.parametrize(
    ("axes", "departures"),
    [
        (CONTEXTS, ()),
        ({**CONTEXTS, "distractors": [0, 10, 80]}, ("among 10 distractors",)),
        ({**CONTEXTS, "position": [0, 50, 100]}, ("at 3 positions",)),
        ({"tokens": [4000], "position": CONTEXTS["position"]}, ("in contexts of other lengths",)),
        ({**CONTEXTS, "perturbation": ["vanilla", "rename"]}, ("at several values of perturbation",)),
    ],
)
def test_other_contexts_are_said(axes: dict[str, list[Any]], departures: tuple[str, ...]) -> None:
    assert find(Picture(name="p", kind="p", title="p", after=RECALL), [STUDY], **axes) == departures


@pytest.mark.parametrize(
    ("resolved", "prompting", "departures"),
    [
        (describe_crash(), "", ()),
        (describe_crash(shots=0), "", ("with shots = 0",)),
        (describe_crash(shots=0), "cot", ()),
        ({**describe_crash(), "fixed": {"query": "both"}}, "direct", ("with query = both",)),
        ({**describe_crash(), "fixed": {"examples": "perturbed"}}, "cot", ("with examples = perturbed",)),
        ({**describe_crash(), "template": "default"}, "direct", ("with template = default",)),
        ({**describe_crash(), "template": "cruxeval"}, "direct", ()),
        (describe_crash(temperature=0.0, top_p=None), "direct", ("with temperature = 0.0", "without top_p")),
        (describe_crash(max_tokens=80), "", ("with max_tokens = 80",)),
        ({**describe_crash(shots=0), "prompted": {}, "fixed": {"shots": 2}}, "direct", ()),
        ({**describe_crash(), "source": {"name": "cruxeval", "count": 100}}, "", ("on 100 programs",)),
        ({**describe_crash(), "source": {"name": "cruxeval", "count": 0}}, "", ()),
    ],
)
def test_other_settings_are_said(resolved: dict[str, Any], prompting: str, departures: tuple[str, ...]) -> None:
    of = {"language": "python", "prompting": prompting}
    picture = Picture(name="p", kind="p", title="p", after=CRASH, of=of)
    assert find(picture, [resolved], prompting=["direct", "cot"]) == departures


def test_a_part_of_the_questions_is_said() -> None:
    run = make_run(suites={"s0": {"language": ["python"]}})
    run["suites"]["s0"] |= {"resolved": STUDY, "instances": 600, "selected": 1199}
    picture = Picture(name="p", kind="p", title="p", after=RECALL)
    assert find_departures(picture, parse_run(run).suites) == ("on 1,199 of 1,200 questions",)


IN_PYTHON = Picture(name="p", kind="p", title="p", after=CRASH, of={"language": "python"})


@pytest.mark.parametrize(
    ("task", "perturbations", "departures"),
    [
        ("output-prediction", ["vanilla", "psc-all", "hint", "comments(density=0.3)", "prints"], ()),
        ("output-prediction", ["vanilla", "comments(strength=3)"], ("with comments(strength=3)",)),
        ("output-prediction", ["vanilla", "rename+hint"], ("with rename+hint",)),
        ("output-prediction", ["vanilla", "mine:Own", "hint"], ("with mine:Own",)),
        ("input-prediction", ["vanilla", "hint"], ("with hints at inputs in other words",)),
        ("input-prediction", ["vanilla", "comments"], ()),
    ],
)
def test_perturbations_that_the_study_does_not_ask_are_said(
    task: str, perturbations: list[str], departures: tuple[str, ...]
) -> None:
    assert find(IN_PYTHON, [describe_crash()], task, perturbation=perturbations) == departures
    fixed = {**describe_crash(), "fixed": {"perturbation": perturbations[1]}}
    alone = tuple(departure for departure in departures if "mine" not in departure or perturbations[1] in departure)
    assert find(IN_PYTHON, [fixed], task) == alone


def test_one_perturbation_of_all_programs_is_said() -> None:
    picture = Picture(name="p", kind="p", title="p", after=RECALL)
    assert find(picture, [{**STUDY, "fixed": {"perturbation": "rename"}}]) == ("with rename",)
    assert find(picture, [{**STUDY, "fixed": {"perturbation": "vanilla"}}]) == ()


@pytest.mark.parametrize(("versions", "departures"), [(4096, ()), (50, ("with at most 50 versions of a program",))])
def test_a_sample_of_the_incomplete_programs_is_said(versions: int, departures: tuple[str, ...]) -> None:
    resolved = {**describe("cruxeval"), "stages": [{"stage": "ablation", "version": 1, "versions": versions}]}
    picture = Picture(name="p", kind="p", title="p", after="Sense and Sensitivity, equation 1, figure 3")
    assert find(picture, [resolved]) == departures


@pytest.mark.parametrize(
    ("own", "departures"),
    [
        ({"temperature": 0.2}, ()),
        ({"temperature": 1.0}, ("with temperature = 1.0 for ",)),
        ({"reasoning_effort": "high"}, ()),
        ({"max_tokens": 16_000}, ("with max_tokens = 16000 for ",)),
    ],
)
def test_settings_of_one_model_are_said(own: dict[str, Any], departures: tuple[str, ...]) -> None:
    there = find(IN_PYTHON, [describe_crash()], "output-prediction", own, prompting=["direct", "cot"])
    assert len(there) == len(departures)
    assert all(map(str.startswith, there, departures))


def test_an_effort_is_no_setting_of_the_first_study() -> None:
    picture = Picture(name="p", kind="p", title="p", after=RECALL)
    (only,) = find(picture, [STUDY], "output-prediction", {"reasoning_effort": "high"})
    assert only.startswith("with reasoning_effort = high for ")


@pytest.mark.parametrize(
    ("after", "source", "programs", "departures"),
    [
        ("CodeCrash, table 1", "livecodebench", 479, ()),
        ("CodeCrash, table 1", "livecodebench", 12, ("on 12 programs",)),
        ("CodeCrash, table 7", "livecodebench", 12, ()),
        ("CodeCrash, table 1", "cruxeval", 799, ("on 799 programs",)),
        (RECALL, "cruxeval-x", 743, ()),
    ],
)
def test_a_data_set_that_is_not_whole_is_said(
    after: str, source: str, programs: int, departures: tuple[str, ...]
) -> None:
    resolved = {**describe(source), "programs": {"python": programs}}
    picture = Picture(name="p", kind="p", title="p", after=after, of={"language": "python"})
    assert find(picture, [resolved]) == departures


@pytest.mark.parametrize(
    ("task", "limit", "departures"),
    [
        ("output-prediction", None, ()),
        ("output-prediction", 200, ("with max_tokens = 200",)),
        ("input-prediction", None, ("on input-prediction",)),
    ],
)
@pytest.mark.parametrize("after", ["CodeCrash, table 4", "CodeCrash, figure 3"])
def test_the_figures_on_reasoning_are_of_outputs_without_a_limit(
    after: str, task: str, limit: int | None, departures: tuple[str, ...]
) -> None:
    picture = Picture(name="p", kind="p", title="p", after=after, of={"language": "python", "prompting": "direct"})
    assert find(picture, [describe_crash(max_tokens=limit)], task, prompting=["direct", "cot"]) == departures
