"""Java's structure on many programs: random layouts, and the programs of CRUXEval-X where they lie at hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.languages.java import Java, tuples
from tests.examples import examples
from tests.languages.java_programs import FLOW, rename_all

JAVA = Java()
BLANKS = st.sampled_from([" ", "\n", "\t", "\r\n", " /* a */ ", " // b\n", "\n\n/** c */\n"])
RUNNER = """
public class Runner {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            java.lang.reflect.Method main = Class.forName(name + ".Problem").getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            try {
                main.invoke(null, (Object) new String[0]);
            } catch (java.lang.reflect.InvocationTargetException error) {
                System.err.println(name + " " + error.getCause());
            }
        }
    }
}
"""


def words(source: str) -> list[str]:
    """The tokens of a program as javalang sees them, but for ``>>``, which it reads by what stands around."""
    from javalang.tokenizer import tokenize

    return [
        part
        for token in tokenize(source)
        for part in (">" * len(token.value) if set(token.value) == {">"} else [token.value])
    ]


@settings(max_examples=examples(15))
@given(blanks=st.lists(BLANKS, min_size=1, max_size=9))
def test_layout_is_no_clue(blanks: list[str]) -> None:
    shuffled = "".join(token + blank for token, blank in zip(words(FLOW), cycle(blanks), strict=False))
    same = JAVA.syntax.normalise(shuffled).text == JAVA.syntax.normalise(FLOW).text
    assert same


def programs() -> dict[str, str]:
    """The programs of CRUXEval-X by their number."""
    path = Path(os.environ.get("CODEREASON_DATA", ""), "cruxeval-x", "java.json")
    if "CODEREASON_DATA" not in os.environ or not path.exists():
        pytest.skip("CODEREASON_DATA names no folder with cruxeval-x/java.json")
    return {str(row["id"]): row["code"] for row in json.loads(path.read_text()) if row.get("code")}


@pytest.mark.slow
def test_normalising_keeps_every_token() -> None:
    for source in list(programs().values())[::4]:
        normal = JAVA.syntax.normalise(source).text
        assert words(normal) == words(source)
        assert JAVA.syntax.normalise(normal).text == normal


def change_source(source: str) -> str:
    """A program with a print wherever one may stand, all safe names changed, laid out anew."""
    for place in reversed(JAVA.syntax.parse(source).insertions):
        if place.place == "statement":
            text = JAVA.dialect.print_statement("here")
            source = source[: place.at] + place.before + text + place.after + source[place.at :]
    return JAVA.syntax.normalise(rename_all(JAVA.syntax.parse(source))).text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("javac") is None, reason="no javac on this machine")
def test_changed_programs_still_pass_their_own_tests(tmp_path: Path) -> None:
    # Number 71 depends on the order of `Map.of`, which differs from one machine to the next.
    chosen = {f"p{number}": code for number, code in list(programs().items())[::6] if number != "71"}
    files = tuples.read_sources() | {"Runner.java": RUNNER}
    files |= {f"{name}/Problem.java": f"package {name}; {change_source(code)}" for name, code in chosen.items()}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    quick = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
    compiler = ["javac", *(f"-J{option}" for option in quick), "-nowarn", "-proc:none", "-d", ".", *files]
    process = subprocess.run(compiler, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    machine = ["java", *quick, "-ea", "-cp", ".", "Runner", *chosen]
    process = subprocess.run(machine, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=50)
    assert (process.returncode, process.stderr) == (0, "")
