"""The documentation: links lead somewhere, and the commands of README are those that are tested."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "reports").glob("*.md")])
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(linked), f"{page.name} links to {target}"


def test_the_site_has_every_document() -> None:
    def list_pages(nav: Any) -> list[str]:
        if isinstance(nav, str):
            return [nav]
        if isinstance(nav, dict):
            return [page for value in nav.values() for page in list_pages(value)]
        return [page for entry in nav for page in list_pages(entry)]

    pages = list_pages(tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"])
    assert sorted(pages) == sorted(str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md"))


def test_every_picture_is_there_and_shown() -> None:
    shown = {
        (page.parent / name).resolve()
        for page in PAGES
        for name in re.findall(r"!\[[^\]]+\]\((\S+)\)", page.read_text())
    }
    assert shown == {path.resolve() for path in (ROOT / "docs" / "pictures").iterdir()}


def test_readme_marks_its_two_commands() -> None:
    text = (ROOT / "README.md").read_text()
    for name in ("run", "test"):
        assert re.search(rf"^<!-- {name} -->\n```\w+\n.+?\n```$", text, re.MULTILINE | re.DOTALL)


def test_every_document_is_reached_from_readme() -> None:
    """README links to the pages of ``docs``, and a folder there has an index that links to its pages."""
    text = (ROOT / "README.md").read_text()
    for page in (ROOT / "docs").rglob("*.md"):
        if page.parent.name == "docs" or page.name == "index.md":
            path = str(page.relative_to(ROOT))
            assert path in text, f"README does not link to {path}"
        else:
            index = page.parent / "index.md"
            assert f"]({page.name})" in index.read_text(), f"{index} does not link to {page.name}"
