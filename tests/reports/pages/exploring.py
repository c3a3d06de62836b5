"""What a reader does with the answers of a page, for tests in a real Chromium."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.reports.pages import chromium
from tests.reports.pages.chromium import Page

SAID = "document.querySelector('.said').textContent"
LINES = "[...document.querySelectorAll('.line-of-list .first')].map((each) => each.title)"
OUTCOMES = "[...document.querySelectorAll('.line-of-list .badge')].map((each) => each.textContent)"
#: Waits until the card of an opened answer has its texts.
CARD = """new Promise((resolve) => {
  const look = () => (document.querySelector('.answer[data-ready] :is(pre, .passages), .answer .notice')
    ? resolve(document.querySelector('.answer').textContent) : setTimeout(look, 20));
  look();
})"""


def explore(path: Path, profile: Path, visit: Callable[[Page], Awaitable[Any]], **options: Any) -> Any:
    """What ``visit`` gives of a page that complains of nothing and asks for nothing from elsewhere."""

    async def open_page() -> Any:
        async with chromium.browser(profile) as page:
            await page.open(path, **({"width": 1400} | options))
            result = await visit(page)
            assert page.complaints == [], page.complaints[:3]
            assert all(address.startswith(path.parent.as_uri()) for address in page.requests)
            return result

    return asyncio.run(open_page())
