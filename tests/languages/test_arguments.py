"""Arguments of calls in every language: what is run is what was read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.errors import NotALiteral
from pytest_codereason.registry import language

LANGUAGES = ("python", "javascript", "php", "java")
#: A word that stands for code: no literal holds it but a string.
CODE = "exit(0)"
PIECES = st.sampled_from(
    [
        *["1", "nan", "NaN", "NAN", "Double.NaN", "'a'", '"a,b"', '"""', "'''", "`", "\\", "#", "//", "/*", "*/"],
        *["\n", "\r", ",", "b=", "b:", "(", ")", "[", "]", "{", "}", " ", "1e999", "1L", "List.of(", CODE],
    ]
)


@pytest.mark.parametrize("name", LANGUAGES)
@given(text=st.lists(PIECES, max_size=10).map("".join))
def test_the_text_that_is_run_reads_as_the_values_that_were_read(name: str, text: str) -> None:
    values = language(name).values
    try:
        arguments = values.read_arguments(text)
    except NotALiteral:
        return
    again = values.read_arguments(arguments.text)
    assert [*map(values.write, again.values)] == [*map(values.write, arguments.values)]
    assert again.names == arguments.names
    assert values.equal_arguments(arguments.text, text)


@pytest.mark.parametrize("name", LANGUAGES)
@given(before=st.sampled_from(["NaN", "nan", "NAN", "Double.NaN", "1"]), comment=st.sampled_from(["//", "#", "/*"]))
@pytest.mark.parametrize("tail", [", {}\n, 1", ", {} */, 1", " {}\n, 1", "\n, {}"])
def test_code_in_a_comment_is_never_an_argument(name: str, tail: str, before: str, comment: str) -> None:
    values = language(name).values
    try:
        arguments = values.read_arguments(f"{before} {comment}{tail.format(CODE)}")
    except NotALiteral:
        return
    if name != "java":
        assert CODE not in arguments.text
    assert CODE not in ", ".join(map(values.write, arguments.values))


def test_a_name_without_an_argument_is_no_argument() -> None:
    with pytest.raises(NotALiteral):
        language("php").values.read_arguments("a:")
