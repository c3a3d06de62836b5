"""Comments: descriptions of a program that are coherent and wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from pytest_codereason.changes.perturbations._places import parse_program
from pytest_codereason.changes.perturbations._stories import STORY_KINDS, draw_story
from pytest_codereason.core import Completion, Rejected, RunProgram, TextRequest
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Refused
from pytest_codereason.questions.authoring._instructions import INSTRUCTION
from pytest_codereason.questions.authoring._json_replies import read_object
from pytest_codereason.questions.authoring._prompts import TemplateText
from pytest_codereason.registry import language

_MOST_CHARACTERS, _MOST_TEXTS = 120, 12
#: What could end a comment or a docstring, or be read as something else than text.
_MARKS = re.compile(r"""["'\\`%{}<>]|\*/|/\*|//|#|coding[:=]""")


class CommentsText(TemplateText):
    """A story about a program, as a JSON object: a list of comments for each kind of code."""

    name = "comments"
    version = 1

    def values(self, request: TextRequest) -> Mapping[str, object]:
        """The kinds of code that comments stand beside."""
        return {"kinds": ", ".join(STORY_KINDS)}

    def read(self, completion: Completion, request: TextRequest) -> str:
        """The usable comments of a reply.

        Raises:
            Rejected: there are none.
        """
        story = {
            kind: [text.strip() for text in texts if isinstance(text, str) and _is_usable(request, text.strip())]
            for kind, texts in read_object(completion).items()
            if kind in STORY_KINDS and isinstance(texts, list)
        }
        if not any(story.values()):
            raise Rejected("gave no usable comment", "None of your comments is one plain sentence about code.")
        return json.dumps({kind: [*dict.fromkeys(texts)][:_MOST_TEXTS] for kind, texts in story.items() if texts})

    async def check(self, text: str, request: TextRequest, run: RunProgram) -> int:
        """Every comment is one plain line that describes code.

        Raises:
            Rejected: one is not, or the text is no such object.
        """
        for kind, texts in read_object(Completion(text=text)).items():
            if kind not in STORY_KINDS or not isinstance(texts, list) or len(texts) > _MOST_TEXTS:
                raise Rejected("gave no lists of comments")
            if not all(isinstance(text, str) and _is_usable(request, text) for text in texts):
                raise Rejected("gave a text that cannot stand in a comment")
        return 0

    def candidates(self, request: TextRequest, draws: Draws) -> Sequence[str]:
        """The story of the catalogue."""
        story = draw_story(parse_program(request.program), draws)
        return (json.dumps({kind: texts[:_MOST_TEXTS] for kind, texts in story.items()}),)


def _is_usable(request: TextRequest, text: str) -> bool:
    if (
        not (0 < len(text) <= _MOST_CHARACTERS and text.isprintable())
        or _MARKS.search(text)
        or INSTRUCTION.search(text)
    ):
        return False
    try:
        return "\n" not in language(request.program.language).dialect.comment(text)
    except Refused:
        return False
