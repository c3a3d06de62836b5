"""Statements that a layout leaves as they stand, and those close to them that it changes."""

from __future__ import annotations

import pytest

from pytest_codereason.languages.python.syntax.layout import PythonLayout

#: Statements that the layout must change, each close to one that it leaves as it stands.
CROOKED = (
    "x=1",
    "x, y=1, 2",
    "x  = 1",
    "x = 1 ",
    "x = f (y)",
    "x = f( y)",
    "x = f(y, )",
    "x = f(y,z)",
    "x = f(y = 1)",
    "x = f(y, z = 1)",
    "x = not(y)",
    "x = y and not(z)",
    "x = y in(z)",
    "x = y if(z) else(a)",
    "x = (lambda:y)",
    "x = [y for(y) in z]",
    "x = y[1 : 2]",
    "x = y[1: 2]",
    "x = y[: f(z)]",
    "x = y[f(z) :]",
    "x = y[a+1:]",
    "x = y[a :: b]",
    "x[1 :2] = y",
    "x[y[0] ] = z",
    "x[y+1] = z",
    "x = {y:z}",
    "x = {y : z}",
    "x = - y",
    "x = y -1",
    "x = y- 1",
    "x = f(* y)",
    "x = f(** y)",
    "x = y .z",
    "x = y. z",
    "x: int=3",
    "x:int",
    "x[0]:int",
    "x.y:int",
    "x[:1]:int",
    "x = y;z = 3",
    "x = (y\n    -z)",
    "x = 'y'  'z'",
    "x = yield(y)",
    "return(x)",
    "return  x",
    "return x ,y",
    "type (x).y = z",
    "if x :\n    pass",
    "if  x:\n    pass",
    "if(x):\n    pass",
    "if x: y",
    "if x: # y\n    pass",
    "if x:\n    pass\nelif(y):\n    pass",
    "if x:\n    pass\nelse :\n    pass",
    "if x[f(1):2 ]:\n    pass",
    "try :\n    pass\nfinally:\n    pass",
    "try:\n    pass\nexcept(A):\n    pass",
    "try:\n    pass\nexcept A as  e:\n    pass",
    "try:\n    pass\nexcept (A,B):\n    pass",
    "try:\n    pass\nfinally :\n    pass",
    "while x:\n      pass",
    "for x in(y):\n    pass",
    "for x,y in z:\n    pass",
    "def g(x,y):\n    pass",
    "def g(x, ):\n    pass",
    "def g (x):\n    pass",
    "class A():\n  def g(x):\n      pass",
)
STRAIGHT = (
    "x = f(y, 1)[0].z",
    "x, y = y, x",
    "x.y[0] += f(z='a\\'b')",
    "x = y[::-1] + z[:-1] + [1, 2]",
    "x = y[:-f(z)] + y[a.b(c) + 1:d * -2]",
    "x[y[0]] = x[i + 1] = x[1:2] = z",
    "x = [y for y in z if y not in a and not b]",
    "return x if y is not None else -z",
    "type(x).y = z",
    "return",
    "if x and f(y) > 2:\n    pass\nelif -x:\n    pass\nelse:\n    pass",
    "if x[f(1):2]:\n    pass",
    "if x[1:2]:\n    if y:\n        pass\n    return",
    "try:\n    pass\nexcept A.b as e:\n    pass\nexcept:\n    pass\nelse:\n    pass\nfinally:\n    pass",
    "while x:\n    x = y\nelse:\n    return",
    "for x, y in z(1):\n    x = y\nreturn x",
    "def g(x, y):\n    return x\nreturn g",
    "def g():\n    pass",
)


def write_function(statement: str) -> str:
    body = statement.replace("\n", "\n    ")
    return f"def f():\n    {body}\n"


@pytest.mark.parametrize("statement", STRAIGHT)
def test_a_statement_in_the_layout_stays_as_it_stands(statement: str) -> None:
    assert PythonLayout.normalise(write_function(statement)).text == write_function(statement)


@pytest.mark.parametrize("statement", CROOKED)
def test_a_statement_is_laid_out_once_and_for_all(statement: str) -> None:
    text = PythonLayout.normalise(write_function(statement)).text
    assert text != write_function(statement)
    assert PythonLayout.normalise(text).text == text
