"""The forms of arguments that the page on answers lists are those that are read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_codereason.errors import NotALiteral
from pytest_codereason.registry import language

PAGE = Path(__file__).parents[2] / "docs" / "answers.md"
#: Calls that the page names without arguments, with some.
CALLS = {
    "List.of": "1",
    "Arrays.asList": "1, 2",
    "Set.of": "1",
    "Map.of": "1, 2",
    "Map.entry": "1, 2",
    "Map.ofEntries": "Map.entry(1, 2)",
    "Optional.of": "1",
    "Optional.ofNullable": "1",
    "Optional.empty": "",
    "Integer.valueOf": "1",
    "Pair.with": "1, 2",
}
NAMES = {"emptyList", "singletonList", "Collections", "new", "java.util", "String", "BigInteger", "$b"}


def list_forms(name: str) -> list[str]:
    """The forms in the row of a language, with a list for ``x``."""
    title = language(name).title
    [row] = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| {title} | `1 + 2`")]
    forms = [double or single for double, single in re.findall(r"`` (.+?) ``|`([^`]+)`", row)]
    forms = [f"{form}({CALLS[form]})" if form in CALLS else form for form in forms if form not in NAMES]
    return [re.sub(r"\bx\b", "['a']", form) for form in forms]


@pytest.mark.parametrize("name", ["python", "javascript", "php", "java"])
def test_every_form_of_the_page_is_read(name: str) -> None:
    values, forms = language(name).values, list_forms(name)
    assert len(forms) > 9
    for form in forms:
        assert values.read_arguments(form).text, form


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("python", "len('abc')"),
        ("python", "sorted([1])"),
        ("python", "'a'.strip()"),
        ("python", "bytes([1])"),
        ("javascript", "Array.from([1])"),
        ("javascript", "new Date()"),
        ("php", "array_merge([1])"),
        ("php", "PHP_OS"),
        ("java", "new Random()"),
        ("java", "List.copyOf(List.of(1))"),
        ("java", 'Integer.parseInt("1")'),
    ],
)
def test_other_calls_are_not(name: str, text: str) -> None:
    with pytest.raises(NotALiteral):
        language(name).values.read_arguments(text)
