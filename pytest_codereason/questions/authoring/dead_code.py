"""Dead code: statements that would do something else than a program does, and that are never run."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytest_codereason.changes.perturbations._places import parse_program
from pytest_codereason.changes.perturbations.dead_code import DeadCode
from pytest_codereason.core import (
    Completion,
    Dose,
    Facts,
    Program,
    Rejected,
    RunProgram,
    TextRequest,
)
from pytest_codereason.core.execution import Run
from pytest_codereason.core.language.structure import Code
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import CodereasonError
from pytest_codereason.questions.authoring._instructions import INSTRUCTION
from pytest_codereason.questions.authoring._json_replies import read_object
from pytest_codereason.questions.authoring._prompts import TemplateText
from pytest_codereason.registry import language

_MOST_LINES, _MOST_CHARACTERS, _MOST_PIECES = 6, 300, 8
_WORD = re.compile(r"[^\W\d]\w*")
#: Words that change what the code around them means, or where it goes on, even if they are never run.
_REFUSED = frozenset(
    "await break case catch class continue def default del eval exec exit fn from func function global goto import "
    "include interface lambda namespace nonlocal raise require return static switch throw try use with yield".split()
)


class DeadCodeText(TemplateText):
    """Statements for branches that are never run, as a JSON object: ``{"statements": ["steps = 0\\nsteps += 4"]}``.

    They use no name of the program and declare only new ones, so they stand in any place.
    """

    name = "dead-code"
    version = 1
    asks = frozenset({"fault"})

    def values(self, request: TextRequest) -> Mapping[str, object]:
        """How many pieces are read."""
        return {"most": _MOST_PIECES}

    def read(self, completion: Completion, request: TextRequest) -> str:
        """The usable statements of a reply.

        Raises:
            Rejected: there are none.
        """
        listed = read_object(completion).get("statements")
        texts = [text.strip("\n") for text in listed if isinstance(text, str)] if isinstance(listed, list) else []
        usable = [text for text in dict.fromkeys(texts) if _is_usable(request.program, text)]
        if not usable:
            raise Rejected("gave no usable dead code", "None of your pieces is plain code with names of its own.")
        return json.dumps({"statements": usable[:_MOST_PIECES]})

    async def check(self, text: str, request: TextRequest, run: RunProgram) -> int:
        """All statements are usable, and the program with them is still a program.

        Raises:
            Rejected: they are not.
            SandboxError: the program could not be run.
        """
        statements = read_object(Completion(text=text)).get("statements", [])
        if not isinstance(statements, list) or len(statements) > _MOST_PIECES:
            raise Rejected("gave no list of dead code")
        if not all(isinstance(piece, str) and _is_usable(request.program, piece) for piece in statements):
            raise Rejected("gave dead code that cannot be used")
        if statements:
            await _check_run(request.program, statements, run)
        return 0

    def languages(self, request: TextRequest) -> Sequence[str]:
        """That of the program, which is run with the statements in it."""
        return (request.program.language,)

    def candidates(self, request: TextRequest, draws: Draws) -> Sequence[str]:
        """All is left to the catalogue."""
        return ("{}",)


def _is_usable(program: Program, text: str) -> bool:
    """Whether statements are short and plain, use no name of the program, and change no name of it."""
    lines = text.split("\n")
    if not (text.strip() and len(lines) <= _MOST_LINES and len(text) <= _MOST_CHARACTERS):
        return False
    if not all(line.isprintable() and line.isascii() for line in lines) or INSTRUCTION.search(text):
        return False
    before = parse_program(program)
    words = set(_WORD.findall(text))
    if words & _REFUSED or words & {binding.name.lstrip("$") for binding in before.bindings}:
        return False
    try:
        after = parse_program(_insert(program, [text]))
    except CodereasonError:  # there is no place, or it is no program
        return False
    return _list_own(after, before) == _list_own(before, before) and len(after.comments) == len(before.comments)


def _list_own(code: Code, of: Code) -> list[tuple[str, str, str]]:
    """The bindings and functions of a program; of what was put in, only names that the program uses."""
    names = [(b.name, b.kind, b.function) for b in code.bindings if b.name in of.taken]
    return sorted([*names, *((function.name, "", "") for function in code.functions)])


def _insert(program: Program, statements: Sequence[str]) -> Program:
    """The program with all statements in branches. Facts are dropped, because nothing is asked about it."""
    bare = replace(program, facts=Facts())
    return DeadCode(json.dumps({"statements": list(statements)})).apply(
        bare, Draws(0), Dose(strength=len(statements)), "fault"
    )


async def _check_run(program: Program, statements: Sequence[str], run: RunProgram) -> None:
    """Runs the program with and without the statements.

    Raises:
        Rejected: it does not compile, or does something else.
        SandboxError: it could not be run.
    """
    equal = language(program.language).values.equal if program.call else (lambda left, right: True)
    changed = await run(Run.from_program(_insert(program, statements)))
    if changed.ending == "rejected":
        raise Rejected("gave dead code that does not compile", f"Your code does not compile: {changed.message[:300]}")
    # A condition of the catalogue may print, which counts where a script is asked for what it prints.
    if not changed.ends_as(await run(Run.from_program(program)), equal, prints=not program.call):
        raise Rejected("gave dead code that is not dead")
