"""Makes foreign text safe to show, and writes counts in words, for terminal, Markdown and HTML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

from pytest_codereason.core.display import visible

#: A blank at which no line ends. :func:`wrap` makes an ordinary blank of it.
NO_BREAK = "\xa0"
_NUMBER = r"[-+−]?\d[\d.,]*"
#: What stands on one line: ``[−0.490, +0.490]``, ``[31.2, 70.9] %``, ``95 %``.
_WHOLE = re.compile(rf"\[{_NUMBER}, {_NUMBER}\](?: %)?|\d %")


def one_line(text: str, limit: int = 120) -> str:
    """``text`` made visible, on one line, cut at ``limit`` characters."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def wrap(text: str, width: int, *, first: str = "", later: str = "", break_words: bool = True) -> list[str]:
    """The lines of a text, of at most ``width`` characters. No line ends within an interval or a percentage.

    Args:
        first: what stands before the first line.
        later: what stands before each other line.
        break_words: whether a word is broken that is longer than a line.
    """
    lines = textwrap.wrap(
        _WHOLE.sub(lambda match: match[0].replace(" ", NO_BREAK), text),
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_on_hyphens=False,
        break_long_words=break_words,
    )
    return [line.replace(NO_BREAK, " ") for line in lines]


def clip(text: str, width: int = 80) -> str:
    """One printable line of at most ``width`` characters, with control characters written out."""
    printable = text[: width * 2]
    if not printable.isprintable():
        printable = "".join(c if c.isprintable() else repr(c)[1:-1] for c in printable)
    return printable if len(printable) <= width and len(text) <= width * 2 else printable[: width - 1] + "…"


def capitalise(text: str) -> str:
    """``text`` with a capital first letter; the others stay. It may be empty."""
    return text[:1].upper() + text[1:]


def count(value: int) -> str:
    """``2,388``."""
    return f"{value:,}"


def plural(value: int, noun: str) -> str:
    """``1 question``, ``2,400 questions``, ``3 repositories``, ``2 batches``."""
    if value == 1:
        return f"1 {noun}"
    if noun.endswith(("ch", "sh")):
        return f"{count(value)} {noun}es"
    ends_in_y = noun[-1] == "y" and noun[-2] not in "aeiou"
    return f"{count(value)} " + (f"{noun[:-1]}ies" if ends_in_y else f"{noun}s")


def write_minus(text: str) -> str:
    """The number with the sign of minus in place of a hyphen, and no sign before zero."""
    if not text.strip("+-0."):
        return text.lstrip("+-")  # neither +0.000 nor -0.000
    return text.replace("-", "−")


def write_number(value: float, decimals: int = 3) -> str:
    """``−0.048`` as a sentence has it. A condition of a gate keeps the hyphen that its user typed."""
    return write_minus(f"{value:.{decimals}f}")


def spell_place(value: float, lowest: float, highest: float) -> str:
    """A place on an axis in few digits: ``37``, ``1.4``; ``< 1`` and ``> 4,096`` beyond those that can be measured."""
    if value < lowest:
        return f"< {lowest:,.0f}"
    if value >= highest:
        return f"> {highest:,.0f}"
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"


def name_place(axis: str, place: str) -> str:
    """A place with its axis: ``37 steps``, ``1 step``, ``9 rounds`` for ``9.0``, ``level 4.8``."""
    if not axis.endswith("s"):
        return f"{axis} {place}"
    place = place.removesuffix(".0")
    return f"{place} {axis[:-1] if place == '1' else axis}"


def group_reasons(reasons: Mapping[str, str]) -> list[str]:
    """``2 suites (a, b): cruxeval.jsonl is not here``: a text for each reason, from reasons by suite file."""
    suites: dict[str, list[str]] = {}
    for file, reason in reasons.items():
        suites.setdefault(reason, []).append(file.rpartition("/")[2].partition(".")[0])
    return [f"{plural(len(names), 'suite')} ({', '.join(names)}): {reason}" for reason, names in suites.items()]


def hints(by: Mapping[str, int]) -> str:
    """``780 by openai:x, 20 by rule (17 repeated the truth, 3 refused)``; empty without a writer."""
    if not by.keys() - {"rule"}:
        return ""
    counts = {who: many for who, many in by.items() if who != "rule" and not who.startswith("rule: ")}
    reasons = {who.removeprefix("rule: "): many for who, many in by.items() if who.startswith("rule: ")}
    if ruled := sum(by.values()) - sum(counts.values()):
        counts["rule"] = ruled
    text = ", ".join(f"{count(many)} by {visible(who)}" for who, many in counts.items())
    because = ", ".join(f"{count(many)} {visible(reason)}" for reason, many in reasons.items())
    return f"{text} ({because})" if because else text
