"""What a tutorial shows: files to write, commands to type, and what they print.

=============================  ==================================================================
a block of a page              what it is
=============================  ==================================================================
```` ```python title="a.py" ````   a file, in whatever language
```` ```sh ````                    commands, typed in a shell
```` ```text ````                  what the commands before it print; ``...`` stands for any text
=============================  ==================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "tutorials"
FENCE = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class File:
    """A file that the reader writes."""

    name: str
    text: str


@dataclass(frozen=True)
class Commands:
    """What the reader types, and what the page says is printed; ``None`` where the page does not say."""

    text: str
    output: str | None


def list_tutorials() -> list[Path]:
    """All tutorials, without the page that lists them."""
    return sorted(path for path in FOLDER.glob("*.md") if path.name != "index.md")


def read_steps(page: str) -> Iterator[File | Commands]:
    """The steps of a page in their order.

    Raises:
        ValueError: a block is neither a file, nor commands, nor the output of commands.
    """
    blocks: list[tuple[str, str, str]] = FENCE.findall(page)
    if len(blocks) != len(re.findall(r"^```", page, re.MULTILINE)) / 2:
        raise ValueError("a block has no language, or a head that is not understood")
    for place, (language, title, text) in enumerate(blocks):
        follower = blocks[place + 1] if place + 1 < len(blocks) else ("", "", "")
        if title:
            yield File(title, text)
        elif language == "sh":
            yield Commands(text, follower[2] if follower[0] == "text" else None)
        elif language != "text" or place == 0 or blocks[place - 1][:2] != ("sh", ""):
            raise ValueError(f"a block of {language} is neither a file, nor commands, nor their output: {text}")


def matches(shown: str, printed: str) -> bool:
    """Whether commands printed what a page shows. A line of dots alone stands for any lines, or for none."""
    pattern = "".join(
        r"(?:.*\n)?" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n"
        for line in _list_lines(shown)
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _list_lines(printed)), re.DOTALL) is not None


def _list_lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").split("\n")]
