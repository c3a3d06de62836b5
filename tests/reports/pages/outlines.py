"""HTML as an outline, in which two renderings of one Markdown are equal: its elements and texts, without attributes."""

from __future__ import annotations

import re
from html.parser import HTMLParser

#: Elements in which a page wraps others and that mean nothing.
_WRAPPERS = {("div", "scroll"), ("li", "p"), ("blockquote", "p"), ("pre", "code")}

_BLOCKS = r"h\d|p|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|pre[^>]*|hr"  # no space beside them means anything


class _Outline(HTMLParser):
    """Collects the outline of the HTML that it is fed."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.open: list[tuple[str, bool]] = []  # each open element, and whether the outline has it

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        tag = f"h{given['data-level']}" if "data-level" in given else tag
        around = self.open[-1][0] if self.open else ""
        is_wrapper = bool({(around, tag), (tag, given.get("class") or "")} & _WRAPPERS)
        if tag == "hr":
            self.parts.append("<hr>")
            return
        if language := (given.get("class") or "").removeprefix("language-") if (around, tag) == ("pre", "code") else "":
            self.parts[-1] = f"<pre {language}>"
        self.open.append((tag, not is_wrapper))
        self.parts += [] if is_wrapper else [f"<{tag}>"]

    def handle_endtag(self, tag: str) -> None:
        if tag != "hr":
            tag, is_shown = self.open.pop()
            self.parts.append(f"</{tag}>" if is_shown else " " if tag == "p" else "")

    def handle_data(self, data: str) -> None:
        if any(tag == "pre" for tag, _ in self.open):
            self.parts.append(data.strip("\n"))
        elif data.strip() or self.parts[-1:] != [" "]:
            self.parts.append(re.sub(r"\s+", " ", data))


def outline(html: str) -> str:
    """``<h2>Title</h2><ul><li>one</li></ul><pre python>x = 1</pre>``."""
    html = re.sub(
        r'<div class="fence">(?:<span class="language">(.*?)</span>)?<pre>(.*?)</pre></div>',
        lambda found: f'<pre><code class="language-{found[1] or ""}">{found[2]}</code></pre>',
        html,
        flags=re.DOTALL,
    )
    parser = _Outline()
    parser.feed(html)
    parser.close()
    return re.sub(rf" *(</?(?:{_BLOCKS})>) *", r"\1", "".join(parser.parts))
