"""What the records of one item say about the item."""

from __future__ import annotations

from pytest_codereason.core import Record


def summary_of(records: list[Record]) -> tuple[str, str]:
    """An item's outcome (``correct``, ``miss``, ``skipped``, ``error``) and a line that explains it.

    An item is right when every sample is; one that has no answer cannot be judged.
    """
    for outcome in ("error", "skipped"):
        if found := next((r for r in records if r.outcome == outcome), None):
            return outcome, clip(found.reason, 300)
    missed = [r for r in records if r.outcome != "correct"]
    if not missed:
        return "correct", ""
    first = missed[0]
    line = f"expected {clip(first.expected)}, got {clip(first.answer) if first.answer is not None else 'no answer'}"
    if first.outcome != "wrong":
        line = f"{first.outcome}: {line}" + (f" ({clip(first.reason, 120)})" if first.reason else "")
    if len(records) > 1:
        line = f"{len(records) - len(missed)} of {len(records)} samples right; {line}"
    return "miss", line


def clip(text: str, width: int = 80) -> str:
    """One printable line of at most ``width`` characters; control characters are shown, not obeyed."""
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[: width * 2])
    return shown if len(shown) <= width and len(text) <= width * 2 else shown[: width - 1] + "…"
