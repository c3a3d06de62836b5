"""Comments ``/** ... */`` that stand before a function."""

from __future__ import annotations

import re

from pytest_codereason.core.language.structure import Documentation, Function, Span

#: The asterisk at the beginning of a line within the comment.
_MARGIN = re.compile(r"^[ \t]*\*? ?", re.MULTILINE)


def find_block_comment(source: str, function: Function | None) -> Documentation | None:
    """The comment that ends just before a function, or before the line on which the function begins.

    A program as a whole has none: the comment at the top of a file is mostly its licence.
    """
    if function is None:
        return None
    start = function.span.start
    for before in (source[:start].rstrip(), source[: source.rfind("\n", 0, start) + 1].rstrip()):
        opened = before.rfind("/**")
        if before.endswith("*/") and opened >= 0 and before.find("*/", opened + 3) == len(before) - 2:
            text = _MARGIN.sub("", before[opened + 3 : -2]).strip()
            return Documentation(text, Span(opened, len(before))) if text else None
    return None
