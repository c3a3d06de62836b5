"""Questions with their right replies, as conversations that a model can be trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pytest_codereason.core import Ask, Instance

#: What encloses the steps to an answer, as reasoning models write it (TraceEval, appendix A.3).
THINK = ("<think>", "</think>")


class Conversation(NamedTuple):
    """One question with its right reply."""

    id: str
    suite: str
    family: str  #: the program it came from
    language: str
    repository: str  #: where the program was found, empty if that is not known
    messages: Sequence[Mapping[str, str]]  #: ``{"role": ..., "content": ...}``; the last is the right reply

    def to_row(self) -> dict[str, object]:
        """The conversation as JSON."""
        return {**self._asdict(), "messages": [dict(message) for message in self.messages]}


def make_conversation(instance: Instance, ask: Ask, reasoning: str = "") -> Conversation:
    """The messages that a run sends, and the reply that is right, behind the steps that lead to it.

    The reply begins with the prefill, because a model is trained on whole replies.
    """
    reply = f"{ask.prefill}{ask.truth}"
    if reasoning:
        reply = f"{THINK[0]}\n{reasoning.strip()}\n{THINK[1]}\n{reply}"
    messages = [{"role": message.role, "content": message.content} for message in ask.messages]
    return Conversation(
        id=instance.id,
        suite=instance.suite,
        family=instance.family,
        language=instance.language,
        repository=instance.program.repository,
        messages=[*messages, {"role": "assistant", "content": reply}],
    )
