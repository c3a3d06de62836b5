"""What a user sees of a run: outcomes, letters, exit codes, the run folder."""

from __future__ import annotations

import json

import pytest

from pytest_codereason.cli import main
from tests.servers import Server
from tests.session.conftest import Project


def test_a_perfect_model_has_no_miss(project: Project) -> None:
    project.suite()
    result = project.run("--model=baseline:truth")
    assert result.ret == 0
    result.assert_outcomes(passed=8)
    result.stdout.fnmatch_lines(["codereason: baseline:truth*", "*small 8 questions*", "report: reports/*report.html"])


def test_misses_do_not_fail_the_session(project: Project) -> None:
    project.suite()
    result = project.run("--model=baseline:chance")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*mmmmmmmm*", "*8 missed*"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_misses_fail_a_strict_session(project: Project) -> None:
    project.suite()
    assert project.run("--model=baseline:chance", "--eval-strict").ret == 1
    assert project.run("--model=baseline:truth", "--eval-strict").ret == 0


def test_a_miss_is_one_line(project: Project) -> None:
    project.suite(count=1, languages=("php",))
    result = project.run("--model=baseline:chance", "-v")
    (line,) = [line for line in result.outlines if "MISS" in line]
    assert "small.suite.toml::php/0000[prompting:direct]" in line
    assert "expected [" in line
    assert "got [" in line


def test_the_run_folder_holds_one_row_a_sample(project: Project) -> None:
    project.suite(count=3, more="\n[sampling]\nsamples = 2\n")
    project.run("--model=baseline:truth", "--eval-report=out")
    rows = project.records("out")
    assert len(rows) == 3 * 2 * 2
    assert {(row["outcome"], row["suite"], row["task"]) for row in rows} == {("correct", "small", "output-prediction")}
    assert len({(row["id"], row["sample"]) for row in rows}) == len(rows)
    run = project.run_json("out")
    assert run["complete"]
    assert run["suites"]["small"]["instances"] == 6
    summary = json.loads((project.path / "out/summary.json").read_text())
    measured = summary["suites"]["small"]["models"]["baseline:truth"]["metrics"]["exact"]
    assert (measured["value"], measured["n"]) == (1.0, 12)
    for name in ("report.html", "summary.md"):
        assert "1.000" in (project.path / "out" / name).read_text()


def test_latest_points_at_the_newest_run(project: Project) -> None:
    project.suite()
    project.run("--model=baseline:truth")
    assert (project.path / "reports/latest/report.html").is_file()


def test_several_models_stand_between_suite_and_question(project: Project) -> None:
    project.suite(count=1)
    result = project.run("--model=baseline:truth", "--model=baseline:chance", "-v")
    result.stdout.fnmatch_lines(
        ["small.suite.toml::baseline:truth::python/0000* PASSED*", "small.suite.toml::baseline:chance::php/0000* MISS*"]
    )
    assert {row["model"] for row in project.records()} == {"baseline:truth", "baseline:chance"}


def test_without_a_model_a_suite_is_skipped_and_says_so(project: Project) -> None:
    project.suite()
    result = project.run("-rs")
    assert result.ret == 0
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*no model: give --model=PROVIDER:NAME*"])
    assert not (project.path / "reports").exists()


def test_the_ini_file_can_name_the_model(project: Project) -> None:
    project.suite(count=1)
    project.pytester.makeini("[pytest]\ncodereason_model =\n    baseline:truth\ncodereason_report = elsewhere\n")
    project.run().assert_outcomes(passed=2)
    assert (project.path / "elsewhere/records.jsonl").is_file()


@pytest.mark.slow
def test_records_are_the_same_with_workers(project: Project) -> None:
    project.suite(count=6)
    project.run("--model=baseline:chance", "--eval-report=one")
    result = project.run("--model=baseline:chance", "--eval-report=two", "-n", "2")
    assert result.ret == 0

    def known(folder: str) -> list[str]:
        return sorted(json.dumps(row | {"latency_s": 0}, sort_keys=True) for row in project.records(folder))

    assert known("one") == known("two")
    assert project.run_json("two")["complete"]


