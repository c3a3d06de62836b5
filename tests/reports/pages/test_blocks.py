"""Replies as their Markdown means it, beside markdown-it, and where the page departs from it on purpose."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from tests.reports.pages import chromium
from tests.reports.pages.chromium import Page
from tests.reports.pages.exploring import explore
from tests.reports.pages.outlines import outline
from tests.reports.pages.replied import read_cards, write_replies

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.PATH is None, reason="no Chromium on PATH"),
]
RENDERED = "card.querySelector('[aria-label=reply].rendered')?.innerHTML ?? null"

#: What models write often. markdown-it renders it the same.
ALIKE = [
    "# What it does\n\nIt adds.\n\n## First ##\nIt *adds* **two**, then ***three***.\n\n###### Last\n\nDone here now.",
    "The result is `[1, 2]`, not `` a`b `` and not ``` `` ```.\n\nA lone ` tick and a `` pair.",
    "**Answer:** `42`",
    "**Wrong *and* right**, *one **two***, **a *b***.",
    "It is 2 * 3 * 4, f(*args, **kwargs), x**2 and a * b.",
    "```python\ndef f(x):\n\n    return x  # **no mark**\n```\n\nThat is all of it.",
    "~~~\n```\n~~~\n\n````markdown\n```\nx\n```\n````",
    "A fence that is cut off:\n\n```js\nlet a = 1;\n\n# no heading",
    "- one\n- two\n  - inside\n  - again\n    1. deep\n- three",
    "1. one\n2. two\n\n   More of two.\n\n   ```python\n   x = 1\n     y = 2\n   ```\n3. three",
    "* one\n* two *is* `x`\n\nThen:\n- other\ngoes on\n\n---\n\nAfter the rule it goes on.",
    "| a | `b` |\n|---|:-:|\n| 1 | **2** |\n| x \\| y | |\n\nAfter the table it goes on.",
    "a | b\n--|--\n1 | 2",
    "> The order matters.\n> - one\n>\n> > deeper",
    "Escaped \\*stars\\* and \\`ticks\\` stay text here.\n\n***\n\nThe end of **it**.",
]
#: What differs from markdown-it, because in a reply about code each character may count.
APART = {
    "__init__ and _x_ of a `class`.": "<p>__init__ and _x_ of a <code>class</code>.</p>",
    "2*3*4, '*', '*' and a* in `x`.": "<p>2*3*4, '*', '*' and a* in <code>x</code>.</p>",
    "[a](http://x.org) ![b](c.png) <b>d</b> **e** &amp;": (
        "<p>[a](http://x.org) ![b](c.png) &lt;b&gt;d&lt;/b&gt; <strong>e</strong> &amp;amp;</p>"
    ),
    "x = 1\n# add two\nx += 2\n\n`x` is 3": "<pre>x = 1\n# add two\nx += 2</pre><p><code>x</code> is 3</p>",
    "# a comment\nx = 1\n\n`x`": "<p># a comment\nx = 1</p><p><code>x</code></p>",
    ">>> f(3)\n4\n\n`4`": "<pre>&gt;&gt;&gt; f(3)\n4</pre><p><code>4</code></p>",
    "def f(x):\n    return x\n\n**Done**": "<pre>def f(x):\n    return x</pre><p><strong>Done</strong></p>",
    "`a`\nb\n`c`": "<p><code>a</code>\nb\n<code>c</code></p>",
    "1. a\n1. b\n5) c": "<ol>"
    '<li data-number="1."><p>a</p></li><li data-number="1."><p>b</p></li><li data-number="5)"><p>c</p></li></ol>',
    "1. a\n  - b": '<ol><li data-number="1."><p>a</p><ul><li><p>b</p></li></ul></li></ol>',
}
PLAIN = [
    "[1, 2]",
    "-5",
    "42.",
    "It adds two and returns it.",
    "a = 1\n\n  b = 2",
    "a | b\nc | d",
    "**kwargs",
    "",
    "a_b_c",
]


def show(folder: Path, replies: list[str], **options: Any) -> list[str | None]:
    """The HTML of each reply as its card renders it; ``None`` where it is shown as written alone."""
    path = write_replies(folder, replies, **options)

    async def visit(page: Page) -> Any:
        return await read_cards(page, len(replies), RENDERED)

    html: list[str | None] = explore(path, folder / "profile", visit)
    return html


def test_common_markdown_is_rendered_as_by_markdown_it(tmp_path: Path) -> None:
    oracle = MarkdownIt("commonmark", {"html": False}).enable("table")
    shown = show(tmp_path, ALIKE)
    for reply, html in zip(ALIKE, shown, strict=True):
        theirs = outline(oracle.render(reply))
        assert "<" in theirs
        assert html is None or outline(html) == theirs, reply
    assert [reply for reply, html in zip(ALIKE, shown, strict=True) if html is None] == [ALIKE[4]]


def test_code_outside_fences_keeps_its_characters(tmp_path: Path) -> None:
    shown = show(tmp_path, list(APART))
    assert dict(zip(APART, shown, strict=True)) == APART


def test_a_reply_without_markdown_is_shown_as_written_alone(tmp_path: Path) -> None:
    assert show(tmp_path, PLAIN) == [None] * len(PLAIN)


def test_a_reply_goes_on_in_the_fence_of_its_prefill(tmp_path: Path) -> None:
    replies = [" [1, 2]\n```\n\nThat is it.", "```python\nx\n```", " [1, 2]", "Whole:\n```\nx\n```"]
    fence = '<div class="fence"><span class="language">python</span><pre>{}</pre></div>'
    inside, own, plain, whole = show(tmp_path, replies, prefill="The assertion:\n\n```python\nassert f(3) ==")
    assert inside == fence.format(" [1, 2]") + "<p>That is it.</p>"
    assert own == fence.format("x")
    assert plain is None
    assert whole == '<p>Whole:</p><div class="fence"><pre>x</pre></div>'


def make_text(draw: random.Random) -> str:
    """Words between marks of all kinds, in any order."""
    marks = [
        "**",
        "*",
        "`",
        "``",
        "\\*",
        "_",
        "\n",
        "\n\n",
        "\n- ",
        "\n  - ",
        "\n1. ",
        "\n> ",
        "\n## ",
        "# ",
        "\n---\n",
    ]
    marks += ["\n```\n", "\n```", "~~~", " | ", "\n|---|---|\n", "\n    ", " ", " ", "\t"]
    return "".join(draw.choice(["ab", "cd", "", "é"]) + draw.choice(marks) for _ in range(draw.randint(3, 40)))


def test_no_word_is_lost_or_moved(tmp_path: Path) -> None:
    draw = random.Random(2026)
    replies = [make_text(draw) for _ in range(150)]
    path = write_replies(tmp_path, replies)
    text = "card.querySelector('[aria-label=reply].rendered')?.textContent ?? null"

    async def visit(page: Page) -> Any:
        return await read_cards(page, len(replies), text)

    shown = explore(path, tmp_path / "profile", visit)
    assert sum(each is not None for each in shown) > 100
    for reply, each in zip(replies, shown, strict=True):
        if each is not None:
            assert re.findall(r"[abcdé]", each) == re.findall(r"[abcdé]", reply), reply


DISPLAYS = """[...card.querySelectorAll('.texts [role=group]')]
  .filter((each) => ['reply', 'reasoning'].includes(each.ariaLabel) && each.checkVisibility())
  .map((each) => [each.ariaLabel, each.classList.contains('rendered')])"""
IS_OFFERED = "card.querySelector('.tools label').checkVisibility()"


def test_a_switch_shows_replies_as_they_were_written(tmp_path: Path) -> None:
    path = write_replies(tmp_path, ["**Bold** it is.", "[1]"], reasoning="- one\n- two")

    async def visit(page: Page) -> None:
        first = await read_cards(page, 2, DISPLAYS)
        assert first == [[["reasoning", True], ["reply", True]], [["reasoning", True], ["reply", False]]]
        switched = (
            f"(card.querySelector('.tools input').checked || card.querySelector('.tools input').click(), {DISPLAYS})"
        )
        written = [["reasoning", False], ["reply", False]]
        assert await read_cards(page, 2, switched) == [written, written]
        assert await read_cards(page, 2, DISPLAYS) == [written, written], "the choice holds for all answers"

    explore(path, tmp_path / "profile", visit)


def test_no_switch_is_offered_where_nothing_is_rendered(tmp_path: Path) -> None:
    path = write_replies(tmp_path, ["[1]", "`1`"])

    async def visit(page: Page) -> None:
        assert await read_cards(page, 2, IS_OFFERED) == [False, True]

    explore(path, tmp_path / "profile", visit)
