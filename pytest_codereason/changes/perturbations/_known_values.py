"""What is known about the values of a program from its text and its entry call, without running it.

Where nothing is known, a template of a study may be unsafe: ``p == p`` does not hold for NaN, and gives an array for an
array of numpy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from math import isnan

from pytest_codereason import registry
from pytest_codereason.core import EMPTY, Program
from pytest_codereason.core.language.structure import Binding, Code, Function
from pytest_codereason.errors import NotALiteral

_CALL = re.compile(r"[\w.$\\]+\((.*)\)", re.DOTALL)
_WORD = re.compile(r"\w+")
#: Characters of the longest argument that is printed.
_SHORT = 1_000


class KnownValues:
    """What is known about the values of one program."""

    def __init__(self, program: Program, code: Code) -> None:
        self._program, self._code = program, code
        self._language = registry.language(program.language)
        self._forms = self._language.dialect.equality
        self._text = f"{program.source}\n{program.call}"

    @cached_property
    def is_plain(self) -> bool:
        """Whether all values are of the language's own types, because nothing else gives the program values."""
        if not self._program.call or len(self._program.files) > 1:
            return False
        return self._forms.is_plain(self._text, self._code.taken)

    @cached_property
    def _is_all_equal(self) -> bool:
        return self.is_plain and not self._forms.unequal.search(self._text.lower())

    def is_equal(self, name: str, function: Function) -> bool:
        """Whether a parameter is equal to itself wherever it has a value, and comparing it runs no code."""
        if self._is_all_equal:
            return True
        binding = self._find_parameter(name, function)
        if binding is None:
            return False
        if declared := self._forms.declared_unequal:
            start = binding.uses[0].span.start
            return not declared.search(self._code.source, max(0, start - 20), start)
        if function is not self.entry or name not in self._arguments:
            return False
        argument = self._arguments[name]
        is_nan = isinstance(argument, float) and isnan(argument)
        return not is_nan and self._keeps_value(binding, function)

    def is_printable(self, name: str, function: Function, at: int, collections: bool) -> bool:
        """Whether printing a parameter at a place of the entry function that is reached once cannot fail.

        It then still has the value of its argument. Printing another value might fail or run code of the program: a
        number of thousands of digits, half of a surrogate pair, an object.
        """
        binding = self._find_parameter(name, function)
        if function is not self.entry or binding is None:
            return False
        used = any(function.body.start <= use.span.start < at for use in binding.uses if not use.in_call)
        if used or name not in self._arguments:
            return False
        argument = self._arguments[name]
        text = repr(argument)
        plain = collections or isinstance(argument, str | int)
        return plain and text.isascii() and "\\" not in text and len(text) < _SHORT

    def _find_parameter(self, name: str, function: Function) -> Binding | None:
        bindings = [b for b in self._code.bindings if b.name == name and b.function == function.name]
        return bindings[0] if len(bindings) == 1 and bindings[0].kind == "parameter" else None

    def _keeps_value(self, binding: Binding, function: Function) -> bool:
        """Whether a parameter is never given another value."""
        behind, before, source = self._forms.rebound_behind, self._forms.rebound_before, self._code.source
        if behind is None or binding.unsafe:
            return False
        if not self._forms.aliases.isdisjoint(_WORD.findall(source, *function.body)):
            return False
        spans = [use.span for use in binding.uses if not use.in_call and use.span.start >= function.body.start]
        return not any(
            behind.match(source, span.end) or before.search(source, max(0, span.start - 20), span.start)
            for span in spans
        )

    @cached_property
    def entry(self) -> Function | None:
        """The function that only the entry call names, once."""
        for binding in self._code.bindings:
            if len(binding.uses) == 2 and binding.uses[1].in_call and not binding.uses[0].in_call:
                functions = [f for f in self._code.functions if f.name.rpartition(".")[2] == binding.name]
                start = binding.uses[0].span.start
                if len(functions) == 1 and functions[0].span.start <= start < functions[0].body.start:
                    return functions[0]
        return None

    @cached_property
    def _arguments(self) -> Mapping[str, object]:
        """The arguments of the entry call as data, by the parameters of the entry function."""
        call, entry = _CALL.fullmatch(self._program.call), self.entry
        if call is None or entry is None:
            return EMPTY
        signature = self._code.source[entry.span.start : entry.body.start].rstrip().rstrip("{")
        if signature.startswith("@") or self._forms.irregular.search(signature):
            return EMPTY
        try:
            arguments = self._language.values.read_arguments(call[1])
        except (NotALiteral, NotImplementedError):
            return EMPTY
        if not arguments.literal or len(arguments.values) != len(entry.parameters):
            return EMPTY
        names = [name or place for name, place in zip(arguments.names, entry.parameters, strict=True)]
        return dict(zip(names, arguments.values, strict=True))
