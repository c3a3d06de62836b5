"""Calls in a reply: which of them count, and where their arguments end."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.statements.calls import continue_call, find_last_call


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("f(1, 2)", "1, 2"),
        ("assert f(1) == 3\nassert f(2) == 3", "2"),
        ("assert f((1, [2]), ')') == 3", "(1, [2]), ')'"),
        ("so `f(1)` is it", "1"),
        ("f()", ""),
        ("f(\n  1,\n)", "1,\n"),
        ("f(1 # one\n)", "1 # one\n"),
        ("def f(a):", None),
        ("0 or True or f(0)", None),
        ("g(f(1)) == 3", None),
        ("g(f(1))", None),
        ("g(\n    f(1)\n) == 3", None),
        ("assert g((f(1))) == 3", None),
        ("print(g(f(1)))", None),
        ("h(2)(f(1)) == 3", None),
        ("g (f(1)) == 3", None),
        ("assert f(2) == g(f(1))", "2"),
        ("print(f(1))", "1"),
        ("assert(f(1) == 3)", "1"),
        ("assert (f(1)) == 3", "1"),
        ("self.assertEqual(f(1), 3)", "1"),
        ("assertEquals(3, f(1));", "1"),
        ("$this->assertSame([3, 4], f(1));", "1"),
        ("assertEquals(3.5, f(1), 0.001);", "1"),
        ("assertNotEquals(3, f(1));", None),
        ("assertNotSame(3, f(1));", None),
        ("assertEquals(3, g(f(1)));", None),
        ("max(3, f(1))", None),
        ("self.assertNotEqual(f(1), 3)", None),
        ("self.assertFalse(f(1) == 3)", None),
        ("assert not f(1) == 3", None),
        ("assert not (f(1) == 3)", None),
        ("assert (f(1) == 3) is False", None),
        ("assert (f(1) == 3) == False", None),
        ("assert.notDeepStrictEqual(f(1), 3)", None),
        ("assert(!(f(1) === 3));", None),
        ("expect(f(1)).not.toBe(3)", None),
        ("assert f(2) == 3\nassert f(1) != 3\nself.assertNotEqual(f(1), 3)", "2"),
        ("assert f(1) == False", "1"),
        ("assert (f(1)) == False", "1"),
        ("assert (f(1) == False)", "1"),
        ("No!\nf(1) == 3", "1"),
        ("expect(f(1)).toEqual(3)", "1"),
        ("assert.deepStrictEqual(\n  f(1),\n  3\n);", "1"),
        ("assert Objects.equals(f(1), 3);", "1"),
        ("the call (f(1)) gives 3", "1"),
        ("say g( and f(1) == 3", None),
        ("say g(\nf(1) == 3", "1"),
        ("f(f(41)) == 3", "f(41)"),
        ("f(f(41))", "f(41)"),
        ("f(1, f(2), f(3))\nso", "1, f(2), f(3)"),
        ("f(1) and f(f(2))", None),
        ("f(1\nf(2)", "2"),
        ("gf(1)", None),
        ("f(1", None),
        ("f(1]", None),
        ("f(1) + 2", None),
        ("f(1)[0] == 3", None),
        ("-f(1) == 3", None),
        ("assert not f(1)", None),
        ("[f(1)] == [3]", None),
        ("len(f(1)) == 3", None),
        ("assert sorted(f(1)) == [3]", None),
        ("g(x=f(1)) == 3", None),
        ("g(1, f(1)) == 3", None),
        ("3 if x else f(1)", None),
        ("print(str(f(1)))", None),
        ("g(f(f(1))) == 3", None),
    ],
)
def test_the_last_call_that_an_assertion_has(text: str, arguments: str | None) -> None:
    assert find_last_call(text, "f") == arguments


def test_a_qualified_name_may_be_shortened() -> None:
    assert find_last_call("Problem.f(1)", "Problem.f") == "1"
    assert find_last_call("f(1)", "Problem.f") == "1"
    assert find_last_call("Other.f(1)", "Problem.f") is None


@pytest.mark.parametrize(
    ("text", "arguments"),
    [("1, 2) == 3", "1, 2"), ("assert f(1) == 3", "1"), ("1, 2", None), ("1) + 2", None), ("'a)', 2)", "'a)', 2")],
)
def test_a_reply_continues_a_call(text: str, arguments: str | None) -> None:
    continued = continue_call(text, "assert f(")
    assert (continued and continued[0]) == arguments
    assert continued is None or text.endswith(continued[1])
