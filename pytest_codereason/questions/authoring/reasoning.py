"""Reasoning: the steps to a call graph in words, written by a model that is shown the graph."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pytest_codereason.core import Completion, Rejected, RunProgram, TextRequest
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.questions.authoring._prompts import TemplateText

#: Most characters of the steps.
MOST_CHARACTERS = 20_000
_THINKING = re.compile(r"<think>(.*?)</think>", re.DOTALL)
#: Words of somebody who has been told the answer.
_TOLD = re.compile(
    r"\b(?:ground truth|as (?:given|shown|listed) above|provided (?:answers?|calls)|were shown to me)\b", re.I
)


class ReasoningText(TemplateText):
    """The steps to a program's call graph. They must name every callee, and not say that the answer was known.

    The rule's text is that of the trace (``languages/call_graphs/explaining.py``), which a request brings along.
    """

    name = "reasoning"
    version = 1

    def values(self, request: TextRequest) -> Mapping[str, object]:
        """All files of the program, and its call graph."""
        program = request.program
        callers = [
            {"name": caller, "callees": ", ".join(callees)}
            for caller, callees in program.facts.edges.items()
            if callees
        ]
        return {
            "files": [{"path": file, "text": program.files[file].strip("\n")} for file in program.shown_order],
            "callers": callers,
        }

    def read(self, completion: Completion, request: TextRequest) -> str:
        """What stands between the tags.

        Raises:
            Rejected: There are no tags, or nothing between them.
        """
        found = _THINKING.search(completion.text)
        if found is None or not found[1].strip():
            raise Rejected("wrote nothing between the tags")
        return found[1].strip()

    async def check(self, text: str, request: TextRequest, run: RunProgram) -> int:
        """Every callee is named, and the writer does not speak of the answer as known.

        Raises:
            Rejected: A callee is missing, the text is too long, or says that the answer was shown.
        """
        if len(text) > MOST_CHARACTERS:
            raise Rejected("wrote too long a text")
        if _TOLD.search(text):
            raise Rejected("spoke of the answer as known")
        for callees in request.program.facts.edges.values():
            for callee in callees:
                if callee not in text:
                    raise Rejected("left out a call")
        return 0

    def candidates(self, request: TextRequest, draws: Draws) -> Sequence[str]:
        """The steps of the trace."""
        return request.candidates
