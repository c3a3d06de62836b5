"""TypeScript: values."""

from __future__ import annotations

from pytest_codereason.core import Arguments, Value
from pytest_codereason.languages.javascript.values import JavaScriptValues
from pytest_codereason.languages.typescript.translating import blank_expression


class TypeScriptValues(JavaScriptValues):
    """The values of JavaScript. A text may have types, which say nothing of the value: ``[1, 2] as number[]``."""

    def read(self, text: str) -> Value:
        """The value of a literal."""
        return super().read(blank_expression(text))

    def read_answer(self, text: str) -> Value:
        """The same, of ``new Set<number>([1])`` and the like, and of what node prints."""
        return super().read_answer(blank_expression(text))

    def read_arguments(self, text: str) -> Arguments:
        """The arguments of a call, with a text that is written from their values."""
        return super().read_arguments(blank_expression(text))

    def equal_expressions(self, left: str, right: str) -> bool:
        """Whether two texts of arguments have the same syntax tree, apart from types."""
        return super().equal_expressions(blank_expression(left), blank_expression(right))
