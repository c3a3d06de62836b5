"""What the user has ordered is read off pytest's configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.options import read_options
from pytest_codereason.session.order import Command
from tests.session.conftest import PLUGINS, Project
from tests.session.ordered import make_command


def read(project: Project, *arguments: str) -> Command:
    config = project.pytester.parseconfig(*(f"-p{name}" for name in PLUGINS), *arguments)
    return Command.read(config, read_options(config), {"--eval-limit": ["3"]})


def test_a_command_has_its_files_folder_and_typed_options(project: Project) -> None:
    path = project.suite()
    command = read(project, "small.suite.toml::python/0000", "--junitxml=out.xml")
    assert command.files == {path}
    assert command.root == project.path
    assert {"small.suite.toml::python/0000", "--junitxml=out.xml"} <= {*command.arguments}
    assert command.typed == {"--eval-limit": ["3"]}
    assert Path(command.junit_file or "").name == "out.xml"
    assert not command.collects_only
    assert read(project, "--collect-only").collects_only


@pytest.mark.parametrize(
    ("arguments", "selector", "is_sample"),
    [
        ((), "", False),
        (("--eval-limit=40",), "limit=40", True),
        (("--eval-limit=1/8",), "limit=1/8", True),
        (("-k", "php", "--eval-limit=40"), "keyword='php' limit=40", False),
        (("-m", "digits", "--eval-shard=2/4"), "markexpr='digits' shard=(1, 4)", False),
        (("b::2", "a::1"), "ids=['1', '2']", False),
    ],
)
def test_the_selection_of_questions_is_told_as_text(
    project: Project, arguments: tuple[str, ...], selector: str, is_sample: bool
) -> None:
    command = read(project, *arguments)
    assert (command.selector, command.is_sample) == (selector, is_sample)


def test_an_address_that_replaces_that_of_the_ini_file_is_told(project: Project) -> None:
    (project.path / "pytest.ini").write_text("[pytest]\ncodereason_model_url = http://a/v1\n")
    same, other = (read(project, f"--codereason-model-url=http://{host}/v1") for host in "ab")
    assert same.replaced == read(project).replaced == ()
    assert other.replaced == ("--model-url replaces codereason_model_url of the ini file",)


def test_a_sample_is_chosen_by_the_limit_alone(project: Project) -> None:
    chosen = [
        make_command(project, selector=text).is_sample for text in ("limit=4", "limit=10%", "limit=4 shard=(1, 2)")
    ]
    assert chosen == [True, False, False]
