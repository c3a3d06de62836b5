"""Names: what variables and functions of a program are called that mean something else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from pytest_codereason.changes.perturbations._places import parse_program
from pytest_codereason.changes.perturbations._wrong_names import choose_wrong_names
from pytest_codereason.core import Completion, Rejected, RunProgram, TextRequest
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from pytest_codereason.questions.authoring._json_replies import read_object
from pytest_codereason.questions.authoring._prompts import TemplateText
from pytest_codereason.registry import language

_IDENTIFIER = re.compile(r"_{0,2}[A-Za-z][A-Za-z0-9_]{0,39}")
#: Names that say nothing.
_NEUTRAL = re.compile(r"_*(?:[A-Za-z]|var|variable|tmp|temp|foo|bar|name|func|function)_?\d*", re.IGNORECASE)


class NamesText(TemplateText):
    """A new name for each name of a program, as a JSON object. Names that cannot be used are left out of a reply."""

    name = "names"
    version = 1

    def values(self, request: TextRequest) -> Mapping[str, object]:
        """The names to replace."""
        return {"names": ", ".join(_list_wanted(request))}

    def read(self, completion: Completion, request: TextRequest) -> str:
        """The usable names of a reply.

        Raises:
            Rejected: there are none.
        """
        wanted, names = _list_wanted(request), dict[str, str]()
        for present, name in read_object(completion).items():
            taken = {*names.values(), *_list_taken(request)}
            if present in wanted and isinstance(name, str) and _is_usable(request, present, name.lstrip("$"), taken):
                names[present] = name.lstrip("$")
        if not names:
            raise Rejected("gave no usable name", "None of your names is free, new and meaningful.")
        return json.dumps(names)

    async def check(self, text: str, request: TextRequest, run: RunProgram) -> int:
        """Every name is an identifier that the program does not use.

        Raises:
            Rejected: one is not, or the text is no such object.
        """
        names = read_object(Completion(text=text))
        used: set[str] = set(_list_taken(request))
        for present, name in names.items():
            if not isinstance(name, str) or not _is_usable(request, present, name, used):
                raise Rejected("gave a name that cannot be used")
            used.add(name)
        return 0

    def candidates(self, request: TextRequest, draws: Draws) -> Sequence[str]:
        """The names of the catalogue."""
        code = parse_program(request.program)
        names = choose_wrong_names(code, language(request.program.language).dialect, draws)
        return (json.dumps({name.present: name.wrong for name in names}),) if names else ()


def _list_wanted(request: TextRequest) -> list[str]:
    """The names of the program that can be changed.

    Raises:
        Skip: there are none.
    """
    for text in NamesText().candidates(request, Draws(0)):
        return list(json.loads(text))
    raise Skip("there is no name that can safely be changed")


def _list_taken(request: TextRequest) -> frozenset[str]:
    return parse_program(request.program).taken


def _is_usable(request: TextRequest, present: str, name: str, taken: set[str]) -> bool:
    dialect = language(request.program.language).dialect
    is_meaningful = bool(_IDENTIFIER.fullmatch(name)) and not _NEUTRAL.fullmatch(name)
    return is_meaningful and name != present and dialect.fresh(name, frozenset(taken)) == name
