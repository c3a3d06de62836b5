"""What a writer is asked: a template of the kind of text, filled with a program."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from pytest_codereason.core import EMPTY, Message, Rejected, TextKind, TextRequest, digest
from pytest_codereason.questions.templates.loading import load
from pytest_codereason.registry import language


class TemplateText(TextKind):
    """A kind of text that is asked for by templates. A changed template makes every text of the kind anew."""

    #: The names of the templates. The first asks; a second, ``again``, says what was wrong with the last reply.
    templates: ClassVar[tuple[str, ...]] = ("direct",)

    def ask(self, request: TextRequest) -> tuple[Message, ...]:
        """Shows the program, and what :meth:`values` gives."""
        return self._fill(self.templates[0], {**show_program(request), **self.values(request)})

    def ask_again(self, request: TextRequest, rejected: Rejected) -> tuple[Message, ...]:
        """Says what came of the last text, if the kind has a template for that."""
        if "again" not in self.templates:
            return super().ask_again(request, rejected)
        values = {**show_program(request), **self.values(request), "fault": rejected.words or "There is none."}
        return self._fill("again", values)

    @abstractmethod
    def values(self, request: TextRequest) -> Mapping[str, object]:
        """What the template is given beside the program.

        Raises:
            Skip: nobody can be asked for such a text about this program.
        """

    def digest_for(self, model: Mapping[str, object] = EMPTY) -> str:
        """Covers the templates too."""
        return digest(super().digest_for(model), *(load(self.name, template).sha for template in self.templates))

    def _fill(self, template: str, values: Mapping[str, object]) -> tuple[Message, ...]:
        messages, _ = load(self.name, template).render([], dict(values))
        return messages


def show_program(request: TextRequest) -> dict[str, object]:
    """What templates are given of a program: its code and its language."""
    lang = language(request.program.language)
    return {"code": request.program.source.strip("\n"), "language": lang.title, "fence": lang.fence}
