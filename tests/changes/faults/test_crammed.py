"""Faults in programs without blanks: what is written stays apart from what stands beside it."""

from __future__ import annotations

import json

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Program
from pytest_codereason.errors import Skip
from tests.changes.faults.programs import OPERATORS, list_injections, plant
from tests.changes.perturbations.data_sets import data

CRAMMED = {
    "python": """\
def f(n):
    if(n)and n>1or n<3:
        return n-+n
    x = n or(n)if n else(3)
    y = 1if n<=1or n else 0
    while[n]and n:
        n=n--n
    if[n]:return 1if(n)else 2
    elif"a":return n
    if 0x1for n:return 0if not(n)else(n)if(n)else n
    return not-n
""",
    "javascript": """\
function f(n) { let a=1; if(n>5&&n<=9) return!n; if(n-+a>3) return(n)&&a; while(n<-a) { n=n-++a }
let c = n*/* c */a; return typeof(n)&&c }
""",
    "php": """\
<?php function f($n) { $a=1; if($n>5&&$n<=9) return!$n; if($n-+$a>3) return($n)&&$a; while($n<-$a) {$n=$n-++$a;}
$c = $n*/* c */$a; return 1and$c; }
""",
    "java": """\
class M { static boolean f(int n) { int a=1; if(n>5&&n<=9) return!(n>a); if(n-+a>3) return(n>1)&&a>2;
while(n<-a) { n=n-++a; } int c = n*/* c */a; return(n>1)&&c>1; } }
""",
}
CASES = list(CRAMMED.items())


def list_faulty(program: Program) -> list[tuple[str, str]]:
    """The operators with the programs that they make."""
    faulty = []
    for name in OPERATORS:
        try:
            faulty += [(name, plant(program, injection).text) for injection in list_injections(name, program)]
        except Skip:
            continue
    return faulty


@pytest.mark.parametrize(("language", "source"), CASES)
def test_every_fault_of_a_crammed_program_parses(language: str, source: str) -> None:
    check = registry.language(language).syntax.check
    faulty = list_faulty(Program.from_source(language=language, source=source))
    assert len(faulty) > 8
    assert not check(source)
    assert [(name, text) for name, text in faulty if check(text)] == []


def test_numbers_that_touch_keywords_in_a_data_set() -> None:
    rows = [json.loads(line) for line in data("programs/changes.jsonl").read_text().splitlines()]
    seen = 0
    for row in rows:
        if row["under"].startswith("fault ") and "," not in row["under"]:
            program = Program.from_source(language=row["language"], source=row["code"], call=row["call"])
            faulty = list_faulty(program)
            assert row["under"].removeprefix("fault ") in {name for name, _ in faulty}
            assert not any(registry.language(row["language"]).syntax.check(text) for _, text in faulty)
            seen += len(faulty)
    assert seen > 0
