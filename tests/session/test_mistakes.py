"""Mistakes of the user: one clear line, exit code 4, before the first request."""

from __future__ import annotations

import socket
import time
from fnmatch import fnmatch

import pytest

from tests.session.conftest import Project, usage_error


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("gpt-x", "unknown model 'gpt-x': write PROVIDER:NAME with one of baseline, local, openai"),
        ("nowhere:x", "unknown model 'nowhere:x'"),
        ("opneai:x", "unknown model 'opneai:x' (did you mean 'openai'?): write PROVIDER:NAME"),
        ("openai:", "openai:NAME"),
        ("baselines:truth", "unknown model 'baselines:truth' (did you mean 'baseline'?): write PROVIDER:NAME"),
        ("json:Decoder", "has no attribute 'Decoder'; there is no provider 'json'"),
        ("json:qwen-3", "unknown model 'json:qwen-3': write PROVIDER:NAME"),
        ("baseline:genius", "truth"),
        ("no.such.module:Model", "cannot be imported"),
        ("pathlib.x:Path", "cannot be imported"),
        ("replay:missing.jsonl", "missing.jsonl"),
        ("local:missing.gguf", "missing.gguf"),
        ("local:gpt-9", "smollm2"),
    ],
)
def test_a_model_that_cannot_be(project: Project, spec: str, complaint: str) -> None:
    project.suite()
    assert complaint in usage_error(project, f"--model={spec}")


def test_no_key(project: Project) -> None:
    project.suite()
    assert "OPENAI_API_KEY" in usage_error(project, "--model=openai:gpt-x")


def test_an_endpoint_that_is_not_there_is_said_soon(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.suite()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))  # bound, never listening: a connection is refused
        url = f"http://127.0.0.1:{unheard.getsockname()[1]}/v1"
        began = time.monotonic()
        complaint = usage_error(project, "--model=openai:gpt-x", f"--model-url={url}")
    assert url in complaint
    assert "sk-secret" not in complaint
    assert time.monotonic() - began < 25, "10 seconds for the endpoint, the rest for a slow machine"


