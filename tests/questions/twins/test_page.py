"""The examples of ``docs/twins.md``: each call ends as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox

PAGE = Path(__file__).parents[3].joinpath("docs", "twins.md").read_text("utf-8")
[SOURCE] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
ROWS = re.findall(
    r"^\| `([\w-]+)`(?:, `(.+?)` is now `(.+?)`|, if [\w ]+)? \| `(f\(.*?\))` \| `(.+?)` \|$", PAGE, re.MULTILINE
)


def test_each_kind_has_an_example() -> None:
    assert [kind for kind, *_ in ROWS] == ["published", "fresh-input", "fresh-program", "fresh-raise", "fresh-raise"]


@pytest.mark.parametrize(("kind", "old", "new", "call", "answer"), ROWS)
def test_a_call_ends_as_the_page_says(kind: str, old: str, new: str, call: str, answer: str, sandbox: Sandbox) -> None:
    source = SOURCE.replace(old, new) if old else SOURCE
    assert (source != SOURCE) == (kind == "fresh-program")
    ended = sandbox.run(Run.from_program(Program.from_source(language="python", source=source, call=call)))
    assert answer == (language("python").values.write(ended.value) if ended.returned else f"raises {ended.error}")
