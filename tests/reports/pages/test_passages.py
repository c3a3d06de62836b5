"""What a model wrote, as it was written: sentences as prose, code with its columns, every mark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.reports.reporters.report_html import HtmlReport
from tests.reports.pages import chromium
from tests.reports.pages.chromium import Page
from tests.reports.pages.explored import build_run
from tests.reports.pages.exploring import CARD, explore
from tests.results.synthetic import write_run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.PATH is None, reason="no Chromium on PATH"),
]

PASSAGES = """(() => {
  const shown = document.querySelector('[aria-label=reply]:not(.rendered)');
  const parts = shown.tagName === 'PRE' ? [shown] : [...shown.children];
  return parts.map((each) => [each.tagName, each.textContent]);
})()"""
TITLES = "[...document.querySelectorAll('.texts > details > summary')].map((each) => each.textContent)"


def show(folder: Path, *responses: str) -> Any:
    """The passages and the headings of a card whose steps have these replies."""
    run = build_run(folder)
    rows = [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines()]
    steps = [rows[0]["steps"][0] | {"response": text} for text in responses]
    write_run(folder, {}, [row | {"steps": steps} for row in rows])

    async def visit(page: Page) -> Any:
        await page.evaluate("document.querySelector('.line-of-list').click(), 0")
        await page.evaluate(CARD)
        return await page.evaluate(PASSAGES), await page.evaluate(TITLES)

    return explore(HtmlReport().write(*run.parts), folder / "profile", visit)


SENTENCE = "The loop adds **two** at each turn."


@pytest.mark.parametrize(
    ("reply", "passages"),
    [
        pytest.param(SENTENCE, [["P", SENTENCE]], id="a sentence"),
        pytest.param("[1, 2]", [["PRE", "[1, 2]"]], id="a value"),
        pytest.param("import os\nimport sys", [["PRE", "import os\nimport sys"]], id="words without a sentence"),
        pytest.param("a = 1\n\n\n  b = 2 ", [["PRE", "a = 1\n\n\n  b = 2 "]], id="code alone stays as it is"),
        pytest.param(
            f"{SENTENCE}\n\ndef f(x):\n    return x\n\n    # The end of this one.\n\n{SENTENCE}",
            [["P", SENTENCE], ["PRE", "def f(x):\n    return x\n\n    # The end of this one."], ["P", SENTENCE]],
            id="an indented program",
        ),
        pytest.param(
            f"{SENTENCE}\n```\nIn a fence, this is code.\n\nAnd this.\n```\n{SENTENCE}",
            [["P", SENTENCE], ["PRE", "```\nIn a fence, this is code.\n\nAnd this.\n```"], ["P", SENTENCE]],
            id="a fence",
        ),
        pytest.param(
            f"{SENTENCE}\n```\nThis fence has no end.",
            [["P", SENTENCE], ["PRE", "```\nThis fence has no end."]],
            id="a fence that was cut off",
        ),
    ],
)
def test_prose_is_set_as_prose_and_code_keeps_its_columns(reply: str, passages: Any, tmp_path: Path) -> None:
    assert show(tmp_path, reply)[0] == passages


def test_one_reply_stands_first_and_several_in_their_order(tmp_path: Path) -> None:
    _, one = show(tmp_path / "one", "[1]")
    assert one[:4] == ["The reply was begun with", "Reasoning", "Reply", "Question: 1 earlier message"]
    assert one[-1] == "Scores and measures"
    _, two = show(tmp_path / "two", "[1]", "[2]")
    replies = [title for title in two if title.startswith(("Reply", "Question, step"))]
    assert replies == [
        "Question, step 1 of 2: 1 earlier message",
        "Question, step 1 of 2",
        "Reply",
        "Question, step 2 of 2: 1 earlier message",
        "Question, step 2 of 2",
        "Reply",
    ]