def test_a_limit_asks_a_part_and_says_so(project: Project) -> None:
    project.suite(count=10, prompting=("direct", "cot"))
    result = project.run("--model=baseline:truth", "--eval-limit=8")
    result.assert_outcomes(passed=8)
    result.stdout.fnmatch_lines(["*small 8 questions (a part)*"])
    assert {(r["language"], r["axes"]["prompting"]) for r in project.records()} == {
        (language, prompting) for language in ("python", "php") for prompting in ("direct", "cot")
    }
    assert project.run_json()["selection"] == "8 of 40 questions"


def test_a_limit_may_be_a_share(project: Project) -> None:
    project.suite(count=10)
    project.run("--model=baseline:truth", "--eval-limit=1/4")
    assert project.run_json()["selection"] == "4 of 20 questions", "two programs in both languages; a third is too much"


def test_shards_add_up(project: Project) -> None:
    project.suite(count=5)
    ids = []
    for part in ("1/2", "2/2"):
        project.run("--model=baseline:truth", f"--eval-shard={part}", f"--eval-report=part-{part[0]}")
        ids += [row["id"] for row in project.records(f"part-{part[0]}")]
    assert len(ids) == len(set(ids)) == 10


def test_another_seed_asks_about_other_programs(project: Project) -> None:
    project.suite()
    shas = []
    for seed in ("1", "2", "1"):
        project.run("--model=baseline:truth", f"--eval-seed={seed}", f"--eval-report=seed{seed}")
        shas.append({row["program_sha"] for row in project.records(f"seed{seed}")})
    assert shas[0] == shas[2]
    assert not shas[0] & shas[1]


def test_a_dry_run_counts_and_asks_nothing(project: Project) -> None:
    project.suite()
    prices = ("--model-arg=price_in=1", "--model-arg=price_out=2")
    result = project.run("--model=openai:gpt-x", "--eval-dry-run", *prices)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["small on openai:gpt-x", "*questions * 8", "*requests * 8", "*cost *at most about $0.*", "nothing was asked*"]
    )
    assert not (project.path / "reports").exists()


@pytest.mark.parametrize("gate", ["small.exact >= 0.5", "small.exact[language=php] >= 50%", "small.partial > 0.1"])
def test_a_gate_that_holds_lets_the_session_pass(project: Project, gate: str) -> None:
    project.suite()
    result = project.run("--model=baseline:truth", f"--eval-gate={gate}", "--eval-claim=suite")
    assert result.ret == 0


def test_a_gate_that_fails_fails_the_session(project: Project) -> None:
    project.suite()
    result = project.run("--model=baseline:chance", "--eval-gate=small.exact >= 0.9", "--eval-gate=small.exact >= 0")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAIL*small.exact*", "*fails >= 0.9*", "PASS*small.exact*", "*passes >= 0;*"])


def test_a_gate_on_a_part_passes_only_if_allowed(project: Project) -> None:
    project.suite()
    args = ("--model=baseline:truth", "--eval-gate=small.exact >= 0.4", "-k", "php")
    result = project.run(*args)
    assert result.ret == 10
    result.stdout.fnmatch_lines(
        ["UNMEASURED  small.exact*", "*PARTIAL: 4 of 8 questions asked; --eval-allow-partial *"]
    )
    assert project.run(*args, "--eval-allow-partial").ret == 0


def test_a_selection_of_all_that_a_gate_is_about_is_no_part(project: Project) -> None:
    project.suite()
    result = project.run("--model=baseline:truth", "--eval-gate=small.exact[language=php] >= 0.4", "-k", "php")
    assert result.ret == 0
    assert (
        project.run("--model=baseline:truth", "--eval-gate=small.exact[language=php] >= 0.4", "-k", "python").ret == 10
    )


def test_an_ordinary_failure_still_fails_the_session(project: Project) -> None:
    project.suite()
    project.pytester.makepyfile(test_it="def test_it(): assert False")
    assert project.run("--model=baseline:chance").ret == 1


