r"""Gives the text of a reply its plain look: ``［１，２］``, ``“ab”``, ``$9{,}500$`` and ``<b>42</b>``.

Only what stands outside of string literals is changed: ``'１'`` stays as it is, because it may be right as it stands.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pytest_codereason.questions.replies.pieces.strings import compile_outside, replace_outside

#: Characters that look like others, each with what is read in its place.
_ALIKE = {
    **dict.fromkeys("\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\u00ad\ufe0e\ufe0f", ""),
    **dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f\u205f\u3000\u2002\u2003", " "),
    **dict.fromkeys("−﹣－‐‑⁻", "-"),
    **dict.fromkeys("⇒⟶⟹➔➜➝➞➡↦⇨⟼⭢", "→"),
    **dict.fromkeys("【〔〖［", "["),
    **dict.fromkeys("】〕〗］", "]"),
    **dict.fromkeys("「」『』«»‹›", " "),
    **{"、": ",", "،": ",", "。": ". ", "।": ". ", "؛": ";", "؟": "?", "：": ": ", "，": ", "},
}
#: A string between typographic quotes, as one between plain ones.
_QUOTED = r"[“”„‟](?P<double>[^“”„‟\n]*+)[“”]|[‘‚](?P<single>[^‘’‚\n]*+)’"
_DASH = r"(?<![\w)\]'\"])[–—](?=\d)"
_OTHER = compile_outside(rf"{_QUOTED}|{_DASH}|[^\x00-\x7f]")

_HTML = compile_outside(
    r"<(?P<end>/?)(?P<name>b|strong|i|em|u|code|pre|tt|kbd|samp|span|mark|font|p|br|div|h[1-6]|li|ul|ol)"
    r"(?:\s[^<>\n]{0,200})?/?>",
    re.IGNORECASE,
)
_LINES = frozenset({"p", "br", "div", "li", "ul", "ol", "pre"})
_STRUCK = compile_outside(r"~~[^~\n]+~~")
#: What LaTeX writes around and within a value. A dollar sign before a name may begin a variable.
_LATEX = compile_outside(
    r"\\[()\[\]]|\\[{}]|\{,\}|\\[,;!:]|\\(?:left|right|displaystyle|quad|qquad)(?![a-zA-Z])"
    r"|(?<=\d)\\ (?=\d{3})|(?P<blank>\\ )"
    r"|\\(?:text|textbf|textit|texttt|mathbf|mathrm|mathtt|mathit)\{(?P<words>[^{}\n]*)\}(?!\})"
    r"|(?<![\w$\\])\$\$?[ \t]*(?P<formula>(?=[-+.\d\[({'\"\\?]|[^$\n]*[=→])[^$\n]{1,500}?)[ \t]*\$\$?(?![\w${])"
)


def read_plainly(text: str) -> str:
    """``text`` in its plain look."""
    if not text.isascii():
        text = replace_outside(_OTHER, _replace_other, text)
    if "<" in text:
        text = replace_outside(_HTML, lambda tag: "\n" if tag["name"].lower() in _LINES else "", text)
    if "~~" in text and "~~~" not in text:
        text = replace_outside(_STRUCK, lambda _: "", text)
    if "\\" in text or "$" in text or "{,}" in text:
        text = replace_outside(_LATEX, _replace_latex, text)
    return text


def _replace_other(other: re.Match[str]) -> str:
    for quote, inside in (('"', other["double"]), ("'", other["single"])):
        if inside is not None:
            return f"{quote}{inside}{quote}" if quote not in inside else other[0]
    return "-" if other[0] in "–—" and len(other[0]) == 1 and _is_sign(other) else _find_alike(other[0])


def _is_sign(dash: re.Match[str]) -> bool:
    return dash.string[dash.end() : dash.end() + 1].isdigit() and not (
        dash.string[max(0, dash.start() - 1) : dash.start()].isalnum()
    )


@lru_cache(maxsize=4096)
def _find_alike(character: str) -> str:
    if character in _ALIKE:
        return _ALIKE[character]
    if "！" <= character <= "～":
        return chr(ord(character) - 0xFEE0)
    digit = unicodedata.decimal(character, None)
    return character if digit is None else str(digit)


def _replace_latex(part: re.Match[str]) -> str:
    if part["words"] is not None:
        return part["words"]
    if part["formula"] is not None:
        return _LATEX.sub(
            lambda inner: inner[0] if inner["outside"] is None else _replace_latex(inner), part["formula"]
        )
    if part[0] in ("\\{", "\\}"):
        return part[0][1]
    return " " if part["blank"] or part[0] in ("\\(", "\\)", "\\[", "\\]") or part[0].endswith("quad") else ""
