"""Values as the text of a program shows them, such as a variable or a list of functions, to find what a call calls.

    callbacks = [save, audit.record]     # Items with the members Variable("save"), Member(Variable("audit"), "record")
    first = callbacks[0]                 # Member(Variable("callbacks"), "0")
    first()                              # a call of Variable("first")

A language writes these values down and decides nothing. ``languages/call_graphs/`` works them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

#: The name of a member that stands for any item of a collection.
ANY = "*"


@dataclass(frozen=True, slots=True)
class Variable:
    """The value of a variable, looked up from the inside out."""

    name: str


@dataclass(frozen=True, slots=True)
class Member:
    """``of.name``, and ``of[0]``. The name ``*`` stands for any item, ``[key]`` for an item that is no attribute."""

    of: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Argument:
    """What a call passes."""

    value: Expression
    name: str = ""  #: of the parameter, where the call names one


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call gives."""

    callee: Expression
    arguments: tuple[Argument, ...] = ()
    new: bool = False  #: whether it makes an object even if the callee is a function: ``new f()``


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function of the program."""

    name: str


@dataclass(frozen=True, slots=True)
class ClassValue:
    """A class of the program itself, as in ``Square.count``."""

    name: str


@dataclass(frozen=True, slots=True)
class FileValue:
    """A file of the program, as an import gives it."""

    name: str


@dataclass(frozen=True, slots=True)
class ObjectValue:
    """An object of a class: ``self``, ``this``, or a variable whose type is written."""

    type: str  #: the class's qualified name, or the name of a library's type
    declared: bool = False  #: whether the type is written beside the variable


@dataclass(frozen=True, slots=True)
class SuperValue:
    """``super`` within a class."""

    type: str


@dataclass(frozen=True, slots=True)
class Items:
    """A collection or an object that is written out, ``[...]`` or ``{...}``. Bindings say what it holds."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values: ``a or b``, ``a if c else b``."""

    options: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class OtherValue:
    """Anything else, such as a number or the value of an operator."""

    type: str = ""  #: where the text shows it: ``int``, ``java.lang.String``


Expression: TypeAlias = (
    Variable
    | Member
    | CallResult
    | FunctionValue
    | ClassValue
    | FileValue
    | ObjectValue
    | SuperValue
    | Items
    | Choice
    | OtherValue
)
OTHER = OtherValue()
#: Nothing is known.
UNKNOWN = Choice(())
