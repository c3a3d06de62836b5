"""The names of Java's methods in call graphs."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pytest_codereason.core.language.naming import Naming
from pytest_codereason.core.language.tracing import Body
from pytest_codereason.languages.frame.examples import read_graph

_LIBRARY = re.compile(
    r"(?:java|javax|jdk|sun|com\.sun)\."
    # Classes that a program need not import, and the most used of those that it must.
    r"|(?:ArrayDeque|ArrayList|Arrays|Boolean|Character|Collections|Collectors|Double|Float|HashMap|HashSet|Integer"
    r"|Iterator|LinkedList|List|Long|Map|Math|Object|Objects|Optional|Set|Stream|String|StringBuilder|System|Thread)"
    r"[.:]"
)
_OUTER = re.compile(r"(?:\w+\$)+(?=\w)")
_CONSTRUCTOR = re.compile(r":<init>\(.*\)\Z", re.DOTALL)


class JavaNaming(Naming):
    """``shop.Cart$Item:price(int,java.lang.String[])``: the class, the method, the types of its parameters."""

    example = read_graph(__package__)
    rule = (
        "A method is its package and class, a colon, its name and the full types of its parameters, without type "
        'arguments and without blanks: "shop.Cart:add(int,java.lang.String[])". An inner class stands behind its outer '
        'class and a dollar sign: "shop.Cart$Item:price()". An anonymous class has a number: "shop.Cart$1:run()". A '
        'constructor is called <init>: "shop.Cart:<init>(int)". What a lambda calls is called by the method that calls '
        "the lambda. Name the class whose method runs, not the class or interface that a variable is declared as."
    )

    def tidy(self, text: str) -> str:
        """The name without blanks."""
        return "".join(text.split())

    def simplify(self, name: str) -> str:
        """A constructor is its class, and outer classes are left out."""
        return _OUTER.sub("", _CONSTRUCTOR.sub("", name))

    def is_library(self, name: str, own: Collection[str]) -> bool:
        """Whether the class is one that comes with Java, and none of the program."""
        return bool(_LIBRARY.match(name)) and name.partition(":")[0] not in {each.partition(":")[0] for each in own}

    def describe(self, name: str, bodies: Sequence[Body]) -> str:
        """The method or constructor, or what a class does when it is loaded."""
        if name.endswith(":<clinit>()"):
            return f'the static initialisers of the class "{name.removesuffix(":<clinit>()")}" ("{name}")'
        return f'the method "{name}"'
