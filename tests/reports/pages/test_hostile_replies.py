"""Markdown that attacks whoever reads it: nothing runs, nothing loads, nothing can be clicked, nothing hangs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.reports.pages.texts import LONGEST
from tests.reports.pages import chromium
from tests.reports.pages.chromium import Page
from tests.reports.pages.exploring import explore
from tests.reports.pages.replied import read_cards, write_replies

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.PATH is None, reason="no Chromium on PATH"),
]
RUN = "window.attacked = true"
IMAGE = f'<img src=x onerror="{RUN}">'
SCRIPT = f"</script><script>{RUN}</script>"
ATTACKS = [
    f"[click](javascript:{RUN}) [click]( javascript:{RUN}) [click](<javascript:{RUN}>) [click](&#106;avascript:{RUN})",
    f"[click][a] [a]\n\n[a]: javascript:{RUN}\n[a]: data:text/html,{SCRIPT}",
    f"<javascript:{RUN}> <http://127.0.0.1:1/a> http://127.0.0.1:1/b www.example.org javascript:{RUN}",
    "![x](http://127.0.0.1:1/a.png) ![x][i] ![](data:image/svg+xml,<svg/onload=alert(1)>)\n\n[i]: http://127.0.0.1:1/i",
    f"{IMAGE} **{IMAGE}** *{SCRIPT}* `{IMAGE}` `{SCRIPT}",
    f"# {IMAGE}\n\n## {SCRIPT}\n\n- {IMAGE}\n\n> {SCRIPT}\n\n1. {IMAGE}",
    f'```{IMAGE}\n{SCRIPT}\n```\n\n~~~{SCRIPT}\n{IMAGE}\n~~~\n\n```python" onclick="{RUN}\n```',
    f"| {IMAGE} | {SCRIPT} |\n|---|---|\n| {IMAGE} | **{SCRIPT}** |",
    "<svg onload=alert(1)> <style>*{display:none}</style> <base href=http://127.0.0.1:1/> <iframe src=//127.0.0.1:1/>",
    '<a href="javascript:alert(1)" autofocus onfocus=alert(1)>**a**</a> <form action=http://127.0.0.1:1><input>',
    '<div class="as-written" id="scheme" style="position:fixed;inset:0">**a**</div>',
    "**{{constructor.constructor('alert(1)')()}}** ${alert(1)} <!-- **a** --> ]]> &lt;b&gt; \x00\x1b[31m\u202e*a*",
]
#: One of each is as long as a text of a page may be.
ENDLESS = [
    *("*a ", "**a *b", "a* ", "*a* ", "`", "` ``", "`a", "\\*", "- ", "> ", "- a\n", "1. a\n", "  - a\n", "# ", "## #"),
    *(
        "\n",
        " \n",
        " ",
        "\t",
        "| ",
        "|-",
        "a|b\n-|-\n",
        "```\n",
        "~~~ ",
        "--- ",
        "- - ",
        "'*'",
        "_",
        "[",
        "<",
        "***a***",
    ),
]
LOOKS = """(() => {
  const all = [...card.querySelectorAll('[aria-label=reply].rendered *')];
  return [[...new Set(all.map((each) => each.tagName.toLowerCase()))],
          [...new Set(all.flatMap((each) => [...each.attributes].map(({ name, value }) => `${name}=${value}`)))],
          card.querySelector('[aria-label=reply].rendered')?.textContent ?? ''];
})()"""
TAGS = {"p", "pre", "code", "strong", "em", "h4", "ul", "ol", "li", "hr", "blockquote", "div", "span"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {
    "class=fence",
    "class=language",
    "class=heading",
    "data-level=1",
    "data-level=2",
    "data-number=1.",
    "scope=col",
}
ATTRIBUTES |= {"class=scroll", "tabindex=0", "role=group", "aria-label=table of the reply"}


def test_hostile_markdown_stays_text(tmp_path: Path) -> None:
    replies = [f"**Read** this reply.\n\n{attack}" for attack in ATTACKS]

    async def visit(page: Page) -> None:
        cards = await read_cards(page, len(replies), LOOKS)
        assert all(text.startswith("Read this reply.") for _, _, text in cards)
        assert {tag for tags, _, _ in cards for tag in tags} <= TAGS
        assert {attribute for _, attributes, _ in cards for attribute in attributes} == ATTRIBUTES
        texts = "\n".join(text for _, _, text in cards)
        for shown in (f"[click](javascript:{RUN})", "![x](http://127.0.0.1:1/a.png)", IMAGE, SCRIPT, "<iframe", "<!--"):
            assert shown in texts
        assert await page.evaluate("window.attacked") is None
        assert await page.evaluate("document.images.length") == 0

    explore(write_replies(tmp_path, replies), tmp_path / "profile", visit)


@pytest.mark.parametrize("end", ["", "x"])
def test_an_endless_mark_takes_no_time_and_no_depth(end: str, tmp_path: Path) -> None:
    replies = [f"{mark * ((LONGEST - 1) // len(mark))}{end}" for mark in ENDLESS]
    depth = "(function depth(node) { return 1 + Math.max(0, ...[...node.children].map(depth)); })"
    depth = f"card.querySelector('[aria-label=reply]') && {depth}(card)"

    async def visit(page: Page) -> Any:
        return await read_cards(page, len(replies), depth)  # gives up after 30 seconds for all of them

    depths = explore(write_replies(tmp_path, replies), tmp_path / "profile", visit)
    assert all(depths), "each card has its reply"
    assert 10 < max(depths) < 60
