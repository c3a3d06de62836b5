"""A picture is a paper's only under the paper's conditions."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.results.figures.defences import Defences
from pytest_codereason.results.figures.reasoning import Reasoning
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.runs.run_data import Written
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.studies.studies import find_departures
from tests.results.figures.rows import data, record, run
from tests.results.synthetic import make_row, make_run

RECALL, COPIES = "Sense and Sensitivity, figures 2b and 5b", "Sense and Sensitivity, figures 2a and 5a"
CRASH, COMMON = "CodeCrash, section 3", "CodeCrash, table 7"
CONTEXTS: dict[str, Any] = {"distractors": [0, 20, 40, 60, 80], "position": list(range(0, 101, 10))}
PYTHON = {"language": "python"}


def describe(source: str, **pools: Any) -> dict[str, Any]:
    """What a run says of a suite with this source, and with this pool of distractors."""
    return {"source": {"name": source}, "stages": [{"stage": "context", **pools}] if pools else []}


STUDY = describe("cruxeval", pool_python="code-search-net", pool_python_tokens=190)
INSTALLED = describe("cruxeval", pool_python="installed", pool_python_tokens=1096, pool_php="code-search-net")


def describe_recall(**changes: Any) -> dict[str, Any]:
    """What a run says of a suite that asks as Sense and Sensitivity does, but for these settings."""
    sampling = {"temperature": 0.0, "top_p": None, "max_tokens": 400, "reasoning_effort": None}
    fixed = {"query": "both", "prompting": "direct", "shots": 0, "defence": "none", "tokens": 0}
    return {
        **STUDY,
        "programs": {"python": 800},
        "fixed": fixed | {key: changes[key] for key in ("query", "shots", "defence", "layout") if key in changes},
        "prompted": {},
        "sampling": {"default": {key: changes.get(key, value) for key, value in sampling.items()}},
        "samples": {"default": changes.get("samples", 1)},
        "template": changes.get("template", "default"),
        "prefill": changes.get("prefill", True),
    }


def describe_crash(shots: int = 2, source: str = "cruxeval", **sampling: Any) -> dict[str, Any]:
    """What a run says of a suite that asks as CodeCrash does, but for these settings of the direct question."""
    direct = {"temperature": 0.2, "top_p": 0.95, "max_tokens": 200, **sampling}
    cot = {"temperature": 0.2, "top_p": 0.95, "max_tokens": 2000}
    return {
        **describe(source),
        "fixed": {"query": "after"},
        "prompted": {"direct": {"shots": shots}, "cot": {"shots": 1}},
        "sampling": {"direct": direct, "cot": cot},
    }


def find(
    after: str,
    suites: list[dict[str, Any]],
    /,
    *,
    of: dict[str, str] | None = None,
    task: str = "output-prediction",
    model: dict[str, Any] | None = None,
    languages: tuple[str, ...] = ("python", "php"),
    **axes: Any,
) -> tuple[str, ...]:
    """The departures of a picture of a whole run of suites with these resolved settings, which vary these axes.

    The run has one model, ``m``, described by ``model``.
    """
    run = make_run(suites={f"s{i}": {"language": [*languages], **axes} for i in range(len(suites))}, models=["m"])
    for i, resolved in enumerate(suites):
        run["suites"][f"s{i}"] |= {"resolved": resolved, "instances": 600, "selected": 600, "task": task}
    run["models"]["m"] |= model or {}
    info = parse_run(run)
    picture = Picture(name="p", kind="p", title="p", after=after, of=of or {})
    return find_departures(picture, info.suites, info.models)


@pytest.mark.parametrize(
    ("after", "of", "suites", "departures"),
    [
        (RECALL, {}, [STUDY], ()),
        (RECALL, {}, [INSTALLED], ("on the pool installed, median 1,096 tokens",)),
        (RECALL, {"language": "php"}, [INSTALLED], ()),
        ("Sense and Sensitivity, tables 1 and 2", {}, [INSTALLED], ()),
        (RECALL, {"suite": "s0"}, [STUDY, INSTALLED], ()),
        (RECALL, {"suite": "s0, s1"}, [STUDY, INSTALLED], ("on the pool installed, median 1,096 tokens",)),
        (RECALL, {}, [describe("jsonl")], ("on programs of jsonl",)),
        (CRASH, PYTHON, [describe("livecodebench")], ()),
        (CRASH, {}, [describe("livecodebench")], ("in php",)),
        (CRASH, PYTHON, [describe("semtrace")], ("on programs of semtrace",)),
        (CRASH, PYTHON, [STUDY], ("among distractors",)),
        (COMMON, PYTHON, [describe("cruxeval")], ("on programs of cruxeval",)),
        ("TraceEval, table 3", PYTHON, [describe("corpus")], ("on programs of corpus",)),
        ("Haroon et al., table II", {}, [describe("corpus")], ("in php", "on programs of corpus")),
        ("Haroon et al., table II", PYTHON, [describe("code-instructions")], ()),
        ("a figure of my own", {}, [describe("jsonl")], ()),
    ],
)
def test_other_programs_and_distractors_are_said(
    after: str, of: dict[str, str], suites: list[dict[str, Any]], departures: tuple[str, ...]
) -> None:
    assert find(after, suites, of=of) == departures


@pytest.mark.parametrize(("tokens", "is_said"), [(149, True), (150, False), (200, False), (250, False), (251, True)])
def test_a_pool_of_the_right_name_has_functions_of_the_right_length(tokens: int, is_said: bool) -> None:
    suite = describe("cruxeval", pool_python="code-search-net", pool_python_tokens=tokens)
    said = (f"on a pool of {tokens} tokens a function instead of about 200",)
    assert find(RECALL, [suite]) == (said if is_said else ())


@pytest.mark.parametrize(
    ("axes", "departures"),
    [
        (CONTEXTS, ()),
        ({**CONTEXTS, "distractors": [20, 40, 60, 80]}, ()),
        ({**CONTEXTS, "distractors": [0, 20]}, ("distractors 0, 20 instead of 20 to 80",)),
        ({**CONTEXTS, "distractors": [0, 10, 80]}, ("distractors 0, 10, 80 instead of 20 to 80",)),
        ({**CONTEXTS, "position": [0, 50, 100]}, ("at 3 positions instead of 11",)),
        ({**CONTEXTS, "position": list(range(11))}, ("at 11 other positions",)),
        ({"tokens": [4000], "position": CONTEXTS["position"]}, ("in contexts of other lengths",)),
        ({**CONTEXTS, "perturbation": ["vanilla", "rename"]}, ("at several values of perturbation",)),
        ({**CONTEXTS, "defence": ["none", "refactor"]}, ("at several values of defence",)),
    ],
)
def test_other_contexts_are_said(axes: dict[str, Any], departures: tuple[str, ...]) -> None:
    assert find(RECALL, [STUDY], **axes) == departures


@pytest.mark.parametrize(
    ("digits", "distractors", "departures"),
    [
        ([2, 3, 4, 5, 6], [80], ()),
        ([2, 6], [80], ("digits 2, 6 instead of 2 to 6",)),
        ([2, 3, 4, 5, 6], [0, 80], ()),
        ([2, 3, 4, 5, 6], [20, 80], ("distractors 20, 80 instead of 80",)),
    ],
)
def test_the_figure_on_digits_has_lengths_of_its_own(
    digits: list[int], distractors: list[int], departures: tuple[str, ...]
) -> None:
    axes: dict[str, Any] = {**CONTEXTS, "digits": digits, "distractors": distractors}
    resolved = {**STUDY, "source": {"name": "semtrace"}}
    for place in ("figure 4", "section 5.3"):
        assert find(f"Sense and Sensitivity, {place}", [resolved], languages=("python",), **axes) == departures


@pytest.mark.parametrize(
    ("changes", "departures"),
    [
        ({}, ()),
        ({"query": "after"}, ("with query = after instead of both",)),
        ({"layout": "numbers"}, ("with layout = numbers instead of plain",)),
        ({"defence": "ignore-comments"}, ("with defence = ignore-comments instead of none",)),
        ({"prefill": False}, ("without a prefill",)),
        ({"shots": 2}, ("with shots = 2 instead of 0",)),
        ({"samples": 5}, ("with samples = 5 instead of 1",)),
        ({"temperature": 0.7}, ("with temperature = 0.7 instead of 0",)),
        ({"top_p": 0.1}, ("with top_p = 0.1",)),
        ({"max_tokens": 5}, ("with max_tokens = 5 instead of at least 100",)),
        ({"max_tokens": None}, ()),
        ({"reasoning_effort": "low"}, ("with reasoning_effort = low",)),
        ({"template": "cruxeval"}, ("with template = cruxeval instead of default",)),
    ],
)
def test_another_way_to_ask_among_distractors_is_said(changes: dict[str, Any], departures: tuple[str, ...]) -> None:
    assert find(RECALL, [describe_recall(**changes)], languages=("python",), **CONTEXTS) == departures


def test_only_lexical_recall_numbers_its_lines_with_keys() -> None:
    keys, plain = describe_recall(layout="keys"), describe_recall()
    for after in (COPIES, "Sense and Sensitivity, section 5"):
        assert find(after, [keys], task="function-retrieval", languages=("python",)) == ()
    assert find(RECALL, [keys], languages=("python",)) == ("with layout = keys instead of plain",)
    assert find(RECALL, [plain], languages=("python",)) == ()


@pytest.mark.parametrize(
    ("resolved", "prompting", "departures"),
    [
        (describe_crash(), "", ()),
        (describe_crash(shots=0), "", ("with shots = 0 instead of 2",)),
        (describe_crash(shots=0), "cot", ()),
        ({**describe_crash(), "fixed": {"query": "both"}}, "direct", ("with query = both instead of after",)),
        ({**describe_crash(), "fixed": {"examples": "changed"}}, "cot", ("with examples = changed instead of plain",)),
        ({**describe_crash(), "template": "default"}, "direct", ("with template = default instead of cruxeval",)),
        ({**describe_crash(), "template": "cruxeval"}, "direct", ()),
        (
            describe_crash(temperature=0.0, top_p=None),
            "direct",
            ("with temperature = 0.0 instead of 0.2", "without top_p"),
        ),
        (describe_crash(max_tokens=80), "", ("with max_tokens = 80 instead of 200",)),
        (describe_crash(max_tokens=None), "", ("without max_tokens",)),
        ({**describe_crash(shots=0), "prompted": {}, "fixed": {"shots": 2}}, "direct", ()),
        ({**describe_crash(), "samples": {"default": 1, "direct": 3, "cot": 1}}, "", ()),
        ({**describe_crash(), "samples": {"default": 1}}, "", ("with samples = 1 instead of 3",)),
        ({**describe_crash(), "samples": {"default": 3}}, "cot", ("with samples = 3 instead of 1",)),
        ({**describe_crash(), "source": {"name": "cruxeval", "count": 100}}, "", ("on 100 of 800 programs",)),
        ({**describe_crash(), "source": {"name": "cruxeval", "count": 0}}, "", ()),
    ],
)
def test_other_settings_are_said(resolved: dict[str, Any], prompting: str, departures: tuple[str, ...]) -> None:
    of = {**PYTHON, "prompting": prompting}
    assert find(CRASH, [resolved], of=of, prompting=["direct", "cot"]) == departures


def test_a_part_of_the_questions_is_said() -> None:
    run = make_run(suites={"s0": {"language": ["python"]}})
    run["suites"]["s0"] |= {"resolved": STUDY, "instances": 600, "selected": 1199}
    picture = Picture(name="p", kind="p", title="p", after=RECALL)
    assert find_departures(picture, parse_run(run).suites) == ("on 1,199 of 1,200 questions",)


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
    assert find(CRASH, [describe_crash()], of=PYTHON, task=task, perturbation=perturbations) == departures
    fixed = {**describe_crash(), "fixed": {"perturbation": perturbations[1]}}
    alone = tuple(departure for departure in departures if "mine" not in departure or perturbations[1] in departure)
    assert find(CRASH, [fixed], of=PYTHON, task=task) == alone


@pytest.mark.parametrize(
    ("place", "perturbations", "departures"),
    [
        ("tables 1 and 2", ["vanilla", "psc-all", "comments", "prints", "hint"], ()),
        ("tables 1, 2 and 10", ["vanilla", "rename", "comments", "hint"], ("with 3 of 7 perturbations",)),
        ("tables 2 and 15", ["vanilla", "rename", "psc-all", "comments", "prints", "hint"], ()),
        ("table 4", ["vanilla", "hint"], ("with 1 of 4 perturbations",)),
    ],
)
def test_a_table_without_some_of_its_columns_is_said(
    place: str, perturbations: list[str], departures: tuple[str, ...]
) -> None:
    assert find(f"CodeCrash, {place}", [describe("cruxeval")], of=PYTHON, perturbation=perturbations) == departures


def test_one_perturbation_of_all_programs_is_said() -> None:
    assert find(RECALL, [{**STUDY, "fixed": {"perturbation": "rename"}}]) == ("with rename",)
    assert find(RECALL, [{**STUDY, "fixed": {"perturbation": "vanilla"}}]) == ()


@pytest.mark.parametrize(("versions", "departures"), [(4096, ()), (50, ("with at most 50 versions of a program",))])
def test_a_sample_of_the_incomplete_programs_is_said(versions: int, departures: tuple[str, ...]) -> None:
    resolved = {**describe("cruxeval"), "stages": [{"stage": "ablation", "version": 1, "versions": versions}]}
    assert find("Sense and Sensitivity, equation 1, figure 3", [resolved], of=PYTHON) == departures


@pytest.mark.parametrize(
    ("model", "departures"),
    [
        ({"sampling": {"temperature": 0.2}}, ()),
        ({"sampling": {"temperature": 1.0}}, ("with temperature = 1.0 instead of 0.2 for m",)),
        ({"sampling": {"reasoning_effort": "high"}}, ()),
        ({"sampling": {"max_tokens": 16_000}}, ("with max_tokens = 16,000 instead of 200 or 2,000 for m",)),
        ({"identity": {"omit": ["temperature"]}}, ("temperature not sent to m",)),
        ({"identity": {"omit": ["stop"], "body": {"seed": 3}, "prefill": "never"}}, ()),
        ({"identity": {"body": {"max_tokens": 7}}}, ("with max_tokens = 7 instead of 200 or 2,000 for m",)),
        ({"identity": {"body": {"max_completion_tokens": 200}}}, ("with max_tokens = 200 instead of 2,000 for m",)),
        ({"identity": {"omit": ["top_p"], "body": {"top_p": 0.95}}}, ()),
        ({"identity": {"body": {"top_p": None}}}, ("top_p not sent to m",)),
    ],
)
def test_settings_of_one_model_are_said(model: dict[str, Any], departures: tuple[str, ...]) -> None:
    assert find(CRASH, [describe_crash()], of=PYTHON, model=model, prompting=["direct", "cot"]) == departures


@pytest.mark.parametrize(
    ("model", "departures"),
    [
        ({"sampling": {"reasoning_effort": "high"}}, ("with reasoning_effort = high for m",)),
        ({"identity": {"omit": ["temperature", "top_p"]}}, ("temperature not sent to m",)),
        ({"identity": {"prefill": "never"}}, ("without a prefill for m",)),
        ({"identity": {"prefill": "auto"}}, ()),
    ],
)
def test_settings_that_the_first_study_does_not_have_are_said(
    model: dict[str, Any], departures: tuple[str, ...]
) -> None:
    assert find(RECALL, [describe_recall()], languages=("python",), model=model, **CONTEXTS) == departures


def test_an_axis_comes_before_a_setting_of_a_model() -> None:
    model = {"sampling": {"temperature": 1.0}}
    assert find(CRASH, [describe_crash()], of=PYTHON, model=model, temperature=[0.2], prompting=["direct"]) == ()


@pytest.mark.parametrize(
    ("after", "source", "programs", "departures"),
    [
        (CRASH, "livecodebench", 479, ()),
        (CRASH, "livecodebench", 12, ("on 12 of 479 programs",)),
        (COMMON, "livecodebench", 5, ("on 5 of 479 programs",)),
        (CRASH, "cruxeval", 799, ("on 799 of 800 programs",)),
        ("CodeCrash, table 5", "livecodebench", 479, ("on programs of livecodebench", "on output-prediction")),
        (RECALL, "cruxeval-x", 800, ()),
        (RECALL, "cruxeval-x", 743, ("on 743 of 800 programs",)),
        (RECALL, "semtrace", 1600, ("on 1,600 programs instead of 800",)),
    ],
)
def test_a_data_set_that_is_not_whole_is_said(
    after: str, source: str, programs: int, departures: tuple[str, ...]
) -> None:
    assert find(after, [{**describe(source), "programs": {"python": programs}}], of=PYTHON) == departures


def test_a_translated_data_set_is_whole_with_the_programs_that_can_be_read() -> None:
    resolved = {**describe("cruxeval-x"), "programs": {"javascript": 743, "php": 745}}
    assert find(RECALL, [resolved], languages=("javascript", "php")) == ()


@pytest.mark.parametrize(
    ("task", "limit", "departures"),
    [
        ("output-prediction", None, ()),
        ("output-prediction", 200, ("with max_tokens = 200 instead of no limit",)),
        ("input-prediction", None, ("on input-prediction",)),
    ],
)
@pytest.mark.parametrize("place", ["table 4", "figure 3"])
def test_the_figures_on_reasoning_are_of_outputs_without_a_limit(
    place: str, task: str, limit: int | None, departures: tuple[str, ...]
) -> None:
    of, suite = {**PYTHON, "prompting": "direct"}, describe_crash(max_tokens=limit)
    assert find(f"CodeCrash, {place}", [suite], of=of, task=task, prompting=["direct", "cot"]) == departures


def test_only_models_that_reason_have_no_limit_where_density_varies() -> None:
    for prefill, limit, departures in (
        (True, 200, ()),
        (False, None, ()),
        (True, None, ("without max_tokens",)),
        (False, 200, ("with max_tokens = 200 instead of no limit",)),
    ):
        suite = {**describe_crash(max_tokens=limit), "prefill": prefill}
        assert find("CodeCrash, table 6", [suite], of={**PYTHON, "prompting": "direct"}) == departures


def test_a_run_that_says_nothing_departs_in_nothing() -> None:
    for after in (RECALL, CRASH, COMMON, "CodeCrash, table 4", "TraceEval, table 3", "Haroon et al., table II"):
        assert find(after, [{}], of=PYTHON, task="output-prediction", model={"identity": {}}) == ()


DIRECT = {**PYTHON, "prompting": "direct"}
WITHOUT = "without a prefill"


@pytest.mark.parametrize(
    ("changes", "departures"),
    [
        ({}, ()),
        ({"prefilled": {"default": True}}, ()),
        ({"prefilled": {"default": False}}, (WITHOUT,)),
        ({"prefilled": {"direct": False}, "template": "mine"}, (WITHOUT, "with template = mine instead of default")),
        ({"prefill": False}, (WITHOUT,)),
        # A run of an earlier version does not know what its own template does.
        ({"template": "mine"}, ("with template = mine instead of default",)),
    ],
)
def test_a_prefill_is_what_the_template_has(changes: dict[str, Any], departures: tuple[str, ...]) -> None:
    suite = describe_recall() | changes
    assert set(find(RECALL, [suite], of=DIRECT)) == set(departures)


@pytest.mark.parametrize(
    ("resolved", "is_said"),
    [
        ({"template": "cruxeval", "prefill": True}, False),
        ({"template": "cruxeval", "prefill": True, "prefilled": {"direct": False, "cot": False}}, False),
        ({"template": "default", "prefill": True, "prefilled": {"direct": True, "cot": False}}, True),
    ],
)
def test_a_template_without_prefill_is_not_called_prefilled(resolved: dict[str, Any], is_said: bool) -> None:
    for place in (CRASH, "CodeCrash, table 4"):
        said = find(place, [describe_crash() | resolved], of=DIRECT, prompting=["direct", "cot"])
        assert ("with a prefill" in said) is is_said, place
    assert "with a prefill" not in find(CRASH, [describe_crash() | resolved], of={**PYTHON, "prompting": "cot"})


def find_written(after: str, task: str, *written: Written, perturbation: str) -> tuple[str, ...]:
    run = make_run(suites={"s": {"language": ["python"], "perturbation": ["none", perturbation]}}, models=["m"])
    run["suites"]["s"] |= {"resolved": {"fixed": {}}, "task": task}
    picture = Picture(name="p", kind="p", title="p", after=after, of={"suite": "s"})
    return find_departures(picture, parse_run(run).suites, writers={"s": written})


@pytest.mark.parametrize(
    ("author", "departures"),
    [("openai:writer", ()), ("m", ()), ("rule", ("with hints written by the rule instead of a model",))],
)
def test_who_wrote_hints_is_said(author: str, departures: tuple[str, ...]) -> None:
    written = Written("hint", author, "m"), Written("names", "rule", "m")
    assert find_written(CRASH, "output-prediction", *written, perturbation="hint") == departures
    assert find_written("a figure of my own", "output-prediction", *written, perturbation="hint") == ()


@pytest.mark.parametrize(
    ("kind", "author", "departures"),
    [
        ("names", "m", ()),
        ("names", "rule", ("with names written by the rule instead of the model under test",)),
        ("dead-code", "openai:w", ("with dead code written by openai:w instead of the model under test",)),
        ("fault", "rule", ()),
    ],
)
def test_who_wrote_the_texts_of_mutations_is_said(kind: str, author: str, departures: tuple[str, ...]) -> None:
    written, value = Written(kind, author, "m"), "misleading-names(place=random)"
    for place in ("section V", "section V-A", "section V-B", "figure 6", "figure 8", "figure 10"):
        assert find_written(f"Haroon et al., {place}", "fault-robustness", written, perturbation=value) == departures
    assert find_written("Haroon et al., table II", "fault-robustness", written, perturbation=value) == ()


WHOLE = "with changes in the whole file instead of a random quarter of it"


@pytest.mark.parametrize(
    ("values", "departures"),
    [
        (["dead-code(place=random)", "misleading-names(place=random)+dead-code(strength=2,place=random)"], ()),
        ([f"dead-code(place={quarter})" for quarter in (1, 2, 3, 4)], ()),
        (["dead-code(strength=2)"], (WHOLE,)),
        (["dead-code(place=random)+misleading-names"], (WHOLE,)),
        (["dead-code(place=2)"], ("with changes in quarter 2 alone instead of a random one",)),
        (["comments(place=random)"], ("with comments",)),
        (["function-order(place=random)"], ("with function-order in python",)),
    ],
)
def test_where_and_how_programs_are_mutated_is_said(values: list[str], departures: tuple[str, ...]) -> None:
    mutated = find(
        "Haroon et al., section V-A", [{}], task="fault-robustness", languages=("python",), perturbation=values
    )
    assert mutated == departures
    first = find("Haroon et al., table II", [{}], task="fault-robustness", languages=("python",), perturbation=values)
    assert first == (), "this table is about programs before any mutation"
    java = find("Haroon et al., section V-A", [{}], task="fault-robustness", languages=("java",), perturbation=values)
    assert java == tuple(text for text in departures if "python" not in text)


@pytest.mark.parametrize(
    ("after", "task", "cue"),
    [
        ("TraceEval, table 3", "call-graph", "untaken-branches"),
        (CRASH, "output-prediction", "code-only"),
        ("Haroon et al., table II", "fault-localization", "code-only"),
    ],
)
def test_a_cue_in_the_prompt_is_said(after: str, task: str, cue: str) -> None:
    said = f"with defence = {cue} instead of none"
    for fixed, departures in (({"defence": cue}, (said,)), ({"defence": "none"}, ()), ({}, ())):
        assert find(after, [{"fixed": fixed, "prompted": {}}], of=PYTHON, task=task) == departures


def test_a_language_that_was_not_asked_about_is_no_departure() -> None:
    """``--eval-limit`` may leave programs of one language, while the suite lists four."""
    run = make_run(suites={"s": {"language": ["python", "javascript", "php"]}}, models=["m"])
    run["suites"]["s"] |= {"task": "fault-localization", "resolved": {"fixed": {}}}
    picture = Picture(name="p", kind="p", title="p", after="Haroon et al., table II", of={"suite": "s"})
    rows = [
        make_row(id=language, family=language, suite="s", model="m", language=language, outcome=outcome)
        for language, outcome in (("python", "wrong"), ("javascript", "error"), ("php", "skipped"))
    ]
    drawn = data(rows, run)
    asked = {"s": drawn.list_languages("s")}
    assert asked == {"s": ["python", "javascript"]}
    assert "in php" in find_departures(picture, drawn.suites)
    named = find_departures(picture, drawn.suites, languages=asked)
    assert "in javascript" in named
    assert "in php" not in named


def test_a_picture_of_one_way_is_not_compared_with_the_other() -> None:
    """Tokens and defences of direct questions: what is asked with chain of thought is not theirs."""
    axes = {"perturbation": ["vanilla", "comments"], "prompting": ["direct", "cot"], "defence": ["none", "refactor"]}
    cells: list[dict[str, Any]] = [
        {"perturbation": change, "prompting": way, "defence": defence}
        for change in axes["perturbation"] for way in axes["prompting"] for defence in axes["defence"]
    ]  # fmt: skip
    rows = [
        record("s", "m", program, cell, True)
        | {"usage": {"reasoning": 9}, "trace": {"characters": 9.0, "confusion.0": 1.0}}
        for cell in cells
        for program in range(3)
    ]
    of = run({"s": ("output-prediction", axes)}, ["m"])
    of["suites"]["s"]["resolved"] = describe_crash() | {"samples": {"direct": 3, "cot": 9}}
    drawn = data(rows, of)
    shown = [picture for figure in (Reasoning(), Defences()) for picture in figure.pictures(drawn)]
    for way, wrong in (("direct", "9"), ("cot", "3")):
        pictures = [picture for picture in shown if f"-{way}-" in picture.name]
        assert {picture.kind for picture in pictures} >= {"tokens", "doubt", "defences"}
        for picture in pictures:
            departures = " ".join(find_departures(picture, drawn.suites))
            assert f"samples = {wrong}" not in departures
            assert (f"prompting = {'cot' if way == 'direct' else 'direct'} " in departures) is False


def test_the_writers_of_a_run_are_read_from_its_records_without_those_of_baselines() -> None:
    rows = [
        record("s", model, program, {"perturbation": "hint"}, True) | {"texts_by": {"hint": author}}
        for model, author in (("m", "rule"), ("baseline:truth", "openai:w"))
        for program in range(2)
    ]
    of = run({"s": ("output-prediction", {"perturbation": ["hint"]})}, ["m", "baseline:truth"])
    of["models"]["baseline:truth"] = {"identity": {"baseline": "truth"}}
    assert data(rows, of).list_writers("s") == [Written("hint", "rule", "m")]
