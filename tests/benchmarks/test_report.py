"""How long a report of 100,000 answers takes: to write, to open in Chromium, to filter, to search, to sort."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from pytest_codereason.reports.pages.rendering import read_script
from pytest_codereason.reports.reporters.report_html import HtmlReport
from tests.benchmarks.extent import limit
from tests.reports.pages import chromium
from tests.reports.pages.explored import build_run

pytestmark = [
    pytest.mark.benchmark,
    pytest.mark.skipif(chromium.PATH is None, reason="no Chromium on PATH"),
]
FAMILIES, MODELS = limit(3_125, 300), 4

SET = "const set = (name, value, event) => { const field = document.querySelector(name); field.value = value; \
field.dispatchEvent(new Event(event)); }; const menu = (place) => document.querySelectorAll('.facet')[place];"
#: What a reader does, as JavaScript: the filters are those of outcome, kind, model, language, perturbation, digits.
ACTIONS = {
    "open a menu": "menu(0).open = true",
    "filter by outcome": "[...menu(0).querySelectorAll('input')].find((box) => box.value === 'wrong').click()",
    "filter by a kind of failure as well": "document.querySelector('.breakdown button').click()",
    "search in a filter": "set('input[type=search]', '-17', 'input')",
    "clear": "document.querySelector('.status button').click()",
    "search in all": "set('input[type=search]', '00 42', 'input')",
    "clear again": "document.querySelector('.status button').click()",
    "group by model": "set('.breakdown select', 'model', 'change')",
    "sort by seconds": "set('form select', 'latency_s', 'change')",
    "reverse": "document.querySelector('form input[type=checkbox]').click()",
    "scroll to the end": "document.querySelector('.list').scrollTop = 1e9",
    "open a card": "document.querySelector('.line-of-list').click()",
}
#: The time of each ends when the page has been laid out again.
TIMED = """(async () => {{ {set} const start = performance.now(); {action}; document.body.offsetHeight;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - start; }})()"""


def test_a_report_of_100_000_answers(tmp_path: Path) -> None:
    run = build_run(tmp_path, families=FAMILIES, models=MODELS, response="I work it out line by line. " * 40)
    start = time.perf_counter()
    path = HtmlReport().write(*run.parts)
    seconds = time.perf_counter() - start
    beside = sum(each.stat().st_size for each in (tmp_path / "report-data").iterdir())
    print(
        f"\n{len(run.report.data.records):,} answers: written in {seconds:.1f} s, "
        f"page {path.stat().st_size / 1e6:.1f} MB, texts beside it {beside / 1e6:.0f} MB, "
        f"script {len(read_script()) / 1e3:.0f} kB"
    )

    async def visit() -> None:
        async with chromium.browser(tmp_path / "profile") as page:
            for _ in range(3):
                start = time.perf_counter()
                await page.open(path, width=1400)
                print(f"open, with the first list: {1e3 * (time.perf_counter() - start):.0f} ms")
            for name, action in ACTIONS.items():
                print(f"{name}: {await page.evaluate(TIMED.format(set=SET, action=action)):.0f} ms")
            print(f"memory of the script: {await page.evaluate('performance.memory.usedJSHeapSize') / 1e6:.0f} MB")
            assert page.complaints == []

    asyncio.run(visit())
