"""Draws the pictures of ``docs/gallery.md``: ``python -m tests.tutorials.gallery [PICTURE...]``.

Needs Chromium and matplotlib. Draws all pictures, unless some are named. The weights of the models are fetched where
they are not here, 1.7 GB in all.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tests.reports.pages.chromium import Page, browser
from tests.tutorials.pages import FOLDER
from tests.tutorials.readers import open_endpoint
from tests.tutorials.shell import Shell

PICTURES = FOLDER.parent / "pictures"
FIRST = """
```sh
codereason init suites
pytest suites/quickstart.suite.toml --model=local:smollm2 --model=baseline:chance
```
"""
CODERS = """
```sh
codereason init suites
codereason fetch qwen2.5-coder-0.5b qwen2.5-coder-1.5b
pytest suites/ladder.suite.toml -k python --eval-limit=256 \\
    --model=local:smollm2 --model=local:qwen2.5-coder-0.5b --model=local:qwen2.5-coder-1.5b
```
"""
SIDES = """
```sh
codereason compare reports/release-41 reports/release-42 --format html -o sides.html
```
"""


@dataclass(frozen=True)
class Scene:
    """A part of a page as a reader sees it."""

    name: str
    page: str  #: below the folder of the tutorial
    at: str = ""  #: the words of the heading to scroll to; the top of the page without
    width: int = 1200
    height: int = 800
    dark: bool = False


#: What is done, as a tutorial says it, and what is then looked at.
SHOWS: tuple[tuple[str, tuple[Scene, ...]], ...] = (
    (
        FIRST,
        (
            Scene("quickstart", "reports/latest/report.html"),
            Scene("levels", "reports/latest/report.html", at="Exact match by level", height=700),
        ),
    ),
    (CODERS, (Scene("coders", "reports/latest/report.html", at="Right answers by level", height=700),)),
    (
        (FOLDER / "compare.md").read_text("utf-8") + SIDES,
        (
            Scene("release", "reports/release-42/report.html"),
            Scene("sides", "sides.html"),
            Scene("phone", "sides.html", width=390, height=760, dark=True),
        ),
    ),
    ((FOLDER / "faults.md").read_text("utf-8"), (Scene("faults", "reports/latest/report.html", dark=True),)),
)
SCROLL = """
[...document.querySelectorAll("h2, h3")].find(h => h.textContent.includes({words!r})).scrollIntoView();
scrollBy(0, -40);
"""


async def draw(names: Collection[str]) -> None:
    """Draws the scenes with these names, or every scene if there is none."""
    with tempfile.TemporaryDirectory() as folder, open_endpoint() as stand_ins:
        async with browser(Path(folder) / "profile") as page:
            for number, (show, all_scenes) in enumerate(SHOWS):
                scenes = [scene for scene in all_scenes if scene.name in names or not names]
                if not scenes:
                    continue
                home = Path(folder) / str(number) / "home"
                home.mkdir(parents=True)
                with Shell(home, stand_ins, charts=True) as shell:
                    list(shell.follow(show))
                for scene in scenes:
                    await _draw(page, home, scene)


async def _draw(page: Page, home: Path, scene: Scene) -> None:
    await page.open((home / scene.page).resolve(), width=scene.width, height=scene.height, dark=scene.dark)
    if scene.at:
        await page.evaluate(SCROLL.format(words=scene.at))
    await asyncio.sleep(0.5)  # until it has been painted
    PICTURES.mkdir(exist_ok=True)
    await page.screenshot(PICTURES / f"{scene.name}.webp", whole=False)


if __name__ == "__main__":
    asyncio.run(draw(sys.argv[1:]))