def test_a_program_that_cannot_be_built_is_an_error_and_not_a_miss(project: Project) -> None:
    project.suite(count=2, languages=("python",), more="shots = 1\n")
    project.pytester.makepyfile(
        broken="""
        from pytest_codereason.programs.sources.semtrace import SemTrace
        class Broken(SemTrace):
            def program(self, language, name, axes):
                if name.endswith("1"):
                    raise RuntimeError("no such program")
                return super().program(language, name, axes)
        """
    )
    project.pytester.syspathinsert()
    path = project.path / "small.suite.toml"
    path.write_text(path.read_text().replace('"semtrace"', '"broken:Broken"'))
    result = project.run("--model=baseline:truth")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*RuntimeError: no such program*", "*1 passed, 1 unanswered*"])
    assert [row["outcome"] for row in project.records()] == ["correct", "error"]


def test_suites_outside_the_root_folder_keep_their_names(project: Project) -> None:
    """As in the recipes for CI, which copy shipped suites into a folder of the runner."""
    for name in ("small", "other"):
        project.suite(name)
    root = project.path / "checkout"
    root.mkdir()
    result = project.run(
        "--model=baseline:truth", "--collect-only", "-q", "small.suite.toml", "other.suite.toml", f"--rootdir={root}"
    )
    assert result.ret == 0
    ids = [line for line in result.outlines if "::" in line]
    assert len(set(ids)) == len(ids) == 16
    assert {each.partition("::")[0] for each in ids} == {"../small.suite.toml", "../other.suite.toml"}
    first = "other.suite.toml::python/0000[prompting:direct]"
    project.run("--model=baseline:chance", "small.suite.toml", first, f"--rootdir={root}")
    again = project.run("--model=baseline:chance", "--lf", "small.suite.toml", "other.suite.toml", f"--rootdir={root}")
    again.stdout.fnmatch_lines(["*9 missed*"])


def test_nothing_is_written_where_collection_is_all(project: Project) -> None:
    project.suite()
    result = project.run("--model=openai:gpt-x", "--collect-only", "-q")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["small.suite.toml::python/0000[[]prompting:direct[]]"])
    assert not (project.path / "reports").exists()


def test_a_gate_without_a_question_does_not_pass(project: Project) -> None:
    project.suite()
    project.pytester.makepyfile(test_it="def test_it(): pass")
    gate = "--eval-gate=small.exact >= 0.5"
    assert project.run("--model=baseline:truth", gate, "-k", "test_it").ret == 4
    assert project.run("--model=baseline:truth", gate, "test_it.py").ret == 4
    assert project.run(gate).ret == 4, "and none without a model"


def test_marked_misses_do_not_hide_a_real_failure(project: Project) -> None:
    project.suite(count=2)
    project.pytester.makeconftest(
        """
        import pytest
        def pytest_collection_modifyitems(items):
            for item in items:
                if ".suite.toml" in item.nodeid:
                    item.add_marker(pytest.mark.xfail)
        """
    )
    assert project.run("--model=baseline:chance").ret == 0
    project.pytester.makepyfile(test_it="def test_it(): assert False")
    result = project.run("--model=baseline:chance")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*1 failed, 4 xfailed*"])


@pytest.mark.parametrize(
    "conftest",
    [
        "def pytest_collection_modifyitems(items): items[0].add_marker(pytest.mark.skip(reason='not this one'))",
        "def pytest_runtest_setup(item): 'python/0000' in item.nodeid and pytest.skip('not this one')",
    ],
    ids=["mark", "hook"],
)
def test_a_skipped_question_is_recorded_as_such(project: Project, conftest: str) -> None:
    project.suite(count=2)
    project.pytester.makeconftest(f"import pytest\n{conftest}")
    result = project.run("--model=baseline:truth")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*3 passed, 1 skipped*"])
    assert [(r["id"][:11], r["reason"]) for r in project.records() if r["outcome"] == "skipped"] == [
        ("python/0000", "not this one")
    ]


