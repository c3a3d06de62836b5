"""A language: a small identity, and what this package can do with its programs.

Each thing that it can do is a capability: a class of its own. A language has the capabilities that somebody wrote::

    class Toy(Language):
        name, fence, title, suffixes = "toy", "toy", "Toy", (".toy",)
        values = ToyValues()

This language has values. It has no syntax, no dialect and no runner, so questions that need one are refused or skipped.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, get_args

from pytest_codereason.core.language.moments import LineProbe
from pytest_codereason.core.language.tracing import Body, Trace, Witnessed, check_trace
from pytest_codereason.core.programs import Value
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import BadResult, MissingCapability, NotALiteral, Skip, UsageError, name_type

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Harness, SeveralCalls
    from pytest_codereason.core.language.calls import Calls
    from pytest_codereason.core.language.dialects import Dialect
    from pytest_codereason.core.language.driving import Drivers
    from pytest_codereason.core.language.naming import Naming
    from pytest_codereason.core.language.printing import Printer
    from pytest_codereason.core.language.syntax import Syntax

#: What a language may be able to do, by the name of its attribute.
Capability = Literal["syntax", "values", "dialect", "runner", "tracer", "naming", "calls", "printer", "drivers"]
CAPABILITIES: tuple[Capability, ...] = get_args(Capability)


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call, as data."""

    values: tuple[Any, ...]
    names: tuple[str, ...]  #: the parameter that each argument names, empty where an argument names none
    text: str  #: the arguments as a call takes them, written anew: this text is run
    literal: bool = True  #: whether all of them are literals; ``range(3)`` and ``'a' * 3`` of Python are none


def _check_value(read: Callable[[Any, str], Value]) -> Callable[[Any, str], Value]:
    @wraps(read)
    def check(self: Values, text: str) -> Value:
        value: object = read(self, text)
        if not isinstance(value, Value):
            raise BadResult(self, "read", f"read must return a Value, not {name_type(value)}: write `Value(...)`")
        return value

    return check


