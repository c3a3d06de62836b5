"""Fails if a page of the site would load something from another server: ``python .ci/site.py FOLDER``."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path


class Loads(HTMLParser):
    """The addresses that a browser loads to show a page. Links to follow are none."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes what a tag loads."""
        known = dict(attrs)
        if tag == "link" and known.get("rel") in ("canonical", "next", "prev"):
            return
        name = {"script": "src", "img": "src", "iframe": "src", "link": "href"}.get(tag, "")
        if address := known.get(name):
            self.addresses.append(address)


def list_outside(folder: Path) -> list[str]:
    """Each page with an address outside that it loads."""
    outside = []
    for page in sorted(folder.rglob("*.html")):
        loads = Loads()
        loads.feed(page.read_text("utf-8"))
        outside += [
            f"{page}: {address}" for address in loads.addresses if address.startswith(("http:", "https:", "//"))
        ]
    return outside


if __name__ == "__main__":
    pages = Path(sys.argv[1])
    found = list_outside(pages)
    print("\n".join(found) or f"{len(list(pages.rglob('*.html')))} pages load nothing from other servers")
    sys.exit(bool(found))
