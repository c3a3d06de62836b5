"""Several models of one run, each with an address and settings of its own, by names that the user has given them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import secrets
from tests.servers import Server, solve
from tests.session.conftest import Project, usage_error

TABLES = """
[tool.codereason.models.small]
spec = "openai:qwen"
url = "{small}"
temperature = 0.2
concurrency = 2
body.top_k = 20
body.user = "5"

[tool.codereason.models.small-hot]
spec = "openai:qwen"
url = "{hot}"
temperature = 1.0
top_p = 0.9
max_tokens = 77
header.X-Title = "hot"

[tool.codereason.models."release-1.5"]
spec = "openai:release"
url = "{release}"
key_env = "RELEASE_KEY"
reasoning_effort = "low"
omit = ["temperature", "stop"]
body.chat_template_kwargs = {{ enable_thinking = false }}
price_in = 1
price_out = 2.5
"""
NAMES = ("small", "small-hot", "release-1.5")
ALL = tuple(f"--model={name}" for name in NAMES)


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELEASE_KEY", "sk-of-the-release")


def name_models(project: Project, **urls: str) -> None:
    urls = dict.fromkeys(("small", "hot", "release"), "http://127.0.0.1:9/v1") | urls
    (project.path / "pyproject.toml").write_text(TABLES.format(**urls))


def settings(server: Server) -> list[dict[str, Any]]:
    """What the bodies of a server's requests hold beside the question; each different one once."""
    bodies = [{k: v for k, v in request.body.items() if k != "messages"} for request in server.requests]
    return [json.loads(text) for text in sorted({json.dumps(body, sort_keys=True) for body in bodies})]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)], ids=["alone", "workers"])
def test_three_models_and_three_suites_at_once(project: Project, workers: tuple[str, ...]) -> None:
    for number, name in enumerate(("one", "two", "three"), 2):
        project.suite(name, count=number)
    with (
        Server(models=("qwen",), owned_by="me", together=2) as small,
        Server(solve(accuracy=0.5), models=("qwen",), owned_by="me") as hot,
        Server(models=("release",), owned_by="me", key="sk-of-the-release", together=3) as release,
    ):
        name_models(project, small=small.url, hot=hot.url, release=release.url)
        gates = ("one.exact[model=small] >= 1", "two.exact[model=release-1.5,language=php] >= 1")
        result = project.run_fresh(
            *ALL, *(f"--eval-gate={gate}" for gate in gates), "--eval-claim=suite", "--timeout=60", *workers
        )
        assert result.ret == 0, result.stdout.str()
        # The three suites share their programs, and the largest has four in two languages.
        assert [len(server.requests) for server in (small, hot, release)] == [8, 8, 8]
        assert small.peak <= 2
        assert settings(small) == [
            {"model": "qwen", "temperature": 0.2, "max_tokens": 200, "top_k": 20, "user": "5"},
        ]
        assert settings(hot) == [{"model": "qwen", "temperature": 1.0, "max_tokens": 77, "top_p": 0.9}]
        assert {request.headers.get("X-Title") for request in hot.requests} == {"hot"}
        thinking = {"chat_template_kwargs": {"enable_thinking": False}}
        assert settings(release) == [{"model": "release", "max_tokens": 200, "reasoning_effort": "low", **thinking}]
    assert Counter((row["suite"], row["model"]) for row in project.records()) == {
        (suite, name): 2 * count for suite, count in (("one", 2), ("two", 3), ("three", 4)) for name in NAMES
    }
    result.stdout.fnmatch_lines(["PASS  one.exact?model=small?*", "PASS  two.exact?model=release-1.5?*"])
    run = project.run_json()["models"]
    assert [run[name]["spec"] for name in NAMES] == ["openai:qwen", "openai:qwen", "openai:release"]
    assert run["small"]["sampling"] == {"temperature": 0.2}
    assert run["small"]["concurrency"] == 2
    html = (project.path / "reports/latest/report.html").read_text()
    assert all(f'<dt class="model">{name}</dt><dd>spec <code>openai:' in html for name in NAMES)