def test_a_selection_leaves_an_unfinished_run_open(project: Project) -> None:
    project.suite(count=2)
    project.run("--model=baseline:truth", "--eval-report=out")
    result = project.run("--model=baseline:chance", "-k", "php", "--keep-duplicates")
    assert result.ret == 0
    assert project.run_json()["selection"] == "2 of 4 questions"


def test_two_runs_in_one_second_have_two_folders(project: Project) -> None:
    project.suite(count=1)
    for _ in range(3):
        project.run("--model=baseline:truth")
    assert len([p for p in (project.path / "reports").iterdir() if p.name != "latest"]) == 3


def test_a_folder_of_another_run_is_not_overwritten(project: Project) -> None:
    project.suite(count=1)
    assert project.run("--model=baseline:truth", "--eval-report=out").ret == 0
    before = (project.path / "out/records.jsonl").read_bytes()
    for more in ((), ("--eval-seed=99",)):
        result = project.run("--model=baseline:truth", "--eval-report=out", *more)
        assert result.ret == 4
        result.stderr.fnmatch_lines(["ERROR: --eval-report *out: the folder holds another run*name a new folder*"])
    assert project.run("--model=baseline:chance", "--eval-report=out").ret == 4
    assert (project.path / "out/records.jsonl").read_bytes() == before


def test_a_mistake_in_a_template_is_found_before_anything_is_asked(project: Project) -> None:
    (project.path / "prompts").mkdir()
    (project.path / "prompts/direct.jinja").write_text("=== user ===\n{{ nosuch }}\n")
    path = project.suite(count=1)
    path.write_text('template = "prompts"\n' + path.read_text())
    result = project.run("--model=baseline:truth")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: *direct.jinja*nosuch*"])


