"""A reader chooses light or dark, with keys alone, in a real Chromium."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pytest_codereason.reports.reporters.report_html import HtmlReport
from tests.reports.pages import chromium
from tests.reports.pages.chromium import Page
from tests.reports.reporters.pages import ordinary

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.PATH is None, reason="no Chromium on PATH"),
]

LIGHT, DARK = "rgb(251, 250, 248)", "rgb(20, 22, 26)"
# A page hears of the system's change with its next frame.
SHOWN = """new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(
  [document.getElementById('scheme').textContent, getComputedStyle(document.body).backgroundColor]))))"""
NO_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no') } })"


async def press_switch(page: Page) -> None:
    """The first Tab of a page reaches the switch."""
    for key, code, text in (("Tab", 9, ""), ("Enter", 13, "\r")):
        for kind in ("keyDown", "keyUp"):
            await page.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, text=text)


async def set_system(page: Page, scheme: str) -> None:
    await page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])


def test_the_page_follows_the_system_until_the_reader_chooses(tmp_path: Path) -> None:
    path = HtmlReport().write(*ordinary(tmp_path).parts)

    async def visit() -> None:
        async with chromium.browser(tmp_path / "profile") as page:
            await page.open(path, width=390)
            assert await page.evaluate(SHOWN) == ["Dark mode", LIGHT]
            await set_system(page, "dark")
            assert await page.evaluate(SHOWN) == ["Light mode", DARK]
            await press_switch(page)
            assert await page.evaluate(SHOWN) == ["Dark mode", LIGHT], "against the system"
            await page.reload()
            assert await page.evaluate(SHOWN) == ["Dark mode", LIGHT], "the choice is kept"
            await set_system(page, "light")
            await press_switch(page)
            assert await page.evaluate(SHOWN) == ["Light mode", DARK]
            await page.call("Emulation.setEmulatedMedia", media="print")
            assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
            assert page.complaints == []

    asyncio.run(visit())


def test_without_storage_the_choice_lasts_as_long_as_the_page(tmp_path: Path) -> None:
    path = HtmlReport().write(*ordinary(tmp_path).parts)

    async def visit() -> None:
        async with chromium.browser(tmp_path / "profile") as page:
            await page.open(path, width=1400)
            await page.call("Page.addScriptToEvaluateOnNewDocument", source=NO_STORAGE)
            await page.reload()
            await press_switch(page)
            assert await page.evaluate(SHOWN) == ["Light mode", DARK]
            await page.reload()
            assert await page.evaluate(SHOWN) == ["Dark mode", LIGHT]
            assert page.complaints == []

    asyncio.run(visit())
