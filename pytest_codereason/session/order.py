"""What the user has ordered: the command, its options, and the models that they name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_codereason.core.text.parts import spell_part
from pytest_codereason.options import Options
from pytest_codereason.session.checking.models import Roster


@dataclass(frozen=True, kw_only=True)
class Command:
    """How pytest was called."""

    arguments: tuple[str, ...]
    typed: Mapping[str, Sequence[str]]  #: the options among them, by their full names, each with its values
    root: Path  #: pytest's root folder
    collects_only: bool  #: ``--collect-only``
    files: frozenset[Path]  #: the files named on the command line
    selector: str  #: the options that select questions, as text; the same in each process
    junit_file: str | None  #: ``--junitxml``
    replaced: tuple[str, ...] = ()  #: notes on settings of the ini file that the command line replaces

    @classmethod
    def read(cls, config: pytest.Config, options: Options, typed: Mapping[str, Sequence[str]]) -> Command:
        """The command of a pytest run."""
        return cls(
            arguments=tuple(map(str, config.invocation_params.args)),
            typed=typed,
            root=config.rootpath,
            collects_only=config.option.collectonly,
            files=frozenset(config.invocation_params.dir / each.partition("::")[0] for each in config.args),
            selector=_describe_selector(config, options),
            junit_file=config.getoption("xmlpath", None),
            replaced=_list_replaced(config),
        )

    @property
    def is_sample(self) -> bool:
        """Whether ``--eval-limit`` alone has chosen the questions, so that their programs are a random sample."""
        return re.fullmatch(r"limit=[\d/]+", self.selector) is not None


def _list_replaced(config: pytest.Config) -> tuple[str, ...]:
    """A note if the command line replaces the address of the ini file, which the models there may need."""
    name = "codereason_model_url"
    typed = config.getoption(name, None)
    if not typed or not (written := config.getini(name)) or set(written) == set(typed):
        return ()
    return (f"--model-url replaces {name} of the ini file",)


#: Options of pytest that leave questions out, by their names in its configuration.
SELECTING = ("keyword", "markexpr", "deselect", "lf", "stepwise")


def _describe_selector(config: pytest.Config, options: Options) -> str:
    """For example ``keyword='php' limit=40``; empty if every question of each suite is asked."""
    given = {name: repr(value) for name in SELECTING if (value := config.getoption(name, None))}
    if options.limit is not None:
        given["limit"] = spell_part(options.limit)
    if options.shard is not None:
        given["shard"] = repr(options.shard)
    if ids := sorted(argument.partition("::")[2] for argument in config.args if "::" in argument):
        given["ids"] = repr(ids)
    return " ".join(f"{name}={value}" for name, value in given.items())


@dataclass(frozen=True)
class Order:
    """The order of a session, as it was read before anything was collected."""

    command: Command
    options: Options
    roster: Roster
