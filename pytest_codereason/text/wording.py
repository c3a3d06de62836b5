"""How numbers and foreign text are written, the same in terminal, Markdown and HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pytest_codereason.core import AxisValue

UNDEFINED = "undefined"

# What a terminal or browser would act on instead of showing: control characters, marks that turn the
# direction of text, and halves of surrogate pairs, which no file in UTF-8 can hold.
_UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    r"""``text`` with everything that acts instead of showing written out: ESC becomes ``\x1b``."""
    return _UNSHOWN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def one_line(text: str, limit: int = 120) -> str:
    """``text`` made visible, on one line, cut at ``limit`` characters."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def clip(text: str, width: int = 80) -> str:
    """One printable line of at most ``width`` characters; control characters are shown, not obeyed."""
    printable = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[: width * 2])
    return printable if len(printable) <= width and len(text) <= width * 2 else printable[: width - 1] + "…"


def number(value: float | None) -> str:
    """Three decimals: ``0.812``."""
    return UNDEFINED if value is None else _minus(f"{value:.3f}")


def signed(value: float | None, decimals: int = 3) -> str:
    """A difference: ``−0.048``, ``+0.015``."""
    return UNDEFINED if value is None else _minus(f"{value:+.{decimals}f}")


def percent(value: float | None) -> str:
    """A relative change: ``−29.9 %``, with a blank at which no line breaks."""
    return UNDEFINED if value is None else signed(100 * value, 1) + "\xa0%"


def _minus(text: str) -> str:
    if not text.strip("+-0."):
        return text.lstrip("+-")  # neither +0.000 nor -0.000
    return text.replace("-", "−")


def interval(estimate: Mapping[str, Any]) -> str:
    """``[0.796, 0.827]``, or nothing where there is none."""
    if estimate["low"] is None:
        return ""
    return f"[{number(estimate['low'])}, {number(estimate['high'])}]"


def signed_interval(delta: Mapping[str, Any]) -> str:
    """``[−0.112, +0.015]``, or nothing where there is none."""
    return "" if delta["low"] is None else f"[{signed(delta['low'])}, {signed(delta['high'])}]"


def estimate(found: Mapping[str, Any]) -> str:
    """``0.812 [0.796, 0.827]``."""
    return f"{number(found['value'])} {interval(found)}".strip()


def change(delta: Mapping[str, Any] | None) -> str:
    """``−0.101 [−0.162, −0.040], −16.5 %``, and whether no two answers could be paired."""
    if delta is None:
        return UNDEFINED
    text = f"{signed(delta['value'])} {signed_interval(delta)}".strip() + f", {percent(delta['relative'])}"
    return text if delta["pairs"] else f"{text}, unpaired"


def clear(delta: Mapping[str, Any]) -> bool:
    """Whether the interval of a difference leaves out zero."""
    return delta["low"] is not None and (delta["low"] > 0 or delta["high"] < 0)


def count(value: int) -> str:
    """``2,388``."""
    return f"{value:,}"


def plural(value: int, noun: str) -> str:
    """``1 question``, ``2,400 questions``."""
    return f"{count(value)} {noun}" + ("" if value == 1 else "s")


def outcome(name: str) -> str:
    """The word for an outcome in a table; an ``error`` is a question nobody answered."""
    return "unanswered" if name == "error" else name


def unanswered(counts: Mapping[str, int]) -> str:
    """``12 unanswered``, or nothing: stands beside every headline that leaves questions out."""
    return f"{count(counts['error'])} unanswered" if counts["error"] else ""


def hints(by: Mapping[str, int]) -> str:
    """``780 by openai:x, 20 by rule (17 repeated the truth, 3 refused)``; nothing where it is all the rule's own."""
    if not by.keys() - {"rule"}:
        return ""
    counts = {who: many for who, many in by.items() if who != "rule" and not who.startswith("rule: ")}
    reasons = {who.removeprefix("rule: "): many for who, many in by.items() if who.startswith("rule: ")}
    if ruled := sum(by.values()) - sum(counts.values()):
        counts["rule"] = ruled
    text = ", ".join(f"{count(many)} by {visible(who)}" for who, many in counts.items())
    because = ", ".join(f"{count(many)} {visible(reason)}" for reason, many in reasons.items())
    return f"{text} ({because})" if because else text


def moment(iso: str | None) -> str:
    """``2026-11-21 10:00`` from a time in ISO 8601."""
    return iso[:16].replace("T", " ") if iso else "unknown"


def duration(seconds: float | None) -> str:
    """``0.84 s``, ``3 min 12 s``, ``26 h``, ``3 days``."""
    if seconds is None:
        return "unknown"
    if seconds < 60:
        return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    return f"{seconds / 3600:.0f} h" if seconds < 172_800 else f"{seconds / 86_400:.0f} days"


def dollars(value: float | None) -> str:
    """``$0.41``; small sums keep two digits that say something."""
    if value is None:
        return "unknown"
    return f"${value:,.2f}" if value >= 0.1 or value == 0 else f"${value:.2g}"


def axis_value(value: AxisValue) -> str:
    """An axis value as suite files write it."""
    return visible(str(value).lower() if isinstance(value, bool) else str(value))


def collapsed(found: Mapping[str, Any]) -> str:
    """``collapsed: 3 of 800``, the answers that ran away into repetition; nothing where none did."""
    return f"collapsed: {count(int(found['total']))} of {count(found['known'])}" if found["total"] else ""
