"""A renamed program is known without a parse: what moves with the names is what a parse of the new text finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.perturbations import _places, _stories
from pytest_codereason.changes.perturbations._code_views import RenamedCode
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Program
from pytest_codereason.core.files.program_folders import read_program
from pytest_codereason.errors import Skip
from tests.benchmarks.cold_caches import forget_programs
from tests.examples import take_every

LANGUAGES = ("python", "javascript", "java", "php")
CORPUS = Path(__file__).parents[3] / "corpus"
#: Its own method has the name of an operation.
OPERATION = """class Main {
    int n;
    void add(int k) { n += k; }
    public static void main(String[] a) {
        Main m = new Main();
        m.add(2);
        System.out.println(m.n);
    }
}
"""


def list_programs(language: str, step: int) -> Iterator[Program]:
    for folder in sorted(CORPUS.glob(f"{language}/*"))[::step]:
        program = read_program(folder, registry.language(language))
        if len(program.files) == 1:
            yield program


def check_renamed(program: Program, names: str) -> bool:
    """Whether the program has names to change; asserts that what is known of it then is what a parse says."""
    lang = registry.language(program.language)
    forget_programs()
    try:
        renamed = perturb(program, parse(names), 7, program.sha, "output", keep="layout")
    except Skip:
        return False
    known = _places.parse_program(renamed)
    fresh = lang.syntax.parse(renamed.source, renamed.call)
    assert isinstance(known, RenamedCode)
    assert _stories.list_spots(renamed) == _stories._find_spots(fresh, lang.dialect)
    assert known.taken == fresh.taken
    assert "_code" not in vars(known) or not known.names.isdisjoint(lang.dialect.operations), "it was not parsed"
    assert (known.bindings, known.statements, known.insertions) == (fresh.bindings, fresh.statements, fresh.insertions)
    return True


@pytest.mark.parametrize(
    ("language", "step"),
    [
        *((name, 60) for name in LANGUAGES),
        *(pytest.param(name, take_every(12), marks=pytest.mark.slow) for name in LANGUAGES),
    ],
)
def test_what_is_known_of_a_renamed_program_is_what_a_parse_finds(language: str, step: int) -> None:
    programs = list(list_programs(language, step))
    tried = [
        check_renamed(program, names)
        for program in programs
        for names in ("rename", "misleading-names", "dead-code+misleading-names", "misleading-names+rename")
    ]
    assert sum(tried) >= len(programs)


def test_an_operation_of_the_program_itself_may_be_renamed() -> None:
    program = Program.from_source(language="java", source=OPERATION, call="")
    assert check_renamed(program, "misleading-names")
