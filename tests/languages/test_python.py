from __future__ import annotations

import ast
import math
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.python import Python

PYTHON = Python()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("38", 38),
        (" -1_000 ", -1000),
        ("0xfF", 255),
        ("1e-3", 0.001),
        ("1e999", math.inf),
        ("float('-inf')", -math.inf),
        ("[inf, -inf]", [math.inf, -math.inf]),
        ("(1,)", (1,)),
        ("()", ()),
        ("1, 2", (1, 2)),
        ("set()", set()),
        ("{1, 2}", {1, 2}),
        ("{}", {}),
        ("{(1, 'a'): [b'x', None]}", {(1, "a"): [b"x", None]}),
        ("'it\\'s'", "it's"),
        ('"""a\nb"""', "a\nb"),
        ("r'\\d'", "\\d"),
        ("u'x' 'y'", "xy"),
        ("[\n  38,  # 81 - 43\n  169,\n]", [38, 169]),
        ("[38] # done", [38]),
        ("7 // 2", 3),
        ("2 ** -1", 0.5),
    ],
)
def test_reads(text: str, value: Any) -> None:
    assert PYTHON.values.equal(PYTHON.values.read(text).value, value)


@pytest.mark.parametrize(
    "text",
    [
        *["1 / 0", "1 % 0", "1.0 // 0", "10.0 ** 400", "(-8) ** 0.5", "1 << 3", "~1", "not 1", "-True", "1 + True"],
        *["f'x'", "1 + 2j", "...", "{**x}", "[i for i in x]", "{[1]}", "{[1]: 2}", "int('3')", "float('3')", "x.y"],
        *["1 if 2 else 3", "1 == 1", "set([1])", "set", "017", "1__0", "[1, 2", "nan.real", "lambda: 1", "(yield)"],
    ],
)
def test_refuses(text: str) -> None:
    with pytest.raises(NotALiteral):
        PYTHON.values.read(text)


def test_an_unknown_escape_is_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert PYTHON.values.read("'\\d'").value == "\\d"


@given(st.recursive(st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False), st.lists))
def test_reads_what_literal_eval_reads(value: Any) -> None:
    assert PYTHON.values.read(repr(value)).value == ast.literal_eval(repr(value))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (1, 1.0),
        (0, False),
        ([1], (1,)),
        ({1}, {True}),
        ({1: 0}, {1.0: 0}),
        ("a", b"a"),
        ((1, [2]), (1, [2.0])),
    ],
)
def test_equality_is_strict_across_types(left: Any, right: Any) -> None:
    assert not PYTHON.values.equal(left, right)


def test_a_set_is_written_in_one_order() -> None:
    assert PYTHON.values.write({"b", "a", "c"}) == "{'a', 'b', 'c'}"


def test_assertion() -> None:
    assert PYTHON.values.assertion("f(81)") == ("assert f(81) == ", "")


ARGUMENT_PIECES = st.sampled_from(
    [
        "1",
        "nan",
        "'a'",
        '"""',
        "'''",
        "\\",
        "#",
        "\n",
        ",",
        "b=",
        "(",
        ")",
        "[",
        "]",
        "f",
        "`",
        " ",
        "range(3)",
        "if 0 else",
    ]
)


@given(st.lists(ARGUMENT_PIECES, max_size=12).map("".join))
def test_arguments_are_written_anew_from_their_values(text: str) -> None:
    values = PYTHON.values
    try:
        arguments = values.read_arguments(text)
    except NotALiteral:
        return
    again = values.read_arguments(arguments.text)
    assert again.text == arguments.text
    assert again.names == arguments.names
    call = ast.parse(f"f({arguments.text})", mode="eval").body
    allowed = (ast.Constant, ast.List, ast.Load, ast.Name, ast.Call, ast.keyword, ast.UnaryOp, ast.USub, ast.Tuple)
    assert all(isinstance(node, allowed) for node in ast.walk(call))
    assert {node.id for node in ast.walk(call) if isinstance(node, ast.Name)} <= {"f", "float", "range", "set"}


def test_every_nan_is_a_key_of_its_own() -> None:
    value = PYTHON.values.read("{nan: 1, nan: 1, float('nan'): 2}").value
    assert len(value) == 3
    assert PYTHON.values.equal(value, PYTHON.values.read(PYTHON.values.write(value)).value)
    assert not PYTHON.values.equal(value, PYTHON.values.read("{nan: 1, nan: 2}").value)
    assert not PYTHON.values.equal(value, PYTHON.values.read("{nan: 1, nan: 2, nan: 2}").value)
