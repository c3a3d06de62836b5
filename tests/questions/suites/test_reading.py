"""Suite files: what a way of prompting may have of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.core import Spec
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite

HEAD = 'task = "output-prediction"\nlanguages = ["python"]\n'
TAIL = '[source]\nname = "semtrace"\ncount = 2\n[matrix]\nprompting = ["direct", "cot"]\n'
SAMPLING = (
    "[sampling]\ntemperature = 0.2\nmax_tokens = 200\nsamples = 3\n[sampling.cot]\nmax_tokens = 2000\nsamples = 1\n"
)


def suite(tmp_path: Path, top: str = "", tail: str = TAIL, sampling: str = SAMPLING) -> Suite:
    path = tmp_path / "small.suite.toml"
    path.write_text(HEAD + top + tail + sampling)
    return load(path)


def ways(of: Suite) -> dict[str, Spec]:
    return {of.conditions.find_way(spec): spec for spec in of.specs()}


def test_each_way_of_prompting_has_its_own_settings(tmp_path: Path) -> None:
    crux = suite(tmp_path, "shots = {direct = 2, cot = 1}\n")
    specs = ways(crux)
    assert {way: crux.samples_for(spec) for way, spec in specs.items()} == {"direct": 3, "cot": 1}
    instances = {way: draft(crux, spec) for way, spec in specs.items()}
    assert {way: len(instance.shots) for way, instance in instances.items()} == {"direct": 2, "cot": 1}
    assert {way: crux.sampling_for(instance).max_tokens for way, instance in instances.items()} == {
        "direct": 200,
        "cot": 2000,
    }
    assert {crux.sampling_for(instance).temperature for instance in instances.values()} == {0.2}
    assert {spec.cell for spec in specs.values()} == {"prompting:direct", "prompting:cot"}  # no part of the ids
    assert crux.most_samples == 3
    assert [metric.name for metric in crux.metrics if metric.k] == ["pass@1", "pass^3"]


def test_a_way_that_is_not_named_keeps_the_default(tmp_path: Path) -> None:
    crux = suite(tmp_path, "shots = {cot = 1}\n", sampling="")
    assert {way: len(draft(crux, spec).shots) for way, spec in ways(crux).items()} == {"direct": 0, "cot": 1}
    assert crux.most_samples == 1


def test_samples_of_a_way_that_is_not_asked_give_no_metric(tmp_path: Path) -> None:
    tail = TAIL.replace('["direct", "cot"]', '["cot"]')
    assert all(metric.k is None for metric in suite(tmp_path, tail=tail).metrics)


def test_the_plan_covers_them(tmp_path: Path) -> None:
    plans = [
        suite(tmp_path, top, sampling=sampling).plan
        for top, sampling in [
            ("", ""),
            ("shots = {direct = 2, cot = 1}\n", ""),
            ("shots = {direct = 1, cot = 2}\n", ""),
            ("", "[sampling.cot]\nsamples = 2\n"),
            ("", "[sampling.direct]\nsamples = 2\n"),
        ]
    ]
    assert len(set(plans)) == len(plans)


@pytest.mark.parametrize(
    ("top", "sampling", "message"),
    [
        (
            "shots = {direct = 3}\n",
            "",
            r"small\.suite\.toml:3: 'shots' cannot be 3: it takes whole numbers from 0 to 2",
        ),
        ("shots = {loud = 1}\n", "", r"small\.suite\.toml:3: \[shots\.loud\] names no way of prompting"),
        ("prompting = {cot = 1}\n", "", r"small\.suite\.toml:3: 'prompting' is set twice"),
        ("distractors = {cot = 1}\n", "", r"small\.suite\.toml:3: 'distractors' cannot be"),
        ("", "[sampling.cot]\nsamples = 0\n", r"small\.suite\.toml:9: 'samples' must be a whole number"),
        ("", "[sampling]\nsamples = true\n", r"small\.suite\.toml:9: 'samples' must be a whole number"),
        ("", "[sampling.loud]\nsamples = 2\n", r"small\.suite\.toml:8: \[sampling\.loud\] names no way of prompting"),
    ],
)
def test_mistakes_name_their_line(tmp_path: Path, top: str, sampling: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        suite(tmp_path, top, sampling=sampling)


def test_a_file_that_is_not_there_is_looked_for_from_the_folder_of_the_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file lies in the current folder, and the suite in a folder below it."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "suites/mine.suite.toml"
    path.parent.mkdir()
    Path("mine.jsonl").write_text("{}")
    hint = "; 'path' counts from the folder of this suite file"
    for name, last in ("mine.jsonl", hint), ("../none.jsonl", hint), ("/none.jsonl", ""):
        path.write_text(f'task = "output-prediction"\n[source]\nname = "jsonl"\npath = "{name}"\n')
        with pytest.raises(UsageError, match=rf"toml:4: .*: cannot be read: No such file or directory{last}$"):
            load(path)


def test_no_limit_on_the_length_is_written_as_0(tmp_path: Path) -> None:
    crux = suite(tmp_path, sampling="[sampling]\nmax_tokens = 0\n")
    (direct, _) = ways(crux).values()
    assert crux.sampling_for(draft(crux, direct)).max_tokens is None
    assert crux.sampling_for(draft(crux, direct)).with_room(5_000).max_tokens is None
    with pytest.raises(UsageError, match="'max_tokens' must be a whole number, 0 for no limit, not -1"):
        suite(tmp_path, sampling="[sampling]\nmax_tokens = -1\n")


def test_a_rewriting_has_a_template_and_is_run(tmp_path: Path) -> None:
    plain, defended = suite(tmp_path), suite(tmp_path, 'defence = "refactor"\n')
    assert (plain.executes, defended.executes) == (False, True)
    assert plain.plan != defended.plan
    rewritings = [draft(crux, next(crux.specs())).rewriting for crux in (plain, defended)]
    assert rewritings[0] is None
    assert rewritings[1] is not None
    assert {m.name for m in defended.metrics} - {m.name for m in plain.metrics} == {
        "rewritten",
        "rewrite_kept",
        "exact_own",
    }
    with pytest.raises(UsageError, match="'defence' cannot be 'hope': it takes none, ignore-comments, refactor"):
        suite(tmp_path, 'defence = "hope"\n')


def test_a_folder_of_templates_may_have_its_own_way_of_asking_for_a_rewriting(tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    for way in ("direct", "cot"):
        (tmp_path / f"prompts/{way}.jinja").write_text("=== user ===\n{{ code }}\n")
    top = 'defence = "refactor"\ntemplate = "prompts"\n'
    shipped = suite(tmp_path, top)
    (tmp_path / "prompts/refactor.jinja").write_text("=== user ===\nTidy {{ function }}: {{ code }}\n")
    own = suite(tmp_path, top)
    templates = [draft(crux, next(crux.specs())).rewriting for crux in (shipped, own)]
    assert templates[0] is not None
    assert templates[1] is not None
    assert templates[0].sha != templates[1].sha
    assert shipped.plan != own.plan


def test_a_language_that_lacks_what_the_task_needs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mute.suite.toml"
    text = 'task = "output-prediction"\nlanguages = ["tests.toy:Toy"{}]\n[source]\nname = "tests.toy:MuteSource"\n'
    path.write_text(text.format(""))
    assert load(path).languages == ("tests.toy:Toy",)
    path.write_text(text.format(', "tests.toy:Mute"'))
    complaint = r"mute.suite.toml:2: the task output-prediction needs values, which the language tests.toy:Mute lacks"
    with pytest.raises(UsageError, match=complaint):
        load(path)
    path.write_text('task = "output-prediction"\n[source]\nname = "tests.toy:MuteSource"\n')
    with pytest.raises(UsageError, match=r"mute.suite.toml:1: the task output-prediction needs values"):
        load(path)


def test_a_metric_of_any_value_of_an_axis_is_there_where_the_axis_is(tmp_path: Path) -> None:
    path = tmp_path / "steps.suite.toml"
    for source, stops in (("horizon", True), ("ladder", False)):
        path.write_text(f'task = "output-prediction"\n[source]\nname = "{source}"\n')
        assert ("stopped_at" in {metric.name for metric in load(path).metrics}) == stops
