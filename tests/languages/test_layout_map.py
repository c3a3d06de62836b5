"""Where a layout says that everything went."""

from __future__ import annotations

import contextlib
import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given

from pytest_codereason.core import Program
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.registry import language
from pytest_codereason.strategies import programs
from tests.languages.layout_map_cases import check

#: A program in an odd layout, and a line of it that holds the word MARK.
ODD = {
    "python": "from  a import (b,\n  c,)  # why\nfrom . . x import y\r\n\n\ndef f ( a,b = \\\n 1, ): # MORE\n"
    "  '''one\r\n  two'''; x = [ 1 ,\n   'MARK' , ] ; return (x,)\n",
    "javascript": "#!/usr/bin/env node\n// one\nlet  a = `b ${ c\n( /* two */ 1 ) } d`\nfunction f ( ) {"
    '\n return "MARK" }\n\n'
    "for ( ; ; ) break\nclass A { x = 1\n  ; y }  if (a) ; else b\n",
    "php": " <b>\n<?php\n# one\nfunction  f ( $a ) { /* two */\n return [ 'MARK' ,\n\"x\n y\","
    " <<<E\n a\n  E\n ] ; } ?>\n tail <?= 1 ?>",
    "java": '/** one */ class A {\n @Deprecated  int f (int a) {\n // two\n return "MARK" . length ( ) ; }\n'
    '  String s = """\r\n   a\r\n   b""" ; ; }',
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_layout(name: str) -> None:
    source = ODD[name]
    laid_out = language(name).syntax.normalise(source)
    assert laid_out.text != source
    check(laid_out)
    line = next(i for i, text in enumerate(source.split("\n"), 1) if "MARK" in text)
    moved = laid_out.line(line)
    assert moved is not None
    assert "MARK" in laid_out.text.split("\n")[moved - 1]


@pytest.mark.parametrize("name", ODD)
def test_a_uniform_program_maps_to_itself(name: str) -> None:
    text = language(name).syntax.normalise(ODD[name]).text
    again = language(name).syntax.normalise(text)
    assert [again.offset(at) for at in range(len(text) + 1)] == [*range(len(text) + 1)]


@pytest.mark.parametrize("name", ODD)
def test_an_empty_program(name: str) -> None:
    for source in ("", "\n", " \n\n"):
        check(language(name).syntax.normalise(source))


@given(programs())
def test_generated_programs_with_their_layout_spoiled(program: Program) -> None:
    source = re.sub(r"(?m)$", "  ", program.source).replace("\n\n", "\n \n\n")
    check(language(program.language).syntax.normalise(source))


SHORT = {"javascript": "js", "php": "php", "java": "java"}


@pytest.mark.parametrize("name", SHORT)
def test_programs_of_cruxeval_x(name: str) -> None:
    path = Path(os.environ.get("CODEREASON_DATA", ""), "cruxeval-x", f"{SHORT[name]}.json")
    if "CODEREASON_DATA" not in os.environ or not path.exists():
        pytest.skip(f"CODEREASON_DATA names no folder with cruxeval-x/{SHORT[name]}.json")
    sources = [row["code"] for row in json.loads(path.read_text()) if "code" in row]
    for source in sources[::10]:
        with contextlib.suppress(DoesNotParse):  # a few are broken as published
            check(language(name).syntax.normalise(source))
