from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.core import Dose
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import DoesNotParse, Skip
from pytest_codereason.perturbations._messages import read_messages
from pytest_codereason.perturbations.comments import Comments
from pytest_codereason.registry import language
from pytest_codereason.sources.cruxeval_x import CruxEvalX
from tests.perturbations.calls import add_comments, program
from tests.perturbations.programs import PROGRAMS

SAID = [message for messages in read_messages().values() for message in messages]


def added(name: str, source: str) -> list[str]:
    """The lines that are comments, without what marks them."""
    mark = "# " if name == "python" else "// "
    return [line.strip().removeprefix(mark) for line in source.splitlines() if line.strip().startswith(mark)]


@pytest.mark.parametrize("name", PROGRAMS)
@settings(max_examples=15)
@given(seed=st.integers(0, 2**64 - 1), density=st.floats(0, 1), strength=st.none() | st.integers(1, 20))
def test_nothing_but_comments_is_added(name: str, seed: int, density: float, strength: int | None) -> None:
    lang, plain = language(name), language(name).syntax.normalise(PROGRAMS[name]).text
    source = add_comments(name, Dose(density=density, strength=strength), seed)
    assert lang.syntax.normalise(source).text == plain
    assert set(added(name, source)) <= {*SAID}
    assert [line for line in source.splitlines() if line.strip()[:2] not in ("# ", "//")] == plain.splitlines()
    assert strength is None or len(added(name, source)) <= strength


@pytest.mark.parametrize("name", PROGRAMS)
def test_more_strength_and_density_keep_the_comments_of_less(name: str) -> None:
    for doses in (
        [Dose(strength=n) for n in (1, 2, 5, 9)] + [Dose()],
        [Dose(density=share) for share in (0.0, 0.2, 0.5, 0.9)] + [Dose()],
    ):
        lines = [add_comments(name, dose, 3).splitlines() for dose in doses]
        for fewer, more in pairwise(lines):
            left = iter(more)
            assert all(line in left for line in fewer), "a stronger dose changes what a weaker one does"
        assert len(lines[0]) < len(lines[-1])


def test_a_place_is_a_quarter_of_the_file() -> None:
    lines = add_comments("python", Dose(place=4)).splitlines()
    assert [line for line in lines[:12] if line.strip().startswith("#")] == []
    assert [line for line in lines[12:] if line.strip().startswith("#")] != []


def test_comments_stand_where_they_belong() -> None:
    source = (
        'def f(xs):\n    """Doc."""\n    for x in xs:\n        if x:\n            return x\n'
        "        elif f(x):\n            xs.pop()\n"
    )
    variant = Comments().apply(program("python", source), Draws(1), Dose(), "output").source
    kinds = {message: kind for kind, messages in read_messages().items() for message in messages}
    shape = [
        "#" + kinds[line.strip()[2:]] if line.strip().startswith("#") else line.strip() for line in variant.splitlines()
    ]
    assert shape == [
        "def f(xs):",
        '"""Doc."""',
        "#function",
        "#for",
        "for x in xs:",
        "#if",
        "if x:",
        "#return",
        "return x",
        "elif f(x):",
        "#if",
        "#pop",
        "xs.pop()",
    ]
    indents = [len(line) - len(line.lstrip()) for line in variant.splitlines()]
    assert indents == [0, 4, 4, 4, 4, 8, 8, 12, 12, 8, 12, 12, 12]


def test_a_program_without_a_place_is_left_out() -> None:
    with pytest.raises(Skip, match="no place"):
        Comments().apply(program("python", "pass\n"), Draws(0), Dose(), "output")


def test_the_text_is_the_same_in_every_process() -> None:
    script = (
        "from tests.perturbations.calls import add_comments\n"
        "print(*map(add_comments, ('python', 'javascript', 'php', 'java')))"
    )
    sources = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(sources) == 1
    assert add_comments("python") in sources.pop()


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_cruxeval_keeps_its_code(name: str) -> None:
    if not Path(os.environ.get("CODEREASON_DATA", ""), "cruxeval.jsonl").exists():
        pytest.skip("CODEREASON_DATA names no folder with cruxeval.jsonl")
    lang, source = language(name), CruxEvalX.create({}, seed=0)
    count = 0
    for known in source.names(name):
        plain = source.program(name, known, {})
        try:
            text = lang.syntax.normalise(plain.source).text
            variant = Comments().apply(program(name, text), Draws(count), Dose(), "output").source
        except (Skip, DoesNotParse):
            continue
        assert lang.syntax.normalise(variant).text == text
        count += 1
    assert count > 500
