"""Keeps chat markup inside a program what it is: text of the user.

A tokenizer turns ``<|im_end|>`` into the token that ends a turn wherever it stands, in a string of
the program under question too. Here such a text is cut in two before the chat template is applied
and encoded in parts, so that the model reads its characters and the conversation keeps its shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

#: A noncharacter, which Unicode reserves for use inside a program: marks where a text is to be cut.
CUT = "\ufdd0"


class Shield:
    """Cuts the special tokens of one tokenizer.

    Args:
        special: the texts of its special tokens.
    """

    def __init__(self, special: Iterable[str]) -> None:
        longest_first = sorted({token for token in special if len(token) > 1}, key=len, reverse=True)
        self._special = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def cut(self, text: str) -> str:
        """``text`` with a mark inside every special token; lone surrogates become question marks."""
        text = text.replace(CUT, "").encode("utf-8", "replace").decode("utf-8")
        return self._special.sub(lambda match: match[0][0] + CUT + match[0][1:], text)


def encode(prompt: str, tokens: Callable[[str], Sequence[int]]) -> list[int]:
    """The tokens of a rendered prompt, its parts between the marks encoded each by itself."""
    return [token for part in prompt.split(CUT) if part for token in tokens(part)]
