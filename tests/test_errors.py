"""Exceptions of a user's own parts, as their author reads them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pytest_codereason.core import Task
from pytest_codereason.core.text.edits import apply
from pytest_codereason.errors import (
    BadEdit,
    DoesNotParse,
    LostPlace,
    NotALiteral,
    PartError,
    Refused,
    Skip,
    TakesTooLong,
    blame,
    name_part,
)

SOURCE = """
import json

class Greet:
    def steps(self, instance):
        return self.read(instance)

    def read(self, text):
        return json.loads(text)

def edit(apply, edits):
    return apply("text", edits)
"""


@pytest.fixture
def mine(tmp_path: Path) -> ModuleType:
    """A module of a user's own."""
    path = tmp_path / "greet.py"
    path.write_text(SOURCE)
    module = ModuleType("mine.greet")
    exec(compile(SOURCE, str(path), "exec"), vars(module))
    return module


def fail_in(part: Any, *arguments: Any) -> PartError:
    with pytest.raises(PartError) as error, blame(part):
        part(*arguments) if callable(part) else part.steps(*arguments)
    return error.value


def test_the_line_to_blame_is_the_users(mine: ModuleType) -> None:
    error = fail_in(mine.Greet(), "{")
    assert str(error) == (
        "mine.greet:Greet raised JSONDecodeError: "
        "Expecting property name enclosed in double quotes: line 1 column 2 (char 1) (greet.py, line 9)"
    )


def test_the_traceback_begins_in_the_users_code(mine: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    from pytest_codereason import errors

    monkeypatch.setattr(errors, "_PACKAGE", f"{Path(__file__).parents[1]}/")  # this file plays the package's part
    trace = fail_in(mine.Greet(), "{").trace
    first, *_, last = trace.splitlines()
    assert first == "Traceback (most recent call last):"
    assert trace.index("greet.py") < trace.index("in read") < trace.index("json/decoder.py")
    assert __file__ not in trace
    assert last.startswith("json.decoder.JSONDecodeError: ")


def test_a_fault_of_the_package_shows_its_whole_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    from pytest_codereason import errors

    monkeypatch.setattr(errors, "_PACKAGE", f"{Path(__file__).parents[1]}/")  # this file plays the package's part
    error = fail_in(apply, "text", [None])
    assert str(error).endswith("object has no attribute 'span'")
    assert "in fail_in" in error.trace


def test_errors_of_the_package_pass() -> None:
    with pytest.raises(Skip), blame("a part"):
        raise Skip("nothing to change")


@pytest.mark.parametrize("mistake", [BadEdit("two edits overlap"), NotALiteral("not a literal"), Refused("a NUL")])
def test_a_mistake_with_our_own_functions_is_blamed_on_the_part(mistake: Exception) -> None:
    with pytest.raises(PartError) as caught, blame("a part"):
        raise mistake
    assert str(caught.value).startswith(f"a part raised {type(mistake).__name__}: {mistake}")


@pytest.mark.parametrize("reason", [LostPlace("the line is gone"), TakesTooLong("too long"), DoesNotParse("no")])
def test_errors_that_say_why_there_is_no_question_pass(reason: Exception) -> None:
    with pytest.raises(type(reason)), blame("a part"):
        raise reason


def test_a_part_is_named_by_kind_and_place() -> None:
    class Mine(Task):
        pass

    assert name_part(Mine) == f"the task {__name__}:{Mine.__qualname__}"


def test_an_error_of_a_part_may_be_told_with_its_place() -> None:
    error = PartError("the task mine:Greet", KeyError("name"))
    located = error.at("mine.suite.toml")
    assert str(located) == "mine.suite.toml: the task mine:Greet raised KeyError: 'name'"
    assert (located.part, located.trace) == (error.part, error.trace)
