"""The report as a reader meets it, in a real Chromium."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.reports.reporters.report_html import HtmlReport
from tests.reports.pages import chromium
from tests.reports.reporters.pages import hostile, ordinary

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.PATH is None, reason="no Chromium on PATH"),
]

OPEN_ALL = "document.querySelectorAll('details').forEach(each => { each.open = true }), 0"
# Elements that reach past the window, other than inside a box that scrolls by itself.
WIDE = """[...document.querySelectorAll('body *')]
  .filter(each => each.getBoundingClientRect().right > innerWidth + 0.5 && !each.closest('.scroll, pre, .list'))
  .map(each => each.outerHTML.slice(0, 80))"""
# Texts whose contrast (WCAG 2) with the nearest painted background is below 4.5.
FAINT = """(() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (v) => v <= 10 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ground = (each) => {
    const colour = parse(getComputedStyle(each).backgroundColor);
    return colour.length === 3 ? colour : ground(each.parentElement);
  };
  const contrast = (each) => {
    const style = getComputedStyle(each);
    const pair = [parse(each.closest('svg') ? style.fill : style.color), ground(each)].map(light);
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  };
  const own = (each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return [...document.querySelectorAll('body *:not(script, title, desc, style)')]
    .filter((each) => own(each) && contrast(each) < 4.5)
    .map((each) => `${each.outerHTML.slice(0, 60)}: ${contrast(each).toFixed(2)}`);
})()"""


def look(path: Path, profile: Path, width: int, *, dark: bool, ask: dict[str, str]) -> dict[str, Any]:
    async def visit() -> dict[str, Any]:
        async with chromium.browser(profile) as page:
            await page.open(path, width=width, dark=dark)
            results = {name: await page.evaluate(expression) for name, expression in ask.items()}
            return results | {"complaints": page.complaints, "requests": page.requests}

    return asyncio.run(visit())


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("page", [ordinary, hostile])
def test_it_reads_well(page: Any, width: int, dark: bool, tmp_path: Path) -> None:
    path = HtmlReport().write(*page(tmp_path).parts)
    ask = {
        "open": OPEN_ALL,
        "scrolls": "document.documentElement.scrollWidth - innerWidth",
        "wide": WIDE,
        "faint": FAINT,
        "paper": "getComputedStyle(document.body).backgroundColor",
        "images": "document.images.length",
    }
    facts = look(path, tmp_path / "profile", width, dark=dark, ask=ask)
    assert facts["complaints"] == []
    assert facts["requests"] == [path.as_uri()]
    assert facts["scrolls"] <= 0
    assert facts["wide"] == []
    assert facts["faint"] == []
    assert facts["paper"] == ("rgb(20, 22, 26)" if dark else "rgb(251, 250, 248)")
    assert facts["images"] == 0