def test_a_report_made_again_judges_the_gates_of_its_run(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.suite()
    result = project.run("--model=baseline:chance", "--eval-gate=small.exact >= 0.9")
    assert result.ret == 1, "eight wrong answers are enough"
    assert main(["report", str(project.path / "reports/latest")]) == 1
    assert "small.exact" in capsys.readouterr().out.rpartition("codereason =")[2]
    assert main(["report", str(project.path / "reports/latest"), "--gate", "small.exact >= 0"]) == 0


@pytest.mark.slow
def test_a_folder_of_suites_asks_those_whose_data_are_here(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEREASON_DATA", raising=False)
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")  # nothing can be fetched
    project.suite(count=1)
    for name in ("absent", "away"):
        text = 'task = "output-prediction"\n[source]\nname = "cruxeval"\n'
        (project.path / f"{name}.suite.toml").write_text(text)
    result = project.run("--model=baseline:truth", "--eval-gate=away.exact >= 0.5")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: *the suite 'away' is left out: cruxeval.jsonl is not here*"])
    result = project.run("--model=baseline:truth")
    assert result.ret == 0
    result.assert_outcomes(passed=2, skipped=2)
    result.stdout.fnmatch_lines(
        [
            "codereason: left out: 2 suites (absent, away): cruxeval.jsonl is not here*",
            "LEFT OUT  2 suites (absent, away)*",
        ]
    )
    assert set(project.run_json()["left_out"]) == {"absent.suite.toml", "away.suite.toml"}
    folder = project.path / "reports/latest"
    for file in ("summary.md", "report.html", "summary.json"):
        assert "cruxeval.jsonl is not here" in (folder / file).read_text()
    for more in (["--eval-strict"], ["absent.suite.toml", "small.suite.toml"], ["absent.suite.toml"]):
        result = project.run("--model=baseline:truth", *more)
        assert result.ret == 4
        result.stderr.fnmatch_lines(["*absent.suite.toml:*cruxeval.jsonl is not here*"])


def check_programs(project: Project) -> None:
    """A suite of one program that returns what is recorded, and of two that do not; one of these alone in PHP."""
    rows = [
        {"id": "right", "language": "python", "code": "def f(n):\n    return n", "call": "f(1)", "output": "1"},
        {"id": "wrong", "language": "python", "code": "def f(n):\n    return n", "call": "f(1)", "output": "2"},
        {"id": "wrong", "language": "php", "code": "<?php function f() { return 1; }", "call": "f()", "output": "2"},
    ]
    (project.path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = 'task = "output-prediction"\n[source]\nname = "jsonl"\npath = "mine.jsonl"\ncheck = true\n'
    (project.path / "mine.suite.toml").write_text(text)


def test_skipped_questions_are_counted_by_reason(project: Project) -> None:
    check_programs(project)
    result = project.run("--model=baseline:truth", "-k", "python")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["mine, baseline:truth: 1 skipped: 1 × the recorded output is wrong: *"])
    assert "nothing was asked" not in result.stdout.str()


@pytest.mark.slow
def test_a_language_of_which_nothing_was_asked_fails_a_strict_run(project: Project) -> None:
    check_programs(project)
    for more, code in ((), 0), (("--eval-strict",), 1):
        result = project.run("--model=baseline:truth", *more)
        assert result.ret == code
        result.stdout.fnmatch_lines(["nothing was asked: mine in php of baseline:truth"])


@pytest.mark.slow
def test_a_run_says_its_size_and_highest_cost_before_it_starts(project: Project) -> None:
    project.suite(count=3)
    with Server() as server:
        where = ("--model=openai:scripted", f"--model-url={server.url}")
        result = project.run(*where, "--model-arg=price_in=1", "--model-arg=price_out=2")
        line = "codereason: openai:scripted: 6 requests, about *, at most 1,200 reply tokens, cost at most about $0.*"
        result.stdout.fnmatch_lines([line, "small.suite.toml *"])
        line = "codereason: openai:scripted: 6 requests, *, cost unknown (give *"
        project.run(*where, "--model=baseline:truth").stdout.fnmatch_lines([line])
        assert project.run_json()["spent"] is None
    assert "requests, about" not in project.run("--model=baseline:truth").stdout.str()


def test_a_dry_run_adds_up_its_suites(project: Project) -> None:
    project.suite("one", count=2)
    project.suite("two", count=3)
    result = project.run("--model=baseline:truth", "--eval-dry-run")
    counts = [("one on *", 4), ("two on *", 6), ("in all", 10)]
    result.stdout.fnmatch_lines([line for title, many in counts for line in (title, f"  questions * {many}")])


def test_a_run_and_its_report_hold_the_resolved_suite(project: Project) -> None:
    path = project.suite(count=2)
    path.write_text(path.read_text() + "\n[sampling]\ntemperature = 0.5\n")
    project.run("--model=baseline:truth")
    resolved = project.run_json()["suites"]["small"]["resolved"]
    assert resolved["source"] == {"name": "semtrace", "version": 1, "count": 2, "digits": 2, "seed": 7}
    assert resolved["sampling"]["default"]["temperature"] == 0.5
    assert resolved["prefill"] is True
    assert resolved["seed"] == 7
    report = (project.path / "reports/latest/report.html").read_text()
    assert "Resolved suite" in report
    assert "&#34;temperature&#34;: 0.5" in report or '"temperature": 0.5' in report


def test_a_run_holds_the_shots_of_each_way_of_prompting(project: Project) -> None:
    path = project.suite(count=2, prompting=("direct", "cot"))
    path.write_text("shots = {direct = 2, cot = 1}\n" + path.read_text())
    project.run("--model=baseline:truth")
    resolved = project.run_json()["suites"]["small"]["resolved"]
    assert resolved["prompted"] == {"direct": {"shots": 2}, "cot": {"shots": 1}}
    assert "shots" not in resolved["fixed"], "the default is not what was asked"


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("-n2",)])
def test_a_suite_that_is_named_twice_is_asked_once(project: Project, more: tuple[str, ...]) -> None:
    path = str(project.suite(count=2))
    result = project.run("--model=baseline:truth", "--keep-duplicates", path, path, *more)
    assert result.ret == 0
    assert len(project.records()) == len({row["id"] for row in project.records()}) == 4
    assert project.run_json()["complete"]
    result.stdout.no_fnmatch_line("*PARTIAL*")
    result.stdout.fnmatch_lines(["*4 passed*"])