@pytest.mark.slow
def test_an_endpoint_that_never_answers_is_said_soon(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.suite()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        began = time.monotonic()
        assert url in usage_error(project, "--model=openai:gpt-x", f"--model-url={url}")
    assert time.monotonic() - began < 25


SUITE_MISTAKES = {
    "not toml": ("task = ", "small.suite.toml:1: not valid TOML"),
    "nested too deep": ("task = " + "[" * 20_000, "small.suite.toml: not valid TOML: it is nested too deep"),
    "no task": ('[source]\nname = "semtrace"\n', "the key 'task' is missing"),
    "the key of the task, misspelt": (
        'taks = "output-prediction"\n[source]\nname = "semtrace"\n',
        "the key 'task' is missing (is it 'taks'?): it must be a task's name",
    ),
    "the key of the source's name, misspelt": (
        'task = "output-prediction"\n[source]\nnmae = "semtrace"\n',
        "small.suite.toml:2: the key 'name' is missing (is it 'nmae'?): which source",
    ),
    "a source, misspelt": (
        'task = "output-prediction"\n[source]\nname = "cruxevl"\n',
        "small.suite.toml:3: unknown source 'cruxevl' (did you mean 'cruxeval'?): choose one of",
    ),
    "a language, misspelt": (
        'task = "output-prediction"\nlanguages = ["pyton"]\n[source]\nname = "semtrace"\n',
        "small.suite.toml:2: unknown language 'pyton' (did you mean 'python'?): the source semtrace has",
    ),
    "unknown task": ('task = "guess"\n[source]\nname = "semtrace"\n', "small.suite.toml:1: unknown task 'guess'"),
    "no source": ('task = "output-prediction"\n', "the key 'source' is missing"),
    "unknown source": (
        'task = "output-prediction"\n[source]\nname = "x"\n',
        "small.suite.toml:3: unknown source 'x': choose one of code-instructions, code-search-net, corpus, ",
    ),
    "unknown key": (
        'task = "output-prediction"\ntemprature = 1\n[source]\nname = "semtrace"\n',
        "small.suite.toml:2: unknown key 'temprature' (did you mean 'temperature'?): a suite has",
    ),
    "unknown setting of the source": (
        'task = "output-prediction"\n[source]\nname = "semtrace"\n\ncolour = 3\n',
        "small.suite.toml:5:",
    ),
    "setting out of range": (
        'task = "output-prediction"\n[source]\nname = "semtrace"\ndigits = 7\n',
        "small.suite.toml:4:",
    ),
    "unknown axis": (
        'task = "output-prediction"\n[source]\nname = "semtrace"\n[matrix]\nflavour = [1]\n',
        "small.suite.toml:5: unknown axis 'flavour': choose from",
    ),
    "an axis of a stage, misspelt": (
        'task = "output-prediction"\n[source]\nname = "semtrace"\n[matrix]\ndistractor = [1]\n',
        "unknown axis 'distractor' (did you mean 'distractors'?): choose from",
    ),
    "positions in no context": (
        'task = "output-prediction"\n[source]\nname = "semtrace"\n[matrix]\nposition = 11\n',
        "small.suite.toml:5: a 'position' needs a context",
    ),
    "two lengths of context": (
        'task = "output-prediction"\ndistractors = 4\n[source]\nname = "semtrace"\n[matrix]\ntokens = [0, 4000]\n',
        "small.suite.toml:6: give 'distractors' or 'tokens', not both",
    ),
    "value off an axis": (
        'task = "output-prediction"\n[source]\nname = "semtrace"\n[matrix]\nshots = [0, 99]\n',
        "small.suite.toml:5: 'shots' cannot be 99",
    ),
    "a value twice": (
        'task = "output-prediction"\n[source]\nname = "semtrace"\n[matrix]\nshots = [0, 0]\n',
        "small.suite.toml:5: 'shots' names a value twice",
    ),
    "an axis twice": (
        'task = "output-prediction"\nshots = 1\n[source]\nname = "semtrace"\n[matrix]\nshots = [0]\n',
        "small.suite.toml:2: 'shots' is set twice",
    ),
    "unknown language": (
        'task = "output-prediction"\nlanguages = ["cobol"]\n[source]\nname = "semtrace"\n',
        "small.suite.toml:2: unknown language 'cobol'",
    ),
    "unknown sampling": (
        'task = "output-prediction"\n[source]\nname = "semtrace"\n[sampling]\nheat = 1\n',
        "small.suite.toml:5: unknown key 'heat'",
    ),
    "sampling out of range": (
        'task = "output-prediction"\n[source]\nname = "semtrace"\n[sampling.cot]\ntemperature = 9\n',
        "small.suite.toml:5: 'temperature' must be a number from 0 to 2",
    ),
    "unknown prompting": (
        'task = "output-prediction"\n[source]\nname = "semtrace"\n[sampling.loud]\ntemperature = 1\n',
        "small.suite.toml:4: [sampling.loud] names no way of prompting",
    ),
    "unknown prompting, two letters swapped": (
        'task = "output-prediction"\n[source]\nname = "semtrace"\n[sampling.cto]\ntemperature = 1\n',
        "small.suite.toml:4: [sampling.cto] names no way of prompting (did you mean 'cot'?)",
    ),
    "a key of the suite in a table": (
        'task = "output-prediction"\n[source]\nname = "ladder"\ntemplate = "cruxeval"\n',
        "small.suite.toml:4: 'template' does not belong here: write it above the first table",
    ),
    "an axis in the table of the source": (
        'task = "output-prediction"\n[source]\nname = "ladder"\nprompting = "cot"\n',
        "small.suite.toml:4: 'prompting' does not belong here: write it into [matrix], or one value of it above the",
    ),
    "a setting of sampling in another table": (
        'task = "output-prediction"\n[source]\nname = "ladder"\nmax_tokens = 9\n',
        "small.suite.toml:4: 'max_tokens' does not belong here: write it into [sampling]",
    ),
    "a key of the suite among the axes": (
        'task = "output-prediction"\n[source]\nname = "ladder"\n[matrix]\nprefill = [true]\n',
        "small.suite.toml:5: 'prefill' is no axis: write it above the first table",
    ),
    "several values outside of the matrix": (
        'task = "output-prediction"\nlevel = [1, 2]\n[source]\nname = "ladder"\n',
        "small.suite.toml:2: 'level' takes one value here, not [1, 2]: write a list of values into [matrix]",
    ),
    "no such template": (
        'task = "output-prediction"\ntemplate = "mine"\n[source]\nname = "semtrace"\n',
        "small.suite.toml:2: there is no template 'mine'",
    ),
}


@pytest.mark.parametrize("name", SUITE_MISTAKES)
def test_a_suite_file_that_cannot_be_read(project: Project, name: str) -> None:
    text, complaint = SUITE_MISTAKES[name]
    (project.path / "small.suite.toml").write_text(text)
    assert complaint in usage_error(project, "--model=baseline:truth")


@pytest.mark.slow
def test_a_suite_file_that_cannot_be_read_by_workers(project: Project) -> None:
    (project.path / "small.suite.toml").write_text("task = ")
    assert "not valid TOML" in usage_error(project, "--model=baseline:truth", "-n", "2")


def test_every_broken_suite_is_named(project: Project) -> None:
    project.suite("good")
    for name in ("bad", "worse"):
        (project.path / f"{name}.suite.toml").write_text("task = ")
    result = project.run("--model=baseline:truth")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*bad.suite.toml:1:*", "*worse.suite.toml:1:*"])


@pytest.mark.parametrize(
    ("gate", "complaint"),
    [
        ("small.exat >= 0.5", "exact"),
        ("large.exact >= 0.5", "small"),
        ("small.exact[colour=red] >= 0.5", "language"),
        ("small.exact[language=cobol] >= 0.5", "python"),
        ("small.exact", ">="),
        ("small.exact >= lots", "lots"),
    ],
)
def test_a_gate_that_cannot_be_judged(project: Project, gate: str, complaint: str) -> None:
    project.suite()
    assert complaint in usage_error(project, "--model=baseline:truth", f"--eval-gate={gate}")


@pytest.mark.parametrize(
    ("arg", "complaint"),
    [
        ("--eval-limit=0", "--eval-limit 0: must be a share such as 10%"),
        ("--eval-limit=few", "--eval-limit few"),
        ("--eval-concurrency=-1", "--eval-concurrency -1"),
        ("--eval-shard=3/2", "--eval-shard 3/2"),
        ("--eval-max-cost=cheap", "--eval-max-cost cheap"),
        ("--eval-max-time=30", "--eval-max-time 30: must be a time such as 90s, 30m or 2h"),
        ("--eval-max-time=0m", "--eval-max-time 0m"),
        ("--eval-reuse=yesterday", "--eval-reuse yesterday"),
        ("--model-arg=temperature", "--model-arg without '=': write KEY=VALUE"),
        ("--model-arg=temperature=9", "'temperature' must be a number from 0 to 2"),
        ("--model=baseline:truth", "named twice"),
        (
            "--model=openai:gpt\x1b[31m\u202e\n",
            r"the model 'openai:gpt\x1b[31m\u202e\n': a name holds no",
        ),
        (
            "--eval-writer=openai:\x1b[2J",
            r"--eval-writer: the model 'openai:\x1b[2J': a name holds no",
        ),
    ],
)
def test_an_option_that_cannot_be(project: Project, arg: str, complaint: str) -> None:
    project.suite()
    assert complaint in usage_error(project, "--model=baseline:truth", arg)


def test_a_spending_limit_needs_a_price(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.suite()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert "price_in" in usage_error(project, "--model=openai:gpt-x", "--eval-max-cost=1")


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (
            ("--model-arg=omit=temperature", "--model-arg=temperature=0.5"),
            "--model-arg temperature has no effect: omit=temperature leaves it out of every request; remove one",
        ),
        (
            ("--model-arg=omit=top_p", "--model-arg=openai:gpt-x:top_p=0.5"),
            "top_p of openai:gpt-x has no effect: omit=top_p leaves it out of every request; remove one",
        ),
        (("--model-arg=body.model=evil",), "--model-arg body.model cannot be set, because every request has its own"),
        (("--model-arg=body.temperature=0.9",), "body.temperature cannot be set, because *: write temperature"),
        (("--model-arg=body.max_tokens=5",), "body.max_tokens cannot be set, because *: write max_tokens"),
        (("--model-arg=openai:gpt-x:body.seed=3",), "body.seed cannot be set, because *: write seed"),
        (("--model-arg=body.messages=[]",), "body.messages cannot be set, because *: questions come from the suite"),
    ],
)
def test_a_setting_that_is_not_sent(project: Project, more: tuple[str, ...], complaint: str) -> None:
    project.suite()
    assert fnmatch(usage_error(project, "--model=openai:gpt-x", *more), f"*{complaint}*".replace("[]", "[[]]"))


