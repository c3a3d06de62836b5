"""The pages in docs/studies name suites and papers that are shipped, and kinds of pictures that a figure draws."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGES = [path.read_text() for path in sorted((ROOT / "docs/studies").glob("*.md")) if path.name != "index.md"]
ROWS = [row for page in PAGES for row in re.findall(r"^\| .* \|$", page, re.MULTILINE)]


def find_names(column: int) -> set[str]:
    return {name for row in ROWS for name in re.findall(r"`([a-z-]+)`", row.split("|")[column])}


def test_every_suite_is_shipped() -> None:
    shipped = {path.name.partition(".")[0] for path in (ROOT / "suites").glob("*.suite.toml")}
    assert len(find_names(2) & shipped) > 10
    assert not find_names(2) - shipped


def test_every_kind_of_picture_is_drawn() -> None:
    figures = "".join(path.read_text() for path in (ROOT / "pytest_codereason/results/figures").glob("*.py"))
    kinds = find_names(4)
    assert len(kinds) > 10
    assert not {kind for kind in kinds if f'"{kind}"' not in figures}


def test_every_command_names_suites_and_a_paper_that_are_shipped() -> None:
    papers = {path.stem for path in (ROOT / "pytest_codereason/results/studies/papers").glob("*.toml")}
    for page in PAGES:
        (command,) = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        suites = re.findall(r"suites/\S+", command)
        assert suites
        assert all((ROOT / suite).exists() for suite in suites)
        (paper,) = re.findall(r"--eval-published=(\S+)", command)
        assert paper in papers
