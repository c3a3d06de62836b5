"""Cards whose replies a test chooses, as a real Chromium shows them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pytest_codereason.reports.reporters.report_html import HtmlReport
from tests.reports.pages.chromium import Page
from tests.reports.reporters.pages import finish
from tests.results.synthetic import make_row, make_run

#: The value of an expression for each card, by its id. A reader opens the first answer and goes on with "Next".
EACH_CARD = """(async () => {{
  const card = document.querySelector('.answer'), found = {{}};
  delete card.dataset.ready;
  document.querySelector('.line-of-list').click();
  for (let left = {count}, before; left > 0; left -= 1) {{
    while (card.dataset.ready === before) await new Promise((resolve) => setTimeout(resolve));
    before = card.dataset.ready;
    found[card.querySelector('h3 code').textContent] = {expression};
    if (left > 1) [...card.querySelectorAll('button')].find((each) => each.textContent === 'Next').click();
  }}
  return found;
}})()"""


def write_replies(folder: Path, replies: Sequence[str], *, prefill: str | None = None, reasoning: str = "") -> Path:
    """The report of a run with an answer for each reply."""
    step = {"messages": [{"role": "user", "content": "?"}], "prefill": prefill, "reasoning": reasoning or None}
    rows = [
        make_row(
            id=f"python/{place:04}[digits:2]",
            family=f"{place:04}",
            response=reply,
            steps=[step | {"response": reply, "finish": "stop"}],
        )
        for place, reply in enumerate(replies)
    ]
    suites: dict[str, dict[str, list[Any]]] = {"semtrace": {"digits": [2], "prompting": ["direct"]}}
    run = make_run(suites=suites, models=["m"], families=len(rows))
    return HtmlReport().write(*finish(folder, run, rows).parts)


async def read_cards(page: Page, count: int, expression: str) -> list[Any]:
    """What a JavaScript expression, which may use ``card``, gives for each of the answers."""
    found = await page.evaluate(EACH_CARD.format(count=count, expression=expression))
    assert len(found) == count
    return [found[name] for name in sorted(found)]