def test_an_axis_that_is_not_sent_compares_nothing(project: Project) -> None:
    path = project.suite()
    path.write_text(f"{path.read_text()}temperature = [0.0, 1.0]\n")
    assert usage_error(project, "--model=openai:gpt-x", "--model-arg=omit=temperature", "--eval-dry-run") == (
        "small compares values of temperature, but openai:gpt-x has omit=temperature, so no request holds it: "
        "remove temperature from omit, or from [matrix]"
    )


def test_a_setting_that_one_of_two_models_leaves_out_is_said(project: Project) -> None:
    project.suite()
    models = ("--model=openai:a", "--model=openai:b", "--model-arg=openai:a:omit=temperature")
    result = project.run(*models, "--model-arg=temperature=0.5", "--eval-dry-run")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["codereason: --model-arg temperature has no effect on openai:a: omit=temperature leaves it out"]
    )


def test_a_report_folder_that_holds_something_else(project: Project) -> None:
    project.suite()
    (project.path / "precious").mkdir()
    (project.path / "precious/thesis.tex").write_text("")
    result = project.run("--model=baseline:truth", "--eval-report=precious")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: --eval-report *precious: the folder holds other files; name a new folder*"])


def test_two_suites_of_one_name(project: Project) -> None:
    path = project.suite()
    for folder in ("a", "b"):
        (project.path / folder).mkdir()
        (project.path / folder / path.name).write_text(path.read_text())
    path.unlink()
    assert "also named small" in usage_error(project, "--model=baseline:truth")


