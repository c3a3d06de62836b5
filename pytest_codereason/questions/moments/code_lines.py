"""What the text of a program says of its lines: which hold one statement, where a branch leads, what a line writes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from pytest_codereason.core import Language, Program
from pytest_codereason.core.language.structure import Binding, Site, Span, Statement
from pytest_codereason.errors import DoesNotParse, NotALiteral, Skip
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

#: What may stand between a condition and the block that runs if it is true.
_BEFORE_BLOCK = re.compile(r"[\s(){:]*")
#: Behind a name: it is given a value. The name itself is not a part of it.
_GIVEN = re.compile(r"\s*(?:[-+*/%&|^@<>?.]{0,3}=(?![=>])|:(?!:)|,|\)|\]|\+\+|--)")
_OWN_PART = re.compile(r"\s*(?:\.(?!=)|[\[(])")
#: Statements in which a plain name is only read, unless one of these signs stands beside it.
_READING = {"return", "expression", "if", "while", "assert", "raise", "throw"}
_CHANGES = re.compile(r"\s*(?:[-+*/%&|^@<>?.]{0,3}=(?![=>])|:=|\+\+|--)")
#: Statements that hold others only where these stand in a function without a name.
_SIMPLE = {"assignment", "declaration", "expression", "return", "raise", "throw"}
#: Statements in which Python and others end early, and lines are passed that did not run to their end.
_CATCHING = {"try", "with"}
LOOPS = {"for", "while", "do"}


class Branch(NamedTuple):
    """A condition on a line of its own, and the lines that run if it is true."""

    place: ProgramLine
    function: str
    first: int
    last: int


class FileLines:
    """The lines of one file.

    Raises:
        DoesNotParse: the text is no program.
    """

    def __init__(self, language: Language, file: str, source: str, call: str) -> None:
        self.file, self.code = file, language.syntax.parse(source, call)
        self._sigil = len(language.dialect.sigil) if language.has("dialect") else 0
        self._starts = [0, *(match.end() for match in re.finditer("\n", source))]

    def find_line(self, offset: int) -> int:
        """The line on which a character stands."""
        low, high = 0, len(self._starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._starts[middle] <= offset else (low, middle)
        return low + 1

    def read_statement(self, line: int) -> tuple[str, str]:
        """What a statement that begins on a line says, without those within it, and its function."""
        found = self._beginning.get(line)
        if not found:
            return "", ""
        text = self.code.source[slice(*found[0].span)]
        return text if found[0].kind in _SIMPLE else text.partition("\n")[0], found[0].function

    def _find_last_line(self, span: Span) -> int:
        return self.find_line(max(span.start, span.end - 1))

    @cached_property
    def _beginning(self) -> Mapping[int, list[Statement]]:
        """The statements that begin on each line."""
        found = defaultdict(list)
        for statement in self.code.statements:
            found[self.find_line(statement.span.start)].append(statement)
        return found

    @cached_property
    def plain(self) -> Mapping[int, Statement]:
        """The lines that hold one statement and nothing else, by their number. The statement holds no other.

        What a line holds beside a function, a branch or a loop may run apart from it, so the heads of these are none,
        also where nothing stands in the loop. Nor is a class: its constructor may be one that nobody wrote.
        """
        holders = [each.span for each in self.code.statements] + [each.span for each in self.code.functions]
        inside = sorted(span.start for span in holders)
        found = {}
        for line, statements in self._beginning.items():
            span = statements[0].span
            alone = len(statements) == 1 and self._find_last_line(span) == line
            holds = sum(span.start <= start < span.end for start in inside) > 1
            others = any(
                other.start < span.start and self.find_line(other.start) == line for other in self._conditions_spans
            )
            if alone and not holds and not others and statements[0].kind not in ("class", *LOOPS):
                found[line] = statements[0]
        return found

    @cached_property
    def _conditions_spans(self) -> Sequence[Span]:
        return [site.span for site in self.code.sites_of("condition") if site.holder in ("if", *LOOPS)]

    @cached_property
    def branches(self) -> Mapping[int, Branch]:
        """The conditions of ``if`` that stand on a line of their own, with the block that each leads to."""
        found = {}
        for site in self.code.sites_of("condition"):
            line = self.find_line(site.span.start)
            block = self._find_block(site) if site.holder == "if" else None
            alone = all(each.span.start == site.statement.start for each in self._beginning.get(line, ()))
            if block is None or not alone or self._find_last_line(site.span) != line:
                continue
            first, last = self.find_line(block.start), self._find_last_line(block)
            if line not in found and first > line:
                found[line] = Branch(ProgramLine(self.file, line), site.function, first, last)
        return found

    def _find_block(self, condition: Site) -> Span | None:
        """The block that runs if a condition is true."""
        end = condition.span.end
        blocks = [block.span for block in self.code.blocks if end <= block.span.start < condition.statement.end]
        first = min(blocks, default=None)
        if first is None or not _BEFORE_BLOCK.fullmatch(self.code.source, end, first.start):
            return None
        return first

    def find_loop(self, line: int) -> Statement | None:
        """The innermost loop around a line."""
        start = self._starts[line - 1]
        around = [
            each
            for each in self.code.statements
            if each.kind in LOOPS and each.span.start < start < each.span.end and self.find_line(each.span.start) < line
        ]
        return max(around, key=lambda each: each.span.start, default=None)

    def may_go_on(self, branch: Branch) -> bool:
        """Whether its function may go on where working out the condition of a branch raises an exception."""
        start = self._starts[branch.place.line - 1]
        return any(
            each.kind in _CATCHING and each.function == branch.function and each.span.start <= start < each.span.end
            for each in self.code.statements
        )

    def list_variables(self, function: str) -> list[str]:
        """The variables and parameters of a function; of the file itself its variables."""
        names = [each.name for each in self.code.bindings if each.function == function and each.kind in _VARIABLE_KINDS]
        return [name for name in names if names.count(name) == 1 and name.strip("_")]

    def list_uses(self, name: str) -> set[int]:
        """The lines on which variables of this name stand."""
        uses = [use for each in self.code.bindings if each.name == name for use in each.uses if not use.in_call]
        return {self.find_line(use.span.start) for use in uses}

    def find_writers(self, name: str, function: str) -> frozenset[int] | None:
        """The lines that give a variable its value; ``None`` if other places do so, or a line may end before it does.

        A parameter has its first value from the call, which is no line.
        """
        found = [
            each
            for each in self.code.bindings
            if each.name == name and each.function == function and each.kind in _VARIABLE_KINDS
        ]
        caught = any(each.kind in _CATCHING and each.function == function for each in self.code.statements)
        if len(found) != 1 or caught:
            return None
        lines, closures = set(), set()
        for use in found[0].uses:
            if use.in_call or self._declares(found[0], use.span):
                continue
            line = self.find_line(use.span.start)
            statement = self._find_statement(use.span)
            if statement is None or statement.function != function or self.code.may_rebind(use.span):
                return None
            closures.add(self._find_closure(statement))
            if len(closures) > 1:
                return None
            if self._writes(statement, use.span):
                if self.plain.get(line) is not statement:
                    return None
                lines.add(line)
            elif not self._reads(statement, use.span):
                return None
        return frozenset(lines)

    def count_writers(self, name: str, function: str) -> int:
        """How many assignments and declarations give a variable a value: none of what only a loop or a call sets."""
        return self._writers[name, function]

    @cached_property
    def _writers(self) -> Counter[tuple[str, str]]:
        counts = Counter[tuple[str, str]]()
        for each in self.code.bindings:
            if each.kind in _VARIABLE_KINDS:
                found = [(self._find_statement(use.span), use.span) for use in each.uses]
                writes = (statement is not None and self._writes(statement, span) for statement, span in found)
                counts[each.name, each.function] += sum(writes)
        return counts

    def reads(self, line: int, name: str, function: str) -> bool:
        """Whether a line reads a variable of its function."""
        return any(
            self.find_line(use.span.start) == line and not use.in_call and use.span in self._reading
            for each in self.code.bindings
            if each.name == name and each.function == function
            for use in each.uses
        )

    def _declares(self, binding: Binding, span: Span) -> bool:
        """Whether a use is the parameter in the head of its function."""
        if binding.kind != "parameter":
            return False
        return any(
            each.name == binding.function and each.span.start <= span.start < each.body.start
            for each in self.code.functions
        )

    def _find_statement(self, span: Span) -> Statement | None:
        around = [each for each in self.code.statements if each.span.start <= span.start < each.span.end]
        return min(around, key=lambda each: each.span.end - each.span.start, default=None)

    def _find_closure(self, statement: Statement) -> Span | None:
        """The innermost statement that holds a function without a name, with this statement in it."""
        start, function = statement.span.start, statement.function
        around = [each.span for each in self.code.statements if each.function == function and each.kind in _SIMPLE]
        around += [site.span for site in self.code.sites_of("condition") if site.function == function]
        around = [span for span in around if span.start <= start < span.end and span != statement.span]
        return max(around, default=None)

    def _writes(self, statement: Statement, span: Span) -> bool:
        """Whether a name on the left side of an assignment is given a value."""
        source = self.code.source
        if statement.kind not in ("assignment", "declaration"):
            return False
        left = source[statement.span.start : span.start]
        if "=" in left or _OWN_PART.match(source, span.end) or left.count("[") > left.count("]"):
            return False
        return _GIVEN.match(source, span.end) is not None

    def _reads(self, statement: Statement, span: Span) -> bool:
        """Whether a name is surely no more than read."""
        source = self.code.source
        before = source[: span.start - self._sigil].rstrip()
        if _CHANGES.match(source, span.end) or before.endswith(("++", "--")):
            return False
        if statement.kind in _READING:
            return True
        assigned = statement.kind in ("assignment", "declaration")
        behind = assigned and "=" in source[statement.span.start : span.start]
        if behind or (assigned and _OWN_PART.match(source, span.end)):
            return True
        return span in self._reading

    @cached_property
    def _reading(self) -> frozenset[Span]:
        spans = [site.span for site in self.code.sites_of("read")]
        return frozenset(Span(span.start + self._sigil, span.end) for span in spans)

    def list_raising(self) -> set[int]:
        """The lines that may raise an exception by what stands on them: an index, a division, an own statement."""
        sites = [site.span for site in self.code.sites_of("index")]
        sites += [site.span for site in self.code.sites_of("operator") if site.form in _DIVIDES]
        sites += [each.span for each in self.code.statements if each.kind in _RAISES]
        return {self.find_line(span.start) for span in sites}

    def find_last_raise(self) -> int | None:
        """The last line by text that raises an exception of its own."""
        lines = [self.find_line(each.span.start) for each in self.code.statements if each.kind in _RAISES]
        return max(lines, default=None)


_VARIABLE_KINDS = {"variable", "parameter"}
_WORD = re.compile(r"\w+")
_DIVIDES = {"/", "//", "%", "/=", "//=", "%="}
_RAISES = {"raise", "throw"}


class CodeLines:
    """The lines of all files of a program, and the literals that stand in it.

    Raises:
        Skip: a file is no program of its language.
    """

    def __init__(self, language: Language, program: Program) -> None:
        self.language, self.program = language, program
        self.files: dict[str, FileLines] = {}
        for file, source in program.files.items():
            try:
                self.files[file] = FileLines(language, file, source, program.call if file == program.entry else "")
            except DoesNotParse as error:
                if file == program.entry:
                    raise Skip(f"the program does not parse: {error}") from error

    def find_plain(self, place: ProgramLine) -> Statement | None:
        """The statement that a line alone holds."""
        return None if place in self._shared else self.files[place.file].plain.get(place.line)

    def find_branch(self, place: ProgramLine) -> Branch | None:
        """The condition on a line."""
        return None if place in self._shared else self.files[place.file].branches.get(place.line)

    @cached_property
    def _shared(self) -> Collection[ProgramLine]:
        """The lines on which a function begins: a lambda runs apart from the statement that it stands in."""
        shared = self.language.tracer.list_shared_lines(self.program.files, self.program.entry)
        return {ProgramLine(*place) for place in shared}

    @cached_property
    def functions(self) -> frozenset[str]:
        """The names of all functions, without what encloses them."""
        return frozenset(each.name.rpartition(".")[2] for lines in self.files.values() for each in lines.code.functions)

    @cached_property
    def literals(self) -> Sequence[Any]:
        """The values of the literals in the text and in the call, and of what the call's literals hold."""
        values = list[Any]()
        for lines in self.files.values():
            for text in self._list_literals(lines):
                try:
                    values.append(self.language.values.read(text).value)
                except NotALiteral:
                    continue
        return [*values, *(inner for value in self.arguments for inner in list_inside(value))]

    def _list_literals(self, lines: FileLines) -> Iterator[str]:
        """The literals in a file as they are written.

        Sites are those that may be changed. PHP has none for a text with an escape, and no language one for a sign.
        """
        source = lines.code.source
        yield from (source[slice(*site.span)] for site in lines.code.sites_of("literal"))
        if self.language.has("dialect"):
            for line in source.split("\n"):
                for found in self.language.dialect.literal.finditer(line):
                    yield found[0]
                    if line[: found.start()].rstrip().endswith("-"):
                        yield f"-{found[0]}"

    @cached_property
    def arguments(self) -> Sequence[Any]:
        """The arguments of the call, as far as they are literals."""
        _, opened, rest = self.program.call.partition("(")
        try:
            return self.language.values.read_arguments(rest.rpartition(")")[0]).values if opened else ()
        except NotALiteral:
            return ()

    @cached_property
    def texts(self) -> Sequence[str]:
        """The literals that are texts."""
        return [each for each in self.literals if isinstance(each, str)]

    @cached_property
    def _words(self) -> Collection[str]:
        return {word for text in self.texts for word in _WORD.findall(text)}

    def is_literal(self, value: Any) -> bool:
        """Whether a value stands in the text or in the call, or is an empty text or collection.

        So does a word of a literal, and a number in one.
        """
        if value in ("", b"") or (isinstance(value, (list, tuple, dict, set)) and not value):
            return True
        if isinstance(value, (str, int)) and str(value) in self._words:
            return True
        return any(self.language.values.equal(value, literal) for literal in self.literals)


def list_inside(value: Any) -> Iterator[Any]:
    """A value and all that it holds."""
    yield value
    held = (*value.keys(), *value.values()) if isinstance(value, dict) else value
    if isinstance(held, (list, tuple, set, frozenset)):
        for each in held:
            yield from list_inside(each)
