"""What pytest reads of a command and collects of a project, without asking anything."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pytest_codereason.options import Options, read_options
from pytest_codereason.session.collecting.items import Question
from tests.session.conftest import PLUGINS, Project, list_plugin_distributions


def collect(project: Project, *args: str) -> list[pytest.Item]:
    """All items, in the order of collection."""
    with _few_plugins():
        items, _ = project.pytester.inline_genitems(*(f"-p{name}" for name in PLUGINS), *args)
    return list(items)


def read_typed(project: Project, *args: str) -> Options:
    """The options of a command."""
    with _few_plugins():
        return read_options(project.pytester.parseconfig(*(f"-p{name}" for name in PLUGINS), *args))


@contextmanager
def _few_plugins() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        environment.setattr(importlib.metadata, "distributions", list_plugin_distributions)
        yield


def list_questions(items: list[pytest.Item]) -> list[Question]:
    """The questions among them."""
    return [item for item in items if isinstance(item, Question)]