SMALL = 'task = "output-prediction"\n[source]\nname = "ladder"\ncount = 1\n'


@pytest.mark.parametrize("name", ["x.toml", "x.suite.yaml", "x.suite"])
def test_a_suite_file_with_another_ending(project: Project, name: str) -> None:
    (project.path / name).write_text(SMALL)
    expected = f"{name}: a suite file is TOML, and its name ends with .suite.toml: rename it to x.suite.toml"
    assert expected in usage_error(project, name, "--model=baseline:truth")
    result = project.run(".", "--model=baseline:truth")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert f"codereason: not asked: {expected}" in " ".join(result.stdout.str().split())


def test_a_file_with_another_ending_is_left_alone_if_another_suite_is_named(project: Project) -> None:
    (project.path / "x.toml").write_text(SMALL)
    (project.path / "small.suite.toml").write_text(SMALL)
    assert "not asked" not in project.run("small.suite.toml", "--model=baseline:truth").stdout.str()
    assert "not asked: x.toml" in project.run("--model=baseline:truth").stdout.str()


def test_a_toml_file_of_somebody_else_is_left_alone(project: Project) -> None:
    (project.path / "other.toml").write_text("[tool]\ntask = 1\n")
    assert "not asked" not in project.run(".", "--model=baseline:truth").stdout.str()


