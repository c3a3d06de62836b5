"""Which texts of a writer would tell the reader of a question what to do."""

from __future__ import annotations

import re

#: Words of a text that tells the reader what to do, or speaks of the question.
INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|instructions?|prompt|assistant|answer(?:s|ed)?|respond|reply|bugs?|bugg\w+|fault\w*|"
    r"incorrect\w*|mistakes?|line \d+)\b",
    re.IGNORECASE,
)