class Values(ABC):
    """Reads, writes and compares the values of a language."""

    #: what stands between the name of a parameter and its argument in a call: ``=`` in Python, empty in Java
    parameter_mark: ClassVar[str] = ""

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Checks what :meth:`read` of a subclass returns. Sources, tasks and hints call it, and none is to blame."""
        super().__init_subclass__(**keywords)
        if "read" in vars(cls):
            cls.read = _check_value(cls.read)  # type: ignore[method-assign, assignment]

    @abstractmethod
    def read(self, text: str) -> Value:
        """The value of a literal, as Python data.

        Lists and arrays become lists, maps become dicts, ``null`` becomes ``None``. Arithmetic between numbers
        is worked out and flagged. Nothing is executed. The time is linear in the length of the text.

        Raises:
            NotALiteral: The text is no literal, has over 100,000 characters or over 100 levels of nesting.
        """

    def read_answer(self, text: str) -> Value:
        """The value that the text of an answer gives: a literal, or what the language prints or builds for a value.

        ``[1, 2]`` and what a shell shows, such as ``Set(2) { 1, 2 }`` in one language and ``{a=1}`` in another.

        Raises:
            NotALiteral: The text is neither.
        """
        return self.read(text)

    @abstractmethod
    def write(self, value: Any) -> str:
        """The literal of a value: ``read(write(v)).value`` equals ``v``."""

    def read_back(self, value: Any) -> Any:
        """A value as its own literal is read.

        Raises:
            NotALiteral: The value has no literal, or its literal is another value: a number may outgrow its type.
        """
        try:
            read = self.read(self.write(value)).value
        except (TypeError, ValueError) as error:
            raise NotALiteral(f"no literal ({error})") from error
        if not self.equal(read, value):
            raise NotALiteral("another value than its literal")
        return read

    @abstractmethod
    def equal(self, left: Any, right: Any) -> bool:
        """Whether two values are equal in the language. Types must agree, and NaN equals NaN."""

    @abstractmethod
    def decode(self, payload: Any) -> Any:
        """The value that a harness wrote as JSON, as :meth:`read` would give it.

        Raises:
            ValueError: No harness writes this.
        """

    @abstractmethod
    def assertion(self, call: str) -> tuple[str, str]:
        """The text before and after the value in an assertion about ``call``: ``assert f(81) == `` and nothing."""

    def read_arguments(self, text: str) -> Arguments:
        """The arguments of a call, such as ``1, [2]``. Nothing is executed.

        This method alone stands between the text of an answer and the text that is run, which it writes anew from
        values. It suits a language that writes lists as ``[1, 2]`` and names no parameters in calls.

        Raises:
            NotALiteral: An argument is no data.
        """
        values = self.read(f"[{text}]").value
        if not isinstance(values, list):
            raise NotALiteral("not a list of arguments")
        return Arguments(tuple(values), ("",) * len(values), ", ".join(map(self.write, values)))

    def write_arguments(self, values: Sequence[Any], like: str) -> str:
        """The text of arguments, each in the form that its place has in ``like``: in Java a list has several.

        Raises:
            NotALiteral: A value does not go into its form.
        """
        return ", ".join(map(self.write, values))

    def equal_arguments(self, left: str, right: str) -> bool:
        """Whether two texts give the same parameters the same values, or the same expressions."""
        try:
            first = self.read_arguments(left)
        except NotALiteral:
            return self.equal_expressions(left, right)
        try:
            return self.equal_values(first, self.read_arguments(right))
        except NotALiteral:
            return False

    def equal_values(self, left: Arguments, right: Arguments) -> bool:
        """Whether two lists of arguments give the same parameters the same values."""
        if left.names != right.names:
            return False
        return left.text == right.text or [*map(self.write, left.values)] == [*map(self.write, right.values)]

    def equal_expressions(self, left: str, right: str) -> bool:
        """Whether two texts are one syntax tree as the arguments of a call. White space within strings counts."""
        return left.strip() == right.strip()


class Package(NamedTuple):
    """A package of source code that is installed on this machine."""

    name: str
    version: str
    licence: str  #: as the package names it, empty where it does not
    root: Path  #: the folder below which its modules have their names
    paths: tuple[Path, ...]  #: its files, and folders of such files


class Runner(ABC):
    """Says how programs of a language are run."""

    several: SeveralCalls | None = None  #: how several calls are evaluated in one run
    erases_types = False  #: whether a program has types that nothing checks, be they wrong

    def list_code_folders(self) -> Sequence[Path]:
        """The folders where installed source code of the language may lie; a folder need not exist."""
        return ()

    def list_packages(self) -> Sequence[Package]:
        """The installed packages, sorted by name. Nothing of them is imported or run."""
        folders = [each for folder in self.list_code_folders() if folder.is_dir() for each in folder.iterdir()]
        return [Package(each.name, "", "", each, (each,)) for each in sorted(folders) if each.is_dir()]

    @abstractmethod
    def harness(self, files: Mapping[str, str], entry: str, call: str) -> Harness:
        """How to run a program and get a value back as data.

        Args:
            files: The text of each file, by its path relative to the program's folder.
            entry: The file that is run. Files find each other as if the program were run in its folder.
            call: The expression to evaluate in the scope of the entry. Empty for a script, whose value is ``None``.

        Raises:
            DoesNotParse: The program cannot be run, which rejects it as a compiler does.
        """

    def vary(self, harness: Harness, attempt: int) -> Harness:
        """How to run the same program once more, with sets in another order where an interpreter can be told to."""
        return harness


class Tracer(ABC):
    """Runs programs of a language as its ``runner`` does, and witnesses their calls."""

    #: whether a list or dict is copied when another variable gets it, so that only references make two variables one
    copies_collections: ClassVar[bool] = False
    #: calls of library functions, with their names, that compare by a function of the program as often as they like
    sorting: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")
    comparing: ClassVar[frozenset[str]] = frozenset()  #: functions of a program that the library calls for that

    @abstractmethod
    def harness(self, files: Mapping[str, str], entry: str, call: str, witnessed: Witnessed) -> Harness:
        """How to run a program under trace. The arguments are those of ``Runner.harness``.

        The harness writes ``"trace"`` beside the value or the error of its line, as :meth:`read` takes it. The
        program does what it does without a trace. If a runtime cannot tell which functions are ``"entered"``, the
        harness for this may be that for calls.
        """

    def harness_for_moments(
        self, files: Mapping[str, str], entry: str, call: str, probes: Sequence[LineProbe] = ()
    ) -> Harness:
        """How to run a program under a trace of its moments, where the language can.

        The trace has ``"moments"``, as :func:`~pytest_codereason.core.language.moments.read_moments` takes it. Before
        each of the first visits of a probe's line it says what the probe's names hold.

        Raises:
            MissingCapability: The tracer witnesses no moments, the default.
        """
        raise MissingCapability("the tracer witnesses no moments")

    @property
    def has_moments(self) -> bool:
        """Whether it witnesses moments."""
        return type(self).harness_for_moments is not Tracer.harness_for_moments

    @abstractmethod
    def list_bodies(self, files: Mapping[str, str], entry: str) -> Sequence[Body]:
        """Every place of a program that a trace may name, file by file.

        Raises:
            DoesNotParse: A file is no program of the language.
        """

    def list_shared_lines(self, files: Mapping[str, str], entry: str) -> set[tuple[str, int]]:
        """The files and lines on which a function begins, with a name or without: it runs apart from what is around it.

        The default knows those of :meth:`list_bodies`.
        """
        return {(body.file, body.line) for body in self.list_bodies(files, entry) if body.callable}

    def follow_renames(self, pairs: Sequence[tuple[Body, Body]]) -> Callable[[str], str]:
        """What gives the new name of a function for the name in an edge.

        Args:
            pairs: the bodies of :meth:`list_bodies` before a change, each with the body that it has become.

        Raises:
            Skip: two functions of one name have got different names.
        """
        names: dict[str, str] = {}
        for old, new in pairs:
            if names.setdefault(old.name, new.name) != new.name:
                raise Skip(f"two functions are called {old.name}, and now {names[old.name]} and {new.name}")
        return lambda name: names.get(name, name)

    def read(self, payload: Any, files: Mapping[str, str], entry: str) -> Trace:
        """The trace that a harness wrote of a program, as ``tracing.check_trace`` takes it.

        Raises:
            ValueError: No harness writes this of the program.
        """
        return check_trace(payload, self.list_bodies(files, entry))

    def read_printed(self, stderr: str) -> Any:
        """What the interpreter prints of a trace as it ends, for :meth:`read`; ``None`` if it prints nothing of it."""
        return None


class Example(NamedTuple):
    """A small program of a language, and what comes of it: what a contributor reads first, and what a test runs."""

    files: Mapping[str, str]
    entry: str
    call: str = ""  #: empty for a script
    value: str = ""  #: the literal of what the call returns; empty for a script
    stdout: str = ""


class Language(ABC):
    """A programming language: its names, and its capabilities.

    A capability is an attribute of its name. Write it as a ``cached_property`` if it costs an import.
    """

    name: ClassVar[str]
    fence: ClassVar[str]  #: the tag of a fenced block in Markdown
    title: ClassVar[str]  #: its name in prose
    suffixes: ClassVar[tuple[str, ...]]  #: how names of its files end; the first is the usual one
    opening: ClassVar[str] = ""  #: what every file begins with: ``<?php``

    @property
    def syntax(self) -> Syntax:
        """Reads programs."""
        raise self._describe_missing("syntax")

    @property
    def values(self) -> Values:
        """Reads, writes and compares values."""
        raise self._describe_missing("values")

    @property
    def dialect(self) -> Dialect:
        """Writes small pieces of code."""
        raise self._describe_missing("dialect")

    @property
    def runner(self) -> Runner:
        """Says how programs are run."""
        raise self._describe_missing("runner")

    @property
    def tracer(self) -> Tracer:
        """Witnesses the calls of programs."""
        raise self._describe_missing("tracer")

    @property
    def calls(self) -> Calls:
        """Reads call sites."""
        raise self._describe_missing("calls")

    @property
    def naming(self) -> Naming:
        """Says what the names in call graphs mean."""
        raise self._describe_missing("naming")

    def examples(self) -> Sequence[Example]:
        """Small programs that use what the language can do, and what comes of them."""
        return ()

    @property
    def printer(self) -> Printer:
        """Writes generated programs."""
        raise self._describe_missing("printer")

    @property
    def drivers(self) -> Drivers:
        """Makes drivers for code of repositories."""
        raise self._describe_missing("drivers")

    def __reduce__(self) -> tuple[Any, ...]:
        """A language is pickled by its class. A process has one of each."""
        return _make_language, (type(self),)

    def has(self, capability: Capability) -> bool:
        """Whether the language has this capability. Imports nothing."""
        return getattr(type(self), capability) is not getattr(Language, capability)

    @cached_property
    def _capabilities(self) -> frozenset[Capability]:
        """All that it has."""
        return frozenset(name for name in CAPABILITIES if self.has(name))

    def require(self, capabilities: Collection[Capability], reader: str) -> None:
        """Checks that the language has all of these capabilities, which ``reader`` needs: ``the task trace``.

        Raises:
            MissingCapability: The language lacks one of them; the message says which, and who needs it.
            UsageError: One of them is none that any language could have.
        """
        if not self._capabilities.issuperset(capabilities):
            for name in sorted(set(capabilities).difference(CAPABILITIES)):
                hint = suggest_name(name, CAPABILITIES)
                raise UsageError(f"{reader} needs {name!r}{hint}: choose capabilities from {', '.join(CAPABILITIES)}")
            missing = [name for name in CAPABILITIES if name in capabilities and not self.has(name)]
            raise MissingCapability(f"{reader} needs {' and '.join(missing)}, which the language {self.name} lacks")

    def _describe_missing(self, capability: Capability) -> MissingCapability:
        return MissingCapability(f"the language {self.name} has no {capability}")


@cache
def _make_language(kind: type[Language]) -> Language:
    return kind()
