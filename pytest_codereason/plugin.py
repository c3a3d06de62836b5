"""The pytest plugin: hooks that wake the rest up when there is a suite to run.

Only the standard library, pytest and the declaration of the options are imported here. A project that has the plugin
installed and no suite sees no output, no file and no import beyond these.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.options import ALIASES, FLAGS, list_values, register_options

#: How an import without Hypothesis fails, here or in ``strategies``.
NO_HYPOTHESIS = re.compile(r"ModuleNotFoundError: (No module named 'hypothesis'|pytest_codereason\.strategies needs)")
#: How a user asks for workers, an option of pytest-xdist.
WORKERS = re.compile(r"-n(=?(\d+|auto|logical))?|--numprocesses(=.*)?")
#: Options that are a mistake without a model wherever they stand, in an ini file too: a gate would seem to have passed.
NEED_A_MODEL = ("--eval-gate", "--eval-dry-run", "--eval-strict")
MODEL_FLAGS = ("--model", "--codereason-model")
SUITE_SUFFIX = ".suite.toml"
#: The name of a suite, which is no path.
BARE_NAME = re.compile(r"[A-Za-z][\w-]*")
#: The arguments of the command as they were given, secrets among them; ``config.invocation_params`` hides those.
GIVEN = pytest.StashKey[pytest.Config.InvocationParams]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Registers every option and its ini twin."""
    register_options(parser)


@pytest.hookimpl(trylast=True)
def pytest_load_initial_conftests(early_config: pytest.Config, parser: pytest.Parser, args: list[str]) -> None:
    """Writes the short names out where they are free.

    Many a conftest has a ``--model`` of its own, and a deep one may register it long after this. So
    the short names are never registered: an argument that nobody else understands is spelt in full.
    """
    # argparse takes an option that it does not know for a file's name where there is a blank in it.
    probes = [arg.replace(" ", "_") if arg.partition("=")[0] in ALIASES else arg for arg in args]
    unknown = set(parser.parse_known_and_unknown_args(probes)[1])
    asks = early_config.getini("codereason_model") or any(arg.partition("=")[0] in MODEL_FLAGS for arg in args)
    if asks and (workers := next((arg for arg in unknown if WORKERS.fullmatch(arg)), "")):
        raise pytest.UsageError(f"{workers} needs pytest-xdist: pip install 'pytest-codereason[xdist]'")
    for position, (arg, probe) in enumerate(zip(args, probes, strict=True)):
        flag, equals, value = arg.partition("=")
        if flag in ALIASES and probe in unknown:
            args[position] = ALIASES[flag] + equals + value
    if any("model" in arg or "writer" in arg for arg in args):  # --debug and others show how pytest was called
        from pytest_codereason.core.secrets import hide_arguments

        given = early_config.stash[GIVEN] = early_config.invocation_params
        shown = hide_arguments(list(map(str, given.args)))
        early_config.invocation_params = pytest.Config.InvocationParams(
            args=shown, plugins=given.plugins, dir=given.dir
        )


def _find_suite(named: str) -> str:
    """An argument with the file of a shipped suite in the place of its name: ``ladder`` where no file is called so.

    Raises:
        pytest.UsageError: there is neither a file nor a suite of that name.
    """
    name, colons, question = named.partition("::")
    if os.path.exists(name) or not (BARE_NAME.fullmatch(name) or name.endswith(SUITE_SUFFIX)):
        return named
    from pytest_codereason.errors import UsageError
    from pytest_codereason.questions.suites.shipped import find_suite

    try:
        return f"{find_suite(name)}{colons}{question}"
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_configure(config: pytest.Config) -> None:
    """Starts the evaluation side of the plugin when a model is named."""
    if hasattr(config, "workerinput"):
        os.environ["CODEREASON_WORKER_INDEX"] = str(config.workerinput.get("codereason_index", 0))
    if config.getoption("codereason_model") or config.getini("codereason_model"):
        from pytest_codereason.session import evaluation

        if config.args_source is pytest.Config.ArgsSource.ARGS:
            config.args = [_find_suite(argument) for argument in config.args]
        evaluation.start(config, list_typed(config.invocation_params.args))
    elif idle := list_idle(config):
        raise pytest.UsageError(
            f"{idle[0]} needs a model: --model=PROVIDER:NAME (--codereason-model, if another plugin defines --model)"
        )


def list_typed(arguments: Iterable[object]) -> dict[str, list[str]]:
    """The options among the arguments of a command, by their full names, each with the values that it was given.

    ``addopts`` of the ini file is no part of them.
    """
    typed: dict[str, list[str]] = {}
    waiting = ""  # an option whose value comes next
    for argument in map(str, arguments):
        if waiting:
            typed[waiting].append(argument)
            waiting = ""
            continue
        if argument == "--":
            break
        flag, equals, value = argument.partition("=")
        flag = ALIASES.get(flag, flag)
        if flag not in FLAGS:
            continue
        values = typed.setdefault(flag, [])
        if equals:
            values.append(value)
        elif FLAGS[flag].attrs.get("action") != "store_true":
            waiting = flag
    return typed


def list_idle(config: pytest.Config) -> list[str]:
    """The options that have no effect because no model is named: any that the user typed, and some of the ini file."""
    typed = list_typed(config.invocation_params.args)
    return [
        option.flag
        for option, value in list_values(config)
        if (value and option.flag in NEED_A_MODEL) or (config.getoption(option.ini) and option.flag in typed)
    ]


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Lets workers have the arguments as they were given: xdist starts each by those of this process."""
    if GIVEN in config.stash:
        config.invocation_params = config.stash[GIVEN]


@pytest.fixture(scope="session")
def codereason(request: pytest.FixtureRequest) -> Any:
    """Asks a model about programs: ``ask(program)`` and ``survives(case)``; needs ``--model``."""
    from pytest_codereason.session import evaluation

    fuzzing = evaluation.find(request.config)
    if fuzzing is None:
        pytest.skip("no model: give --model=PROVIDER:NAME")
    return fuzzing.examine(getattr(request, "param", ""))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Says what to install if a file that uses this plugin cannot be imported because Hypothesis is missing."""
    report = yield
    if report.failed and isinstance(collector, pytest.Module) and NO_HYPOTHESIS.search(str(report.longrepr)):
        text = collector.path.read_text(encoding="utf-8", errors="replace")
        if "codereason" in text:  # the fixture, or an import
            name = os.path.relpath(collector.path, collector.config.invocation_params.dir)
            report.longrepr = f"{name} needs Hypothesis: pip install 'pytest-codereason[fuzz]'"
    return report


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collects suite files."""
    if not file_path.name.endswith(SUITE_SUFFIX):
        return None
    from pytest_codereason.session.collecting import items

    root = parent.config.rootpath
    # pytest itself gives files outside its root folder an empty name: questions of two suites would be one test.
    name = None if file_path.is_relative_to(root) else os.path.relpath(file_path, root)
    return items.SuiteFile.from_parent(parent, path=file_path, nodeid=name)