NEAR_MISSES = {
    "sampling": ("[sampling]\ntemprature = 1\n", "6: unknown key 'temprature' (did you mean 'temperature'?): sampling"),
    "a switch of the source": ("chek = true\n", "5: unknown key 'chek' (did you mean 'check'?): the source ladder has"),
    "a context": ("[context]\npol = 'x'\n[matrix]\ndistractors = 1\n", "6: unknown key 'pol' (did you mean 'pool'?)"),
    "a value": ("[matrix]\nlayout = ['number']\n", "6: 'layout' cannot be 'number' (did you mean 'numbers'?)"),
    "a dose": ("[matrix]\nperturbation = ['prints(strenth=3)']\n", "(strenth=3) (did you mean 'strength'?): the set"),
}


@pytest.mark.parametrize(("more", "complaint"), NEAR_MISSES.values(), ids=list(NEAR_MISSES))
def test_what_was_meant_is_suggested(project: Project, more: str, complaint: str) -> None:
    (project.path / "small.suite.toml").write_text(SMALL + more)
    assert complaint in usage_error(project, "--model=baseline:truth", "--eval-dry-run")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--model=baseline:truht"], "unknown baseline 'truht' (did you mean 'truth'?)"),
        (
            ["--model=openai:x", "--model-arg=temperature=hot"],
            "--model-arg temperature: 'temperature' must be a number",
        ),
        (["--model=openai:x", "--model-arg=samples=5"], "has no --model-arg 'samples': it is a key of the suite"),
        (["--model=baseline:truth", "--eval-report=taken"], "cannot be written: a file of that name is in the way"),
        (["--model=a", "--eval-models=no.toml"], "no.toml: cannot be read: No such file or directory"),
    ],
)
def test_an_option_that_cannot_be_says_where_and_what(project: Project, arguments: list[str], complaint: str) -> None:
    project.suite()
    (project.path / "taken").write_text("")
    assert complaint in usage_error(project, *arguments)


IDLE = [
    ("--eval-allow-partial", "--eval-allow-partial has no effect: there is no gate; add --eval-gate"),
    ("--eval-fuzz-requests=9", "--eval-fuzz-requests has no effect: this run has no fuzz test; name a file with one"),
    ("--eval-fuzz-shrink=9", "--eval-fuzz-shrink has no effect: this run has no fuzz test; name a file with one"),
    ("--eval-seed=9", "--eval-seed has no effect: nothing in small is drawn by a seed"),
]
ROWS = 'task = "output-prediction"\n[source]\nname = "jsonl"\npath = "rows.jsonl"\n'
ROW = '{"language": "python", "code": "def f(n):\\n    return n + 1\\n", "call": "f(1)"}\n'


@pytest.mark.parametrize(("arg", "complaint"), IDLE)
def test_an_option_without_effect_is_refused_if_it_is_typed(project: Project, arg: str, complaint: str) -> None:
    (project.path / "small.suite.toml").write_text(ROWS)
    (project.path / "rows.jsonl").write_text(ROW)
    assert complaint in usage_error(project, "--model=baseline:truth", arg)


@pytest.mark.parametrize("arg", [arg for arg, _ in IDLE])
def test_an_option_without_effect_may_stand_in_the_ini_file(project: Project, arg: str) -> None:
    (project.path / "small.suite.toml").write_text(ROWS)
    (project.path / "rows.jsonl").write_text(ROW)
    name, _, value = arg.removeprefix("--eval-").partition("=")
    (project.path / "pytest.ini").write_text(f"[pytest]\ncodereason_{name.replace('-', '_')} = {value or 'true'}\n")
    result = project.run("--model=baseline:truth")
    assert result.ret == 0
    assert "no effect" not in result.stdout.str()


@pytest.mark.slow
def test_a_worker_says_that_an_option_has_no_effect(project: Project) -> None:
    project.suite()
    complaint = usage_error(project, "--model=baseline:truth", "--eval-fuzz-requests=9", "-n", "1")
    assert complaint.startswith("--eval-fuzz-requests has no effect")