def test_the_header_says_how_many_requests_each_model_gets(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    name_models(project)
    result = project.run(*ALL, "--collect-only")
    result.stdout.fnmatch_lines(["codereason: small (openai:qwen), *· up to 2, 32, 32 requests at a time"])


def test_models_of_this_folder_are_found_where_the_root_folder_is_another(project: Project) -> None:
    """As in ``cd study; pytest ../clone/suites/ladder.suite.toml``: pytest's root folder is that of the suites."""
    clone = project.path / "clone"
    clone.mkdir()
    project.suite(count=1, languages=("python",)).rename(clone / "small.suite.toml")
    (clone / "pytest.ini").write_text("[pytest]\n")
    (project.path / "pyproject.toml").write_text('[tool.codereason.models.mine]\nspec = "baseline:truth"\n')
    said = usage_error(project, "clone/small.suite.toml", "--model=mine")
    assert "unknown model 'mine': pyproject.toml in this folder names it, but pytest's root folder is another" in said
    advice = "--eval-models=pyproject.toml"
    assert advice in said
    assert project.run("clone/small.suite.toml", "--model=mine", advice).ret == 0


@pytest.mark.slow
def test_one_endpoint_with_two_settings_is_two_models(project: Project) -> None:
    project.suite(count=3, languages=("python",))
    with Server(models=("qwen",), owned_by="me") as server:
        (project.path / "pyproject.toml").write_text(
            f'[tool.codereason.models]\na = {{spec="openai:qwen", url="{server.url}", temperature=0.2}}\n'
            f'b = {{spec="openai:qwen", url="{server.url}"}}\n'
        )
        for _ in range(2):  # the second run finds the answers of the first, each model its own
            assert project.run("--model=a", "--model=b", "--eval-reuse=1h").ret == 0
            assert Counter(request.body["temperature"] for request in server.requests) == {0.2: 3, 0.0: 3}
        assert project.run("--model=a", "--model=b", "--model-arg=a:temperature=0.3", "--eval-reuse=1h").ret == 0
        assert Counter(request.body["temperature"] for request in server.requests) == {0.2: 3, 0.0: 3, 0.3: 3}
        complaint = project.run("--model=a", "--model=b", "--model-arg=temperature=0.3").stderr.str()
        assert "--model=a and --model=b are one model" in complaint


def test_an_argument_for_all_replaces_a_table_and_one_for_a_model_replaces_both(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    with Server(models=("qwen",), owned_by="me") as small, Server(models=("qwen",), owned_by="me") as hot:
        name_models(project, small=small.url)
        more = (f"small-hot:url={hot.url}", "temperature=0.5", "small-hot:temperature=0.7", "timeout=9")
        assert project.run(*ALL[:2], *(f"--model-arg={text}" for text in more)).ret == 0
        assert [body["temperature"] for body in settings(small)] == [0.5]
        assert [(body["temperature"], body["top_p"]) for body in settings(hot)] == [(0.7, 0.9)]
        assert project.run(*ALL[:1], "--model-arg=small:concurrency=1", "--model-arg=small:top_p=0.3").ret == 0
        assert project.run_json()["models"]["small"]["concurrency"] == 1
        assert small.requests[-1].body["top_p"] == 0.3


def test_a_named_model_stands_beside_a_spec(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    with Server(models=("qwen",), owned_by="me") as small, Server(models=("other",), owned_by="me") as other:
        name_models(project, small=small.url)
        result = project.run(
            "--model=small", "--model=openai:other", "--model=baseline:truth", f"--model-url={other.url}"
        )
        assert result.ret == 0, result.stderr.str()
        assert len(small.requests) == len(other.requests) == 1
        assert other.requests[0].body["temperature"] == 0
    assert {row["model"] for row in project.records()} == {"small", "openai:other", "baseline:truth"}


@pytest.mark.parametrize("where", ["option", "ini"])
def test_models_in_a_file_of_their_own(project: Project, where: str) -> None:
    project.suite(count=1, languages=("python",))
    name_models(project)
    (project.path / "pytest.ini").write_text(
        "[pytest]\ncodereason_models = models.toml\n" if where == "ini" else "[pytest]\n"
    )
    (project.path / "models.toml").write_text('[models.ideal]\nspec = "baseline:truth"\n')
    option = ("--eval-models=models.toml",) if where == "option" else ()
    assert project.run("--model=ideal", *option).ret == 0
    assert {row["model"] for row in project.records()} == {"ideal"}
    assert "models.toml names ideal" in project.run("--model=small", "--model=ideal", *option).stderr.str()


def test_a_dry_run_counts_with_the_settings_of_each_model(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    name_models(project)
    result = project.run(*ALL, "--eval-dry-run")
    assert result.ret == 0
    text = result.stdout.str()
    replies = [line.split()[2] for line in text.splitlines() if line.startswith("  reply tokens")]
    assert replies == ["200", "77", "200", "477"]
    assert text.count("cost            at most about $0.00") == 1
    assert text.count("cost            unknown") == 3, "of two models, so of the run"


SECRET = "tok/en+with=signs&more-0815"


def test_no_secret_of_a_table_is_shown(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_shown", {})
    monkeypatch.setenv("GATEWAY", f"{SECRET}-env")
    project.suite(count=1, languages=("python",))
    with Server(models=("qwen",), owned_by="me") as server:
        name_models(project, small=server.url)
        path = project.path / "pyproject.toml"
        path.write_text(
            path.read_text().replace("body.top_k = 20", f'header.X-A = "{SECRET}-a"\nheader.X-B = "env:GATEWAY"')
        )
        result = project.run(
            "--model=small", f"--model-arg=small:header.X-C={SECRET}-c", "-rA", "--debug", "--eval-report=out"
        )
        assert result.ret == 0, result.stderr.str()
        sent = server.requests[0].headers
        assert [sent[f"X-{name}"] for name in "ABC"] == [f"{SECRET}-a", f"{SECRET}-env", f"{SECRET}-c"]
    path.unlink()
    assert "small:header.X-C=[hidden]" in " ".join(project.run_json("out")["argv"])
    assert SECRET not in result.stdout.str() + result.stderr.str()
    assert not [
        file for file in Path(project.path).rglob("*") if file.is_file() and SECRET.encode() in file.read_bytes()
    ]


def test_a_variable_of_a_model_that_is_not_asked_need_not_be_set(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.suite(count=1, languages=("python",))
    text = '[tool.codereason.models.{}]\nspec = "{}"\n{}\n'
    path = project.path / "pyproject.toml"
    path.write_text(text.format("ideal", "baseline:truth", "") + text.format("far", "openai:x", 'url = "env:FAR_URL"'))
    assert project.run("--model=ideal").ret == 0
    complaint = project.run("--model=far").stderr.str()
    assert "pyproject.toml:6: [tool.codereason.models.far]: url=env:FAR_URL: set the environment variable" in complaint


@pytest.mark.parametrize(
    ("key", "complaint"),
    [
        ('ulr = "x"', ":3: [tool.codereason.models.m]: unknown key 'ulr': did you mean 'url'?"),
        (
            "temprature = 1",
            ":3: [tool.codereason.models.m]: openai:x has no setting 'temprature': did you mean 'temper",
        ),
        ("nothing = 1", "reasoning_effort; every model has spec, url, concurrency"),
        ('timeout = "soon"', ":3: [tool.codereason.models.m]: timeout='soon' must be a number"),
        ("temperature = 9", ":3: 'temperature' must be a number from 0 to 2, not 9"),
        ("concurrency = 0", ":3: 'concurrency' must be a whole number from 1, not 0"),
        ("timeout = 1979-05-27", ":3: 'timeout' must be text, a number, true, false, a list or a table"),
        ('url = "ftp://x"', ":3: [tool.codereason.models.m]: url = 'ftp://x' must be an address"),
        ("url = 3", ":3: 'url' must be text, not 3"),
        ("[tool.codereason.model.x]", ":3: unknown key tool.codereason.model (did you mean 'models'?): a model is a"),
        ('[tool.codereason.models."a:b"]', ":3: the name 'a:b' cannot be: it has letters, digits and any of . _ + -"),
        ("[tool.codereason.models]\nn = 3", "'n' must be a table: write [tool.codereason.models.n]"),
    ],
)
def test_a_table_that_cannot_be(project: Project, key: str, complaint: str) -> None:
    project.suite()
    (project.path / "pytest.ini").write_text("[pytest]\n")
    (project.path / "pyproject.toml").write_text(f'[tool.codereason.models.m]\nspec = "openai:x"\n{key}\n')
    if key.startswith("[tool.codereason.models]"):
        (project.path / "pyproject.toml").write_text(f"{key}\n")
    said = usage_error(project, "--model=m")
    assert said.startswith("pyproject.toml:")
    assert complaint in said


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--model=smal",), "unknown model 'smal': did you mean 'small'? pyproject.toml names small, small-hot, rel"),
        ((*ALL, "--model-url=http://127.0.0.1:9/v1"), "--model-url has no effect: small has a url of its own, small-"),
        (
            ("--model=baseline:truth", "--model-url=http://a/v1"),
            "--model-url has no effect: baseline:truth is asked at",
        ),
        (("--model=baseline:truth", "--model-arg=top_p=0.5"), "--model-arg top_p has no effect: baseline:truth takes"),
        (
            (*ALL, "--model-arg=smal:top_p=0.5"),
            "--model-arg smal:top_p: no model of this run is called 'smal': did you",
        ),
        ((*ALL, "--model-arg=small:temprature=0"), "--model-arg small:temprature: openai:qwen has no setting 'tempra"),
        ((*ALL, "--model-arg=small:concurency=1"), "unknown key 'concurency': did you mean 'concurrency'?"),
        ((*ALL, "--model-arg=small:top_p=7"), "--model-arg small:top_p: 'top_p' must be a number above 0"),
        ((*ALL, "--model-arg=top_k=7"), "small has no --model-arg 'top_k': did you mean 'top_p'? It takes timeout"),
        ((*ALL, "--model-arg=heat=7"), "header.NAME, temperature, top_p, max_tokens, reasoning_effort; for one model"),
        ((*ALL, "--model-arg=timeout=soon"), "small: --model-arg timeout='soon' must be a number"),
        ((*ALL, "--model-arg=small:samples=2"), "'samples': it is a key of the suite; write it into [sampling]"),
        ((*ALL, "--model-arg=timeout=7", "--model-arg=timeout=8"), "--model-arg timeout is given twice: keep one"),
        (("--model=baseline:truth", "--model-arg=baseline:truth:top_p=0.5"), "'top_p' has no effect: baseline:truth"),
        ((*ALL, "--model=baseline:truth", "--model-arg=timeout=7"), "write --model-arg small:timeout=VALUE"),
        (("--model=baseline:truth", "--eval-models=pyproject.toml"), "--eval-models has no effect: no --model is a"),
        (("--model=baseline:truth", "--eval-writer-url=http://a/v1"), "--eval-writer-url has no effect: no --eval-wr"),
        (
            ("--model=baseline:truth", "--eval-writer=baseline:truth", "--eval-writer-url=http://a/v1"),
            "--eval-writer-url has no effect: baseline:truth is asked at no address",
        ),
        (("--model-url=http://a/v1",), "--codereason-model-url needs a model"),
        (("--eval-limit=3",), "--eval-limit needs a model"),
        (
            (*ALL, "--eval-gate=small.exact[model=smal] > 0"),
            "no model of the run is called 'smal' (did you mean 'small'?); there is small, s",
        ),
    ],
)
def test_an_option_that_would_have_no_effect(project: Project, arguments: tuple[str, ...], complaint: str) -> None:
    project.suite()
    name_models(project)
    assert complaint in usage_error(project, *arguments)


def test_a_setting_that_a_suite_varies_itself(project: Project) -> None:
    project.suite("varied", count=1, languages=("python",), more="temperature = [0.0, 0.5]\n")
    with Server(models=("qwen",), owned_by="me") as server:
        name_models(project, small=server.url)
        complaint = usage_error(project, "--model=small")
        assert "temperature of small has no effect in varied: the suite sets temperature as an axis" in complaint
        project.suite("plain", count=1, languages=("python",))
        result = project.run("--model=small")
        assert result.ret == 0
        result.stdout.fnmatch_lines(["codereason: temperature of small has no effect in varied: *"])
        assert sorted(request.body["temperature"] for request in server.requests) == [0.0, 0.2, 0.5]
