"""The models of a session: made of specs, tables and arguments; each mistake names what the user wrote."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_codereason.core import Model
from pytest_codereason.errors import BadSetting, UsageError
from pytest_codereason.models.shared import weights
from pytest_codereason.options import Options
from pytest_codereason.session.checking.model_tables import load_tables
from pytest_codereason.session.checking.models import (
    ModelMaker,
    Roster,
    check_setting,
    make_roster,
    settle_models,
)
from tests.session.collected import read_typed
from tests.session.conftest import Project

TABLES = """
[models.small]
spec = "openai:qwen"
url = "http://127.0.0.1:9/v1"
temperature = 0.2
concurrency = 2
key_env = "SMALL_KEY"

[models.free]
spec = "baseline:truth"
"""


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    monkeypatch.setenv("SMALL_KEY", "sk-9876543210")


def make(project: Project, *arguments: str) -> Roster:
    (project.path / "models.toml").write_text(TABLES)
    return make_roster(read_typed(project, *arguments), project.path)


LOCAL = ("--codereason-model=openai:x", "--codereason-model-url=http://127.0.0.1:9/v1")
NAMED = ("--eval-models=models.toml", "--codereason-model=small")


def test_a_spec_makes_a_model_with_settings_for_all(project: Project) -> None:
    roster = make(project, *LOCAL, "--codereason-model-arg=temperature=0.5", "--codereason-model-arg=body.top_k=20")
    (model,) = roster.models.values()
    assert (model.label, model.spec, model.sampling) == ("openai:x", "openai:x", {})
    assert (roster.sampling, roster.writers, roster.writer) == ({"temperature": 0.5}, {}, None)
    assert "top_k" in str(model.identity)


def test_a_table_makes_a_model_with_settings_of_its_own(project: Project) -> None:
    (model,) = make(project, *NAMED).models.values()
    assert (model.label, model.spec, model.concurrency, model.sampling) == (
        "small",
        "openai:qwen",
        2,
        {"temperature": 0.2},
    )
    changed = make(
        project, *NAMED, *(f"--codereason-model-arg=small:{each}" for each in ("concurrency=5", "top_p=0.5"))
    )
    (model,) = changed.models.values()
    assert (model.concurrency, model.sampling) == (5, {"temperature": 0.2, "top_p": 0.5})
    shared = make(project, *NAMED, "--codereason-model-arg=temperature=0.7")
    assert (shared.sampling, shared.models["small"].sampling) == ({"temperature": 0.7}, {})


def test_a_writer_writes_for_every_model_or_each_for_itself(project: Project) -> None:
    other = make(
        project, *LOCAL, "--codereason-model=small", "--eval-models=models.toml", "--eval-writer=baseline:truth"
    )
    assert {label: writer.label for label, writer in other.writers.items()} == dict.fromkeys(
        ("openai:x", "small"), "baseline:truth"
    )
    assert other.writer is not None
    own = make(project, *LOCAL, "--eval-writer=self")
    assert own.writers == own.models


MISTAKES: dict[str, tuple[tuple[str, ...], str]] = {
    "no such table": (
        (*NAMED, "--codereason-model=smal"),
        "unknown model 'smal': did you mean 'small'? models.toml names small, free; or write PROVIDER:NAME",
    ),
    "no table used": (("--eval-models=models.toml", *LOCAL), "--eval-models has no effect"),
    "no such provider": (("--codereason-model=opnai:x",), "openai"),
    "an address for none": (("--codereason-model=baseline:truth", LOCAL[1]), "--model-url has no effect"),
    "an address twice": ((*NAMED, LOCAL[1]), "--model-url has no effect: small has a url of its own"),
    "a setting that cannot be": ((*LOCAL, "--codereason-model-arg=temperature=3"), "--model-arg temperature: "),
    "a setting of nobody": ((*LOCAL, "--codereason-model-arg=large:top_p=1"), "no model of this run is called 'large'"),
    "a setting given twice": (
        (*LOCAL, "--codereason-model-arg=top_p=1", "--codereason-model-arg=top_p=1"),
        "--model-arg top_p is given twice: keep one",
    ),
    "another spec": ((*NAMED, "--codereason-model-arg=small:spec=x"), "small:spec cannot be changed"),
    "no concurrency": ((*NAMED, "--codereason-model-arg=small:concurrency=0"), "must be a whole number from 1"),
    "a setting without effect": (
        ("--codereason-model=baseline:truth", "--codereason-model-arg=temperature=1"),
        "--model-arg temperature has no effect: baseline:truth takes no settings of sampling",
    ),
    "an unknown argument": ((*LOCAL, "--codereason-model-arg=colour=red"), "colour"),
    "an unknown argument of one of several": (
        (*LOCAL, "--codereason-model=baseline:truth", "--codereason-model-arg=truht=1"),
        "--model-arg 'truht'",
    ),
    "an unknown argument of a named model": (
        (*NAMED, "--codereason-model-arg=small:colour=red"),
        "--model-arg small:colour: ",
    ),
    "an argument like one that every model has": (
        (*NAMED, "--codereason-model-arg=small:concurency=3"),
        "--model-arg small:concurency: unknown key 'concurency': did you mean 'concurrency'?",
    ),
    "an address of a model without any": (
        ("--codereason-model=baseline:truth", "--codereason-model-arg=baseline:truth:url=http://127.0.0.1:9/v1"),
        "--model-arg baseline:truth:url: 'url' has no effect: baseline:truth is asked at no address",
    ),
    "a setting of a model without any": (
        ("--codereason-model=baseline:truth", "--codereason-model-arg=baseline:truth:top_p=1"),
        "--model-arg baseline:truth:top_p: 'top_p' has no effect: baseline:truth takes no settings of sampling",
    ),
    "a model that is nearly there": (
        (*NAMED, "--codereason-model-arg=smal:top_p=1"),
        "no model of this run is called 'smal': did you mean 'small'? there is small",
    ),
    "a setting of one of two given twice": (
        (*NAMED, "--codereason-model=openai:x", "--codereason-model-arg=top_p=1", "--codereason-model-arg=top_p=1"),
        "--model-arg top_p is given twice: keep one; for one model write --model-arg small:top_p=VALUE",
    ),
    "a writer that is asked too": (
        (*LOCAL, "--eval-writer=openai:x", f"--eval-writer-url={LOCAL[1][23:]}"),
        "would be asked about",
    ),
    "an address of no writer": ((*LOCAL, "--eval-writer-url=http://127.0.0.1:9/v1"), "--eval-writer-url has no effect"),
    "an address of an idle writer": (
        (*LOCAL, "--eval-writer=baseline:truth", "--eval-writer-url=http://127.0.0.1:9/v1"),
        "--eval-writer-url has no effect",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_names_the_option_that_the_user_wrote(project: Project, mistake: str) -> None:
    arguments, message = MISTAKES[mistake]
    with pytest.raises(UsageError, match=re.escape(message)):
        make(project, *arguments)


def test_one_model_under_two_names_is_refused(project: Project) -> None:
    (project.path / "models.toml").write_text(TABLES + '[models.twin]\nspec = "baseline:truth"\n')
    options = read_typed(project, "--eval-models=models.toml", "--codereason-model=free", "--codereason-model=twin")
    with pytest.raises(UsageError, match="--model=free and --model=twin are one model"):
        make_roster(options, project.path)


def test_a_mistake_in_a_table_is_named_with_its_line(project: Project) -> None:
    (project.path / "models.toml").write_text('[models.small]\nspec = "baseline:truth"\nurl = "http://a/v1"\n')
    with pytest.raises(
        UsageError,
        match=r"models\.toml:3: \[models\.small\]: 'url' has no effect: baseline:truth is asked at no address",
    ):
        make_roster(read_typed(project, *NAMED), project.path)


@pytest.mark.parametrize(("text", "value"), [("3", 3), ("0.5", 0.5), ("low", "low")])
def test_a_setting_is_read_as_a_number_where_it_is_one(text: str, value: object) -> None:
    key = {"3": "max_tokens", "0.5": "temperature", "low": "reasoning_effort"}[text]
    assert check_setting(key, text) == value
    with pytest.raises(BadSetting):
        check_setting("temperature", "hot")


def test_a_command_names_its_own_option(tmp_path: Path) -> None:
    maker = ModelMaker(load_tables(None, tmp_path), None, {}, {"openai:x": {"concurrency": "no"}}, own_option="--arg ")
    with pytest.raises(UsageError, match="--writer: --arg concurrency must be a whole number"):
        maker.make_writer("openai:x", "--writer")
    made: Model = ModelMaker(load_tables(None, tmp_path), None, {}, {"baseline:truth": {}}).make_model("baseline:truth")
    assert made.label == "baseline:truth"


def settle(project: Project, *arguments: str) -> Options:
    return settle_models(read_typed(project, *arguments), project.path)


@pytest.fixture
def coder(project: Project, monkeypatch: pytest.MonkeyPatch) -> str:
    """The model of code whose weights are here, beside the smallest ones."""
    monkeypatch.setenv("CODEREASON_CACHE", str(project.path / "cache"))
    for name in ("smollm2", "qwen2.5-coder-0.5b"):
        path = weights.locate(weights.PINS[name])
        path.parent.mkdir(parents=True)
        path.write_bytes(b"GGUF")
    return "local:qwen2.5-coder-0.5b"


def test_local_alone_is_the_best_model_that_is_here(project: Project, coder: str) -> None:
    settled = settle(
        *(project, "--codereason-model=local", "--codereason-model=baseline:chance"),
        *("--codereason-model-arg=local:threads=1", "--codereason-model-arg=temperature=0"),
    )
    assert settled.models == (coder, "baseline:chance")
    assert settled.model_args == ((f"{coder}:threads", "1"), ("temperature", "0"))
    assert list(make_roster(settled, project.path).models) == [coder, "baseline:chance"]


def test_a_model_with_a_name_is_the_one_that_was_named(project: Project, coder: str) -> None:
    settled = settle(project, "--codereason-model=local:smollm2", "--codereason-model-arg=local:smollm2:threads=1")
    assert settled.models == ("local:smollm2",)
    assert settled.model_args == (("local:smollm2:threads", "1"),)


def test_a_best_model_that_is_named_too_is_asked_once(project: Project, coder: str) -> None:
    assert settle(project, "--codereason-model=local", f"--codereason-model={coder}").models == (coder,)


def test_a_table_of_this_name_is_the_users(project: Project, coder: str) -> None:
    (project.path / "pyproject.toml").write_text('[tool.codereason.models.local]\nspec = "baseline:truth"\n')
    settled = settle(project, "--codereason-model=local")
    assert settled.models == ("local",)
    assert make_roster(settled, project.path).models["local"].spec == "baseline:truth"
