"""Drivers: calls that are added to code of a repository, so that the code runs by itself."""

from __future__ import annotations

import json
import posixpath
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple

from pytest_codereason.core.facts import Edges
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Refused

#: Where the arguments of a call come from.
Origin = Literal["documentation", "tests", "uses", "types", "names"]
#: What the origin of calls is called where a model wrote them. The model's name follows.
WRITER = "writer "
#: What every line of a probe's output begins with that is not the program's own.
MARK = "\x01"


#: What is printed for a value that says nothing of the arguments.
_NOTHING = frozenset(("", "None", "null", "undefined", "NaN", "[]", "{}", "()", "''", '""'))
#: How a line begins that tells of an error, or of a program that was called in a wrong way.
_ERROR = re.compile(
    r"[\w.$]*(Error|Exception)\b|Traceback \(|(?i:\W?(error|fatal|failed|usage|warning|exception)\W?( in \w+ .*)?:)"
)
#: The lines of a traceback, without the last.
_TRACEBACK = re.compile(r"^Traceback \(most recent call last\):\n(?:[ \t].*\n)*", re.MULTILINE)


def tells(text: str) -> bool:
    """Whether a printed value says something of what was asked: it is not empty, and no error."""
    return text.strip() not in _NOTHING and not _ERROR.match(text.strip())


def shows_value(stdout: str) -> bool:
    """Whether a program prints a line that tells something."""
    return any(map(tells, _TRACEBACK.sub("", stdout).splitlines()))


class Excerpt(NamedTuple):
    """What is taken of a repository, before a driver is added: a file with the files that it imports, or a slice."""

    files: Mapping[str, str]  #: by the path that the program gives them
    entry: str  #: the file that is to be driven
    part: str = ""  #: the definition that a slice was cut around; empty for a whole file
    changes: tuple[str, ...] = ()  #: what is not as in the repository: ``the package java.util is dropped``


class DriverCall(NamedTuple):
    """A call that a driver might make."""

    #: the function or method, qualified within its file: ``Stack.push``; where methods share a name, with the number
    #: of its parameters: ``Stack.push(1)``
    target: str
    expression: str  #: the call: ``stack.push(3)``; a whole statement where the call has no value
    setup: tuple[str, ...] = ()  #: statements before the call that may stand in several candidates: ``stack = Stack()``
    origin: Origin = "names"


class Shown(NamedTuple):
    """How a candidate ended that raised nothing."""

    form: str  #: how the language prints the value; empty where the value cannot be printed the same way every time
    text: str  #: what is printed

    @property
    def telling(self) -> bool:
        """Whether the value says something of the arguments."""
        return bool(self.form) and tells(self.text)


class Driven(NamedTuple):
    """A program that runs by itself."""

    files: Mapping[str, str]
    entry: str  #: the file that is run
    how: str  #: ``runs by itself``, or where the calls of its driver come from: ``documentation, types``
    edges: Edges
    reached: tuple[str, ...]  #: the functions that were entered, by their names in a trace
    part: str = ""
    changes: tuple[str, ...] = ()  #: what is not as in the repository, besides the driver


class Drivers(ABC):
    """Makes drivers for code of a language: what to take of a repository, which calls to try, how they are written."""

    #: what a writer is told about the beginning of a program
    start: ClassVar[str] = "Calls at the top of the file run it."

    def name_entry(self, path: str) -> str:
        """What a file is called that is a program of its own: ``main.py``."""
        return f"main{posixpath.splitext(path)[1]}"

    def list_parts(self, path: str, text: str) -> Sequence[str]:
        """The definitions of a file around which slices can be cut, in the order of the file.

        Raises:
            DoesNotParse: The text is no program of the language.
        """
        return ()

    @abstractmethod
    def cut(
        self, path: str, text: str, siblings: Mapping[str, str], part: str = "", also: Sequence[str] = ()
    ) -> Excerpt:
        """The file with those of its siblings that it imports; or the slice around a definition.

        Args:
            path: The file's path in its repository.
            text: The text of the file.
            siblings: The texts of the other files of the repository, by path.
            part: One of :meth:`list_parts`, or empty for the whole file.
            also: Paths of siblings that are taken too, as :meth:`blame_files` gives them.

        Raises:
            Refused: The file needs what a program of its own cannot have.
            DoesNotParse: A file is no program of the language.
        """

    def may_start(self, excerpt: Excerpt) -> bool:
        """Whether the excerpt might do something without a driver. It is run then, to see."""
        return True

    @abstractmethod
    def propose(self, excerpt: Excerpt, tests: Mapping[str, str], draws: Draws) -> Sequence[DriverCall]:
        """Calls worth a try, the best first for each target. Nothing is run.

        Raises:
            DoesNotParse: A file is no program of the language.
        """

    @abstractmethod
    def write_probe(self, excerpt: Excerpt, candidates: Sequence[DriverCall]) -> tuple[Mapping[str, str], str]:
        """The files and the entry of a program that tries candidates one by one and goes on after an error.

        It prints one line a candidate, when the candidate ends: :data:`MARK` and
        ``[index, form, text]`` as JSON, with ``null`` as the form after an error.
        """

    @abstractmethod
    def write_driver(
        self, excerpt: Excerpt, calls: Sequence[tuple[DriverCall, Shown]]
    ) -> tuple[Mapping[str, str], str]:
        """The files and the entry of a program that makes these calls, in this order, and prints their values.

        Without calls it is the excerpt as it is started by itself.
        """

    def check_additions(self, before: str, after: str) -> None:
        """Refuses a program of a writer that does more than add calls, stubs and definitions of its own to a file.

        By default everything is refused, because nobody has looked at it.

        Raises:
            Refused: Says which line does something else.
            DoesNotParse: A text is no program of the language.
        """
        raise Refused("is in a language whose additions nobody can judge")

    def blame_files(self, message: str, path: str, text: str, siblings: Mapping[str, str]) -> Sequence[str]:
        """The siblings of a file that it needs, by a compiler's complaint about its excerpt."""
        return ()

    def blame_candidates(self, message: str, probe: Mapping[str, str]) -> Sequence[int]:
        """The candidates that a compiler's complaint about a probe is about."""
        return ()


def read_probe(stdout: str, count: int) -> dict[int, Shown | None]:
    """How the candidates of a probe ended, by their number. ``None`` stands for an error."""
    ends: dict[int, Shown | None] = {}
    for line in stdout.split("\n"):
        if line.startswith(MARK):
            try:
                index, form, text = json.loads(line[1:])
            except ValueError:
                continue
            if type(index) is int and 0 <= index < count:
                ends[index] = None if form is None else Shown(str(form), str(text))
    return ends


def names_target(name: str, target: str) -> bool:
    """Whether the name of a trace is that of a target: ``main.Stack.push`` of ``Stack.push``.

    Methods that share a name are not told apart.
    """
    plain = name.partition("(")[0].replace(":", ".").replace("$", ".")
    wanted = target.partition("(")[0]
    return plain == wanted or plain.endswith("." + wanted)
