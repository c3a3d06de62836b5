"""How a language writes the code that perturbations insert, and which programs would notice that code.

Everything here is data. The perturbations hold the logic once, for all languages. A language gives the parts that
somebody wrote for it, as attributes of its :class:`~pytest_codereason.core.Dialect`; a perturbation skips a program
whose language lacks the part that it needs.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from pytest_codereason.core.language.structure import Site
from pytest_codereason.core.programs import EMPTY
from pytest_codereason.errors import Refused

#: Matches nowhere.
NEVER = re.compile(r"(?!)")

#: A literal of one value among arguments. It fits languages that write numbers, strings and truth values as C,
#: JavaScript and Python do.
LITERAL = re.compile(
    r"""(?<![\w$])[bBrRuU]{0,2}(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)"""
    r"""|(?<![\w.$])(?:\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?[lLfFdDn]?|[Tt]rue|[Ff]alse|TRUE|FALSE)(?![\w.])""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentForms:
    """How comments are written that end with their line."""

    mark: str = "#"
    line_ends: re.Pattern[str] = re.compile(r"\r\n|\r|\n")
    #: What no comment can hold, and what that is called.
    refused: Mapping[re.Pattern[str], str] = field(
        default_factory=lambda: {re.compile("[\0\ud800-\udfff]"): "a NUL, or half of a surrogate pair"}
    )

    def write(self, text: str) -> str:
        """A comment for each line of a text.

        Raises:
            Refused: A line cannot stand in a comment.
        """
        for pattern, what in self.refused.items():
            if pattern.search(text):
                raise Refused(f"a comment cannot hold {what}")
        return "\n".join(f"{self.mark} {line}".rstrip() for line in self.line_ends.split(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualityForms:
    """What a language knows of the values of a program from its text: which comparisons hold, and run no other code."""

    #: Whether all values of a closed program are of the language's own types, by its text and the words in it. Then a
    #: comparison gives a truth value and runs no code of the program.
    is_plain: Callable[[str, frozenset[str]], bool] = lambda text, words: False
    #: A plain program whose text in lower case does not match has no value that differs from itself, such as NaN.
    unequal: re.Pattern[str] = NEVER
    #: Where types are declared: what stands before the name of a parameter that may differ from itself.
    declared_unequal: re.Pattern[str] | None = None
    #: What may stand behind and before a variable that gets another value, where a parameter that keeps the argument of
    #: the entry call is equal to itself.
    rebound_behind: re.Pattern[str] | None = None
    rebound_before: re.Pattern[str] = NEVER
    aliases: frozenset[str] = frozenset()  #: words of functions that may give a parameter another value by another name
    #: Signatures that match may give a parameter something else than the argument in its place.
    irregular: re.Pattern[str] = re.compile(r"\*|\.\.\.|&")


class ConditionText(NamedTuple):
    """One way to write a condition: ``bool(@) == {same}`` makes ``bool(x > 3) == (7 == 7)`` of ``x > 3``.

    ``@`` is the condition in its place, ``{copy}`` a copy of its text, ``{same}`` a comparison that always holds,
    ``{other}`` a comparison that never holds, ``{p}`` a parameter, ``{name}`` a new variable.
    """

    text: str
    #: What must be true of the condition. ``boolean``: its value is a truth value. ``equal``: there is a parameter that
    #: is equal to itself. ``pure``: it may be evaluated twice, or in a function of its own. ``closed``: a function of
    #: its own, or a new variable, means the same here. ``variable``: a new variable may be declared here. ``spare``:
    #: the program does not use the name ``_``. ``ungraphed``: the program has no fact ``edges``, in which
    #: the text's own function would be one more. ``varying``: the compiler does not know the value.
    #: ``obsolete`` is never true: a version of the language refuses the text.
    demands: frozenset[str] = frozenset()


class ConditionTemplate(NamedTuple):
    """A template of the study: its text, and the texts that stand for it where it is unsafe, the closest first."""

    forms: frozenset[str]  #: the forms of conditions that it fits: ``comparison``, ``constant``, ``other``
    published: ConditionText
    safe: tuple[ConditionText, ...] = ()


def list_templates(forms: str, *templates: Sequence[tuple[str, str]]) -> list[ConditionTemplate]:
    """Templates for the same forms. Each is written as pairs of a text and its demands, the published text first."""
    return [
        ConditionTemplate(frozenset(forms.split()), published, tuple(safe))
        for published, *safe in (
            [ConditionText(text, frozenset(demands.split())) for text, demands in template] for template in templates
        )
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionForms:
    """How conditions can be written in another way. At least one template for ``other`` demands nothing."""

    templates: Sequence[ConditionTemplate]
    #: Two comparisons of a variable ``{0}`` with itself for safe texts: the first holds and the second does not,
    #: whatever the value is. NaN is not equal to itself, and arrays compare element by element.
    of_variable: tuple[str, str]
    of_numbers: tuple[str, str]  #: the operators of equal and of unequal numbers: ``("==", "!=")``
    #: Code that sees which names there are, or in which function it stands.
    sees_names: re.Pattern[str] = NEVER
    closed_by: str = ""  #: a word of functions inside which a function of its own may see other names
    #: Names in the templates to which a program may give another meaning.
    names: frozenset[str] = frozenset()
    #: Every program that gives these names another meaning matches this pattern; without a pattern, any program may.
    redefines: re.Pattern[str] | None = None
    imports_all: re.Pattern[str] = NEVER  #: a program that matches may have been given any of these names
    #: Functions that match may leave a parameter without its value.
    drops: re.Pattern[str] | None = None
    #: Whether a block may declare a parameter's name again, and so hide it above the declaration too.
    redeclares: bool = False
    #: Whether a closure may only read variables that never change.
    captures_constants: bool = False
    #: The holders of constant conditions that the compiler looks at to see what can be reached: ``while``.
    compiled_holders: frozenset[str] = frozenset()
    #: Whether a new variable may be declared in a condition, given its site, its statement's text and its own text.
    takes_variable: Callable[[Site, str, str], bool] = lambda site, statement, text: False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadCodeForms:
    """The dead code of a language, and the code that would notice it.

    The texts have blanks: ``%(x)s`` is a fresh variable, ``i`` a loop variable, ``c`` a condition that never
    holds, ``p`` a parameter of the function around or a number, ``f`` and ``g`` fresh functions, ``name`` the name of a
    global, ``n`` a number.
    """

    variable: str  #: the name of a fresh variable before its number, CodeCrash's own: ``Temp_Var_``
    #: The names of two fresh functions before their number. Like the names of programs, they tell nothing. ``rename``
    #: numbers from ``f1`` on, so none of them is ``f``: its numbers would have gaps.
    function_names: tuple[str, str] = ("g", "h")
    constant_conditions: tuple[str, ...]  #: false conditions that a compiler can work out
    computed_conditions: tuple[str, ...] = ()  #: false conditions that a compiler cannot work out
    #: Pairs of conditions: the study's, which is false if the parameter is equal to itself, and a safe one, which is
    #: false for every value. NaN is not equal to itself, and an array has no truth value.
    parameter_conditions: tuple[tuple[str, str], ...]
    #: Prints, and is false: the study's, which prints the parameter's value, and a safe one.
    printing_condition: tuple[str, str]
    prints_collections: bool = False  #: whether it prints lists and the like without complaint
    branches: tuple[str, ...]  #: statements whose body is never run
    #: The branches whose condition the compiler must not be able to work out.
    computed_branches: frozenset[str] = frozenset()
    top: Literal["top", "member"] = "top"  #: where functions and globals stand
    globals: tuple[str, ...]  #: declarations of a global
    functions: tuple[str, ...]  #: functions that would not end
    #: Words of programs that may look at their lines, frames or source. Nothing is inserted there.
    sees_code: frozenset[str] = frozenset()
    #: Words of programs that may list the names of the top level, or look them up by a computed string.
    sees_top: frozenset[str] = frozenset()
    sees_locals: frozenset[str] = frozenset()  #: words of functions that may list their names
    drops: frozenset[str] = frozenset()  #: words of functions that may leave a parameter without a value
    #: Words of a program without a call by which its importers do not get all of its names.
    sealed_by: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()  #: the names that the texts use without declaring them
    redefines: re.Pattern[str] = NEVER  #: gives these names another meaning, or takes what is printed
    #: Names that no global gets, because a language may give them a value itself.
    filled: frozenset[str] = frozenset({"this", "argv", "argc", "GLOBALS"})
    captures_constants: bool = False  #: whether a closure may only read variables that never change


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintForms:
    """The code that would notice a print, so that no print is inserted there."""

    #: Code that may read what is printed, or print in a way of its own.
    redirects: re.Pattern[str]
    name: str = ""  #: the name by which the language prints, which a program may declare itself
    at_top: bool = False  #: whether a statement may stand between functions


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultForms:
    """How a believable mistake is written, and where a mistake could not be blamed on anybody."""

    #: The arithmetic operator that is written in place of another: ``{"+": "-"}``.
    arithmetic: Mapping[str, str]
    connectives: Mapping[str, str]  #: the other one of "and" and "or"
    opposites: Mapping[str, str]  #: the comparison that holds where another does not: ``{"==": "!="}``
    #: The other one of two operators or functions on many truth values or bits: ``{"any": "all", "&": "|"}``.
    quantifiers: Mapping[str, str]
    negation: str  #: what stands before a condition to negate it
    truths: tuple[str, str]  #: how truth values are written
    returning: tuple[str, str]  #: a return without a value, and with the value ``{}``
    refuses_dead_code: bool = False  #: whether nothing may stand behind a ``return`` in its block
    #: Beginnings of statements that print, log or raise. No specification says what their texts are.
    messages: re.Pattern[str] = NEVER
    #: Names of functions that only describe a value to a reader.
    describing: frozenset[str] = frozenset()


class WorkedExample(NamedTuple):
    """A function that is shown with its call and its value before a question is asked."""

    source: str
    function: str  #: as a call writes it: ``Problem.f``
    arguments: str  #: without the brackets


class Dialect(ABC):
    """Writes small pieces of code of a language.

    A subclass says how a comment begins and which words are no names, and writes :meth:`print_statement`. A
    perturbation skips a language whose dialect lacks an attribute that it needs.
    """

    comments: CommentForms = CommentForms()  #: how comments are written
    words: frozenset[str] = frozenset()  #: what no new name may be: the language's own words, and what it has built in
    ignores_case: bool = False  #: whether names that differ in case alone are one name
    sigil: str = ""  #: what stands before the name of a variable, and belongs to no name: ``$``
    #: The kind of each operation on a collection, by its name: ``{"push": "append"}``. The kinds are those of
    #: ``perturbations/messages.toml``.
    operations: Mapping[str, str] = EMPTY
    equality: EqualityForms = EqualityForms()  #: what is known of the values of a program
    conditions: ConditionForms | None = None  #: how conditions are written in another way
    dead_code: DeadCodeForms | None = None  #: code that is never run
    printing: PrintForms | None = None  #: where a program can print without noticing
    sees_order: frozenset[str] = frozenset()  #: words of programs that may look at the order or lines of definitions
    faults: FaultForms | None = None  #: how mistakes are written
    literal: re.Pattern[str] = LITERAL  #: a literal of one value, among the arguments of a call
    #: what a translator is told about the declaration of ``{function}``, so that :meth:`call_function` can call it
    declaration: str = (
        "Declare {function} as a function at the top level; import and export nothing that needs to be installed."
    )
    worked_examples: Mapping[str, WorkedExample] = EMPTY  #: by the names in ``sources/_examples.py``

    def comment(self, text: str) -> str:
        """A comment that holds ``text``, one line for each of its lines.

        Raises:
            Refused: The text would end the comment.
        """
        return self.comments.write(text)

    @abstractmethod
    def print_statement(self, text: str) -> str:
        """A statement that prints ``text`` and a line end."""

    def call_function(self, function: str, arguments: str) -> str:
        """A call of a function that is declared as :attr:`declaration` says."""
        return f"{function}({arguments})"

    def fresh(self, stem: str, taken: frozenset[str]) -> str:
        """A name that is not in ``taken`` and means nothing to the language: ``stem``, else ``stem_1`` and so on."""
        used = _lower_all(taken) if self.ignores_case else taken
        name, number = stem, 0
        while (key := name.lower() if self.ignores_case else name) in used or key in self.words:
            number += 1
            name = f"{stem}_{number}"
        return name


@lru_cache(maxsize=32)
def _lower_all(names: frozenset[str]) -> frozenset[str]:
    """Names in lower case; those of the last few programs are kept, because a program gets many names."""
    return frozenset([name.lower() for name in names])
