"""Every tutorial runs as it is printed: its files are written, its commands typed, and they print what it shows."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest

from tests.tutorials.pages import FOLDER, Commands, list_tutorials, matches, read_steps
from tests.tutorials.readers import open_endpoint
from tests.tutorials.shell import CACHE, Failed, Shell


@pytest.mark.slow
@pytest.mark.parametrize("page", list_tutorials(), ids=lambda page: page.stem)
def test_a_tutorial_does_what_it_says(page: Path, tmp_path: Path) -> None:
    if "local:smollm2" in page.read_text("utf-8") and CACHE is None:
        pytest.skip("CODEREASON_TEST_GGUF names no SmolLM2-135M-Instruct GGUF in a cache folder")
    folder = tmp_path / "home"
    folder.mkdir()
    with open_endpoint() as stand_ins, Shell(folder, stand_ins) as shell:
        for step, printed in shell.follow(page.read_text("utf-8")):
            assert step.output is None or matches(step.output, printed), explain(step, printed)


def explain(step: Commands, printed: str) -> str:
    shown = (step.output or "").splitlines()
    changes = difflib.unified_diff(shown, printed.splitlines(), "the page", "what is printed", lineterm="")
    return "\n".join([step.text, *changes])


def test_the_workflow_types_the_command_that_the_page_types() -> None:
    page = (FOLDER / "compare.md").read_text("utf-8").replace("\\\n", "\n")
    typed, in_workflow = re.findall(
        r"^ *(pytest \S+ --model=openai:release-42 .*?'.*?')", page, re.MULTILINE | re.DOTALL
    )
    assert typed.split() == in_workflow.split()


def test_a_shell_keeps_what_a_block_exports(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    with Shell(tmp_path / "home", {"https://there.example": "http://here"}) as shell:
        list(shell.follow('```text title="sub/a.txt"\ntext\n```\n\n```sh\nexport COUNT=3\ncd sub\n```\n'))
        assert matches(
            "text\n3 at https://there.example\n", shell.type("cat a.txt; echo $COUNT at https://there.example")
        )
        with pytest.raises(Failed, match="exit code 1"):
            shell.type("false\necho not reached\n")


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb", "a  \nb\n\n", True),
        ("a\n...\nd in ... s", "a\nb\nc\nd in 0.5 s", True),
        ("a\n...\nb\n...", "a\nb", True),
        ("a\n...", "b\na", False),
        ("a.c", "abc", False),
    ],
)
def test_three_dots_stand_for_anything(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) == same


@pytest.mark.parametrize("page", ["```python\nx\n```", "```text\nx\n```", "```\nx\n```", '```sh name="a"\nx\n```'])
def test_a_block_without_a_meaning_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match="block"):
        list(read_steps(f"\n{page}\n"))
