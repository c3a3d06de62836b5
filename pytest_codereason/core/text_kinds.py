"""The abstract type of a kind of text, such as hints: what a writer is asked, and when its text may be used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar

from pytest_codereason.core.answers import Completion, Finish
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.programs import EMPTY, Program, digest
from pytest_codereason.core.questions import Message
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.texts import Rejected, Text, TextRequest

#: Runs a program in the sandbox; raises :class:`~pytest_codereason.errors.SandboxError` where that is impossible.
RunProgram = Callable[[Run], Awaitable[Execution]]


class TextKind(ABC):
    """One kind of text: what a writer is asked, how its reply is read, which check the text must pass.

    A writer has one try for each of ``temperatures``. After the last the rule writes the text, if the kind has a rule.
    """

    name: ClassVar[str]
    version: ClassVar[int]  #: raised when the question or the check changes
    temperatures: ClassVar[tuple[float, ...]] = (0.0, 0.7, 1.0)
    max_tokens: ClassVar[int] = 4_096
    #: the ways to end a reply in which nothing can be read, and what each is called
    unread: ClassVar[Mapping[Finish, str]] = {
        "refused": "refused",
        "length": "ran out of tokens",
        "too-long": "had a program too long",
    }
    #: whether the rule alone writes it, so that no model is asked, and a suite needs no writer
    by_rule: ClassVar[bool] = False
    #: what is asked about (:attr:`Task.asks`) where a suite wants such texts; empty for anything
    asks: ClassVar[frozenset[str]] = frozenset()
    #: whether questions about one program may want different texts of this kind about one subject of the program
    per_question: ClassVar[bool] = False
    #: whether a file leaves out programs that do not return what is recorded of them
    checks_original: ClassVar[bool] = False
    #: the columns of a row in a frozen file
    columns: ClassVar[tuple[str, ...]] = ("program", "language", "sha", "of", "value", "by", "reason")

    @abstractmethod
    def ask(self, request: TextRequest) -> tuple[Message, ...]:
        """The messages that ask a writer for the text.

        Raises:
            Skip: no writer can be asked this about the program.
        """

    @abstractmethod
    def read(self, completion: Completion, request: TextRequest) -> str:
        """The text in a reply.

        Raises:
            Rejected: there is none.
        """

    @abstractmethod
    async def check(self, text: str, request: TextRequest, run: RunProgram) -> int:
        """The quality of a text; 0 is best. The first of the best candidates of the rule is taken.

        Raises:
            Rejected: the text may not be used.
            SandboxError: a program could not be run.
        """

    async def check_frozen(self, text: str, request: TextRequest, run: RunProgram) -> int:
        """The quality of a text of a frozen file, which anybody may have written. By default as :meth:`check`.

        Raises:
            Rejected: the text may not be used.
            SandboxError: a program could not be run.
        """
        return await self.check(text, request, run)

    def explain_none(self, rejections: Counter[str]) -> str:
        """Why the rule has no text, for people; ``rejections`` counts the reasons, that of the last text last.

        Questions are counted by this reason. What follows a colon is an example of it.
        """
        return f"no {self.name} can be written: {next(reversed(rejections), 'it has no rule')}"

    def count_rejections(self, rejections: Counter[str]) -> Mapping[str, int]:
        """What of ``rejections`` a report counts, by a short reason: ``equivalent``. By default nothing.

        Few reasons, because each is a column of the records.
        """
        return EMPTY

    def ask_again(self, request: TextRequest, rejected: Rejected) -> tuple[Message, ...]:
        """The message to a writer after a rejected reply. If it is empty, the first question is asked again."""
        return ()

    def candidates(self, request: TextRequest, draws: Draws) -> Sequence[str]:
        """The texts that the rule would write, the best first. Empty if the kind has no rule."""
        return ()

    def write_reply(self, text: str) -> str:
        """A reply that :meth:`read` reads as ``text``. Baselines give such replies, with the rule's texts."""
        return text

    def subjects(self, program: Program) -> Sequence[str]:
        """Each ``of`` for which a file of this kind has a text about the program."""
        return ("",)

    def languages(self, request: TextRequest) -> Sequence[str]:
        """The languages whose programs have to run here before a writer is asked."""
        return ()

    def header(self, subjects: Sequence[str]) -> Mapping[str, Any]:
        """Further keys for the header of a file that has texts about these subjects.

        Raises:
            UsageError: one file cannot have all of them.
        """
        return EMPTY

    def row(self, name: str, request: TextRequest, text: Text) -> Mapping[str, str] | None:
        """A text as one row of a frozen file; ``None`` leaves the program out. ``name`` is the program's."""
        program = request.program
        values = (name, program.language, program.sha, request.of, text.value, text.by, text.reason)
        return dict(zip(TextKind.columns, values, strict=True))

    def digest_for(self, model: Mapping[str, Any] = EMPTY) -> str:
        """Digest of everything that decides what the model of this identity writes, but the program."""
        return digest(self.name, self.version, dict(model), self.temperatures, self.max_tokens)
