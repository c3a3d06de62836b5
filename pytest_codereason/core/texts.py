"""Texts that a model or a rule writes about programs before questions are built.

A hint, for example: the perturbation ``hint`` gives a :class:`TextRequest`, the engine has the text written and checked
by the :class:`TextKind` of that name, and the perturbation is handed a :class:`Text`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pytest_codereason.core.programs import EMPTY, Program
from pytest_codereason.errors import CodereasonError

#: The author of a text that no model wrote.
RULE = "rule"


class Text(NamedTuple):
    """One text and its author. Without a value, nobody has written it yet and the rule is to."""

    value: str = ""
    by: str = RULE  #: a model's label, or ``rule``
    reason: str = ""  #: why the rule wrote it in a model's place, in words that follow a number: ``refused``
    #: when an earlier session had it written, in seconds since the epoch; ``None`` if this session had
    written: float | None = None
    #: how many texts of the rule failed before this one, by the reason: see :meth:`TextKind.count_rejections`
    rejections: Mapping[str, int] = EMPTY

    @property
    def author(self) -> str:
        """The author as a record names it: ``openai:x``, ``rule``, ``rule: refused``."""
        return f"{self.by}: {self.reason}" if self.reason else self.by


class TextRequest(NamedTuple):
    """One text that is wanted: of which kind, and about which program."""

    kind: str  #: the name of a :class:`TextKind`
    program: Program  #: as its source gave it
    of: str = ""  #: what of the program the text is about, where the kind knows several: ``output``, ``input``
    candidates: tuple[str, ...] = ()  #: what the rule would write, the best first
    by_rule: bool = False  #: whether no model may write it, as in worked examples
    place: str = ""  #: where it goes: the stage's own name for it


class Rejected(CodereasonError):
    """A text fails the check of its kind.

    Args:
        reason: in words that follow a number and are counted: ``repeated the truth``.
        words: sentences for the writer, where the kind sends them back.
    """

    def __init__(self, reason: str, words: str = "") -> None:
        super().__init__(reason)
        self.reason, self.words = reason, words
