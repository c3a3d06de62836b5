"""The files that say how far a run is while it runs: ``progress.json`` for programs, ``progress.html`` for a browser.

The page loads itself anew, so it needs no server and no script. Both files are gone once the run has its report.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from pathlib import Path

from pytest_codereason.engine.storage.run_folder import PROGRESS

#: How often the files are written, and how often the page loads itself, in seconds.
EVERY_S = 2.0
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="{every:g}">
<title>{percent} % of {name}</title>
<body style="font: 1.1em/1.6 system-ui; max-width: 44em; margin: 4em auto; padding: 0 1em">
<h1 style="font-size: 1.2em">{name}</h1>
<progress style="width: 100%" max="{of}" value="{done}"></progress>
<p>{line}</p>
<p>When the run has ended, <a href="report.html">report.html</a> is here.</p>
</body>
</html>
"""


class ProgressFile:
    """The two files of one run folder."""

    def __init__(self, folder: Path) -> None:
        self._json, self._page = folder / PROGRESS, folder / "progress.html"
        self._name = folder.name

    def write(self, content: Mapping[str, object], line: str) -> None:
        """Writes both files, each whole or not at all. On a full disk they stay as they are: the records say so.

        Args:
            content: ``done`` and ``of``, questions, and whatever else is counted.
            line: the same in words.
        """
        done, of = int(str(content["done"])), int(str(content["of"]))
        page = _PAGE.format(
            every=EVERY_S,
            percent=done * 100 // max(of, 1),
            name=escape(self._name),
            done=done,
            of=of,
            line=escape(line),
        )
        with suppress(OSError):
            _replace(self._json, json.dumps({**content, "line": line}) + "\n")
            _replace(self._page, page)

    def remove(self) -> None:
        """Removes both files: the reports say more."""
        with suppress(OSError):
            for path in (self._json, self._page):
                path.unlink(missing_ok=True)


def _replace(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