@pytest.mark.parametrize(
    ("more", "model"),
    [('[matrix]\nperturbation = ["rename"]\n', "truth"), ('layout = "keys"\n', "truth"), ("", "chance")],
    ids=["a stage", "a draw by the suite's seed", "a model"],
)
def test_a_seed_has_an_effect_on_what_is_drawn(project: Project, more: str, model: str) -> None:
    text = f"{more}{ROWS}" if more.startswith("layout") else f"{ROWS}{more}"
    (project.path / "small.suite.toml").write_text(text)
    (project.path / "rows.jsonl").write_text(ROW)
    assert project.run(f"--model=baseline:{model}", "--eval-seed=9").ret == 0


@pytest.mark.parametrize("workers", ["-n2", "-nauto", "--numprocesses=2"])
def test_workers_need_a_package(project: Project, monkeypatch: pytest.MonkeyPatch, workers: str) -> None:
    project.suite()
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    result = project.pytester.runpytest_inprocess("-pcodereason", "--model=baseline:truth", workers)
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"ERROR: {workers} needs pytest-xdist: pip install 'pytest-codereason[[]xdist]'"])
    theirs = project.pytester.runpytest_inprocess("-pcodereason", workers)
    theirs.stderr.fnmatch_lines([f"*unrecognized arguments: {workers}"])


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("levle(n=3)", "-m: no suite has a marker 'levle' (did you mean 'level'?): there is language, level"),
        ("not levle", "-m: no suite has a marker 'levle' (did you mean 'level'?)"),
        ("level(k=3)", "-m: level has no 'k': write level(n=1)"),
        ("level(n=9)", "-m: no question has level(n=9): level is 1, 2"),
        ("language(name='pyton')", "(did you mean 'python'?): language is 'python'"),
    ],
)
def test_a_marker_that_no_question_has(project: Project, expression: str, complaint: str) -> None:
    (project.path / "small.suite.toml").write_text("languages = ['python']\n" + SMALL + "[matrix]\nlevel = [1, 2]\n")
    assert complaint in usage_error(project, "--model=baseline:truth", "--eval-dry-run", "-m", expression)


@pytest.mark.slow
@pytest.mark.parametrize("expression", ["levle(n=1)", "not levle"])
def test_workers_do_not_hide_it(project: Project, expression: str) -> None:
    (project.path / "small.suite.toml").write_text("languages = ['python']\n" + SMALL + "[matrix]\nlevel = [1, 2]\n")
    complaint = usage_error(project, "--model=baseline:truth", "-n", "2", "-m", expression)
    assert complaint.startswith("-m: no suite has a marker 'levle' (did you mean 'level'?): there is language, level")


def test_markers_of_other_tests_are_left_alone(project: Project) -> None:
    (project.path / "small.suite.toml").write_text("languages = ['python']\n" + SMALL)
    (project.path / "test_mine.py").write_text("import pytest\n@pytest.mark.level2\ndef test_it(): pass\n")
    assert project.run("--model=baseline:truth", "-m", "level2").ret == 0
    result = project.run("--model=baseline:truth", "-k", "pyhton")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["codereason: -k 'pyhton' selects no question: * (did you mean 'python'?)"])


def test_a_pool_that_is_not_there_is_said_with_its_line(project: Project) -> None:
    (project.path / "small.suite.toml").write_text(SMALL + "[context]\npool = 'instaled'\n[matrix]\ndistractors = 1\n")
    complaint = usage_error(project, "--model=baseline:truth", "--eval-dry-run")
    assert "small.suite.toml:6: there is no pool of " in complaint
    assert "(did you mean 'installed'?)" in complaint


def test_a_dry_run_of_a_broken_part_is_no_success(project: Project) -> None:
    (project.path / "mine.py").write_text("def (")
    (project.path / "small.suite.toml").write_text(SMALL + "[matrix]\nperturbation = ['mine:Bad']\n")
    assert "mine:Bad" in usage_error(project, "--model=baseline:truth", "--eval-dry-run")


def test_one_question_is_one_question(project: Project) -> None:
    (project.path / "small.suite.toml").write_text("languages = ['python']\n" + SMALL)
    project.run("--model=baseline:truth").stdout.fnmatch_lines(["codereason: small 1 question"])
