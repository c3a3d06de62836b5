"""What the witness of Python reads in codes: which are the same, which Python made for itself, where bodies begin."""

from __future__ import annotations

from types import CodeType

import pytest

from pytest_codereason.languages.python.codes import (
    find_body,
    is_copy,
    is_same,
    is_silent,
    is_text,
    list_inside,
    list_silent,
    normalize,
)

SOURCE = """\
def f(x):
    def inner(): return x
    return [(lambda: y)() for y in (z for z in x if (lambda: z)())], inner

class Box:
    def get(self): return {k: (lambda: k) for k in self.items}

g = lambda: 1; h = (
    lambda: 2)
"""


def read(source: str = SOURCE) -> CodeType:
    return compile(source, "main.py", "exec")


def find(code: CodeType, *names: str) -> CodeType:
    for name in names:
        code = next(inner for inner in code.co_consts if isinstance(inner, CodeType) and inner.co_name == name)
    return code


class Names(tuple[str, ...]):
    """Names that could say another thing each time."""

    __slots__ = ()


def test_a_copy_has_the_same_instructions_constants_and_names() -> None:
    one = find(read("def f(x):\n    return x.a + 'text' * 3\n"), "f")
    assert is_copy(one.replace(co_name="g", co_firstlineno=9), one)
    assert not is_copy(one.replace(co_names=("b",)), one)
    assert not is_copy(one.replace(co_names=Names(one.co_names)), one)
    assert not is_copy(one.replace(co_consts=(*one.co_consts[:-1], "other")), one)
    assert not is_copy(one.replace(co_consts=(*one.co_consts, 1)), one)
    assert not is_copy(one.replace(co_names=(*one.co_names, "b")), one)
    other = find(read("def f(x):\n    return x.a - 'text' * 3\n"), "f")
    assert not is_copy(other.replace(co_consts=one.co_consts, co_names=one.co_names), one)


def test_equal_values_that_are_two_are_not_the_same() -> None:
    value = [1]
    assert is_same(value, value)
    assert not is_same(value, [1])


class Sly(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


@pytest.mark.parametrize(
    ("source", "own"),
    [
        ("x = 1\n", True),
        (b"x = 1\n", True),
        ("\ufeffx = 1\r\n", True),
        (b"\xef\xbb\xbfx = 1\r", True),
        ("x = 2\n", False),
        (b"x = 2\n", False),
        (Sly("x = 2\n"), False),
        (bytearray(b"x = 1\n"), False),
        (None, False),
    ],
)
def test_what_is_compiled_is_the_text_of_a_file_but_for_line_ends(source: object, own: bool) -> None:
    assert is_text(source, "x = 1\n") is own


def test_half_a_surrogate_pair_in_bytes_is_read_as_in_the_file() -> None:
    assert is_text("x = '\ud800'".encode("utf-8", "surrogatepass"), "x = '\ud800'")


def test_texts_are_normalized_as_reading_a_file_does() -> None:
    assert normalize("\ufeffa\r\nb\rc\n") == "a\nb\nc\n"
    assert normalize("a\ufeff") == "a\ufeff"


def test_comprehensions_are_silent_and_functions_are_not() -> None:
    module = read()
    assert is_silent(find(module, "f", "<genexpr>"))
    assert not is_silent(module)
    assert not is_silent(find(module, "f"))
    assert not is_silent(find(module, "<lambda>"))


@pytest.mark.parametrize("name", ["<setcomp>", "<dictcomp>", "<genexpr>", "<listcomp>", "__annotate__"])
def test_every_code_that_python_makes_is_silent(name: str) -> None:
    assert is_silent(read().replace(co_name=name))
    assert is_silent(read().replace(co_name="<generic parameters of f>"))


def test_silent_codes_are_found_within_each_other_but_not_within_functions() -> None:
    function = find(read("def f(a): return {x for x in (y for y in [z for z in a])}, lambda: (b for b in a)"), "f")
    names = [code.co_name for code in list_silent(function)]
    assert "<genexpr>" in names
    assert names.count("<genexpr>") == 1
    nested = find(read("def f(a): return ((y for y in x) for x in a)"), "f")
    assert [code.co_name for code in list_silent(nested)] == ["<genexpr>", "<genexpr>"]
    assert list_inside(nested) == []


def test_what_stands_in_a_body_is_listed_in_the_order_of_the_text() -> None:
    module = read()
    assert [code.co_name for code in list_inside(module)] == ["f", "Box", "<lambda>", "<lambda>"]
    assert [code.co_firstlineno for code in list_inside(module)] == [1, 5, 8, 9]
    inside = list_inside(find(module, "f"))
    assert [code.co_name for code in inside] == ["inner", "<lambda>", "<lambda>"]
    assert [code.co_freevars for code in inside[1:]] == [("y",), ("z",)]
    assert [code.co_name for code in list_inside(find(module, "Box"))] == ["get"]
    assert [code.co_name for code in list_inside(find(module, "Box", "get"))] == ["<lambda>"]


def test_a_body_begins_at_its_first_place_behind_its_head() -> None:
    module = read("def f():\n    return g(1)\nh = lambda: 2; k = lambda: 3\n")
    assert find_body(find(module, "f")) == (2, 4)
    first, second = (code for code in list_inside(module) if code.co_name == "<lambda>")
    assert find_body(first) == (3, 12)
    assert find_body(second) == (3, 27)
    assert find_body(read("def f():\n    return g(1)\n").replace(co_linetable=b"")) == (1, 0)
