"""Variables of PHP that get a value by a reference."""

from __future__ import annotations

import re

import pytest

from pytest_codereason.core.language.structure import Span
from pytest_codereason.registry import language

AROUND = """<?php
function f($v) {{
    {use};
}}
function value($x) {{}}
function taker(int $y, &$x) {{}}
class A {{ function m($x) {{}} function r(&$x) {{}} function __construct($x) {{}} }}
"""
#: Whether each use of ``$v`` may give it a value.
USES = {
    "sort($v)": True,
    "\\array_push($v, 1)": True,
    "preg_match('/a/', 'a', $v)": True,
    "taker(1, $v)": True,
    "$o->r($v)": True,
    "A::r($v)": True,
    "$w = &$v": True,
    "$v = &$w": True,
    "$w = [&$v]": True,
    "$w = ['a' => &$v]": True,
    "$w = function () use (&$v) {}": True,
    "foreach ($w as &$v) {}": True,
    "foreach ($w as $k => &$v) {}": True,
    "global $v": True,
    "static $v = 1": True,
    "count($v)": False,
    "value($v)": False,
    "$o->m($v)": False,
    "new A($v)": False,
    "$w = $v & 1": False,
    "$w = function () use ($v) {}": False,
    "echo $v": False,
    '$w = "a $v {$v}"': False,
    "$v .= 'a'": False,  # an assignment, which everybody sees
    "$g($v)": False,
}


@pytest.mark.parametrize("use", USES)
def test_a_use_may_be_a_reference(use: str) -> None:
    source = AROUND.format(use=use)
    code = language("php").syntax.parse(source, "")
    uses = [Span(found.start() + 1, found.end()) for found in re.finditer(r"\$v\b", source)][1:]
    assert uses
    assert [code.may_rebind(span) for span in uses] == [USES[use]] * len(uses)


def test_what_other_files_declare_may_take_a_reference() -> None:
    source = "<?php include 'a.php'; function f($v) { g($v); h($v); } function h($x) {}"
    code = language("php").syntax.parse(source, "")
    given = [source.index(f"{name}($v);") for name in "gh"]
    assert [code.may_rebind(Span(at + 3, at + 4)) for at in given] == [True, False]


def test_a_function_without_a_name_may_take_one() -> None:
    source = "<?php $g = function (&$x) {}; function f($v) { global $g; $g($v); }"
    at = source.index("$g($v)") + 4
    assert language("php").syntax.parse(source, "").may_rebind(Span(at, at + 1))
