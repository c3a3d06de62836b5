"""What programs are made of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.core.language.driving import Driven
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.making import making
from pytest_codereason.harvest.making.making import (
    Surroundings,
    choose_parts,
    list_surroundings,
    make_programs,
    validate_program,
)
from pytest_codereason.harvest.repositories.walking import SourceFile
from pytest_codereason.harvest.settings import Settings
from pytest_codereason.sandbox import Sandbox
from tests.harvest.code import script, write_repository

SETTINGS = Settings(languages=("python",))
FILE = SourceFile("shop/price.py", "python", None, "MIT")
ALONE = Surroundings({}, {})


def test_a_file_that_runs_by_itself_stays_as_it_is(sandbox: Sandbox) -> None:
    outcome = make_programs(FILE, script("price"), ALONE, SETTINGS, sandbox.run)
    [program] = outcome.programs
    assert (outcome.path, outcome.licence, len(outcome.sha256)) == ("shop/price.py", "MIT", 64)
    assert program.files == {program.entry: script("price")}
    assert (program.how, program.functions, program.output) == ("runs by itself", 10, "45360\n")


def test_a_long_file_is_cut_and_a_short_one_is_not() -> None:
    short = script("price")
    long = "".join(script(f"f{i}").partition("\nprint")[0] + "\n" for i in range(8))
    longer = long * 5
    assert choose_parts(FILE, short, SETTINGS) == [""]
    parts = choose_parts(FILE, long, SETTINGS)
    assert parts[0] == ""
    assert len(set(parts)) == len(parts) > 5
    assert choose_parts(FILE, long, Settings(languages=("python",), seed=1)) != parts
    assert "" not in choose_parts(FILE, longer, SETTINGS)


@pytest.mark.slow
def test_a_slice_with_the_calls_of_the_whole_file_is_refused(sandbox: Sandbox) -> None:
    words = "".join(f"WORD_{i} = {i}\n" for i in range(60))
    steps = "    n += 1\n" * 20
    text = f"{words}\n\ndef f(n: int):\n    return g(n) + 1\n\n\ndef g(n):\n{steps}    return n * 2\n"
    whole, part = make_programs(FILE, text, ALONE, SETTINGS, sandbox.run).programs
    assert whole.edges == {"main": ["main.f", "main.g"], "main.f": ["main.g"]}
    assert (part.part, part.refusal) == ("f", Refusal("has the calls of another program of its file"))


def test_a_slice_is_no_shorter_than_a_file(sandbox: Sandbox) -> None:
    words = "".join(f"WORD_{i} = {i}\n" for i in range(60))
    text = f"import ext\n{words}\n\ndef f(n: int):\n    return g(n) + 1\n\n\ndef g(n):\n    return n * 2\n"
    _, part = make_programs(FILE, text, ALONE, SETTINGS, sandbox.run).programs
    assert part.refusal == Refusal("is too short", "7 lines, fewer than 20")


def test_a_reader_that_fails_refuses_the_file(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(making, "drive", fail)
    outcome = make_programs(FILE, script("price"), ALONE, SETTINGS, sandbox.run)
    assert outcome.refusal is not None
    assert outcome.refusal.reason == "cannot be worked on"


def test_only_usable_files_lie_around(tmp_path: Path) -> None:
    write_repository(tmp_path, {"a.py": "a = 1\n", "b.py": "b = 1\n", "test_a.py": "t = 1\n", "c.js": "c\n"})
    (tmp_path / "broken.py").write_bytes(b"\xff")
    files = [
        SourceFile("a.py", "python", Refusal("is not drawn")),
        SourceFile("b.py", "python", Refusal("has another licence")),
        SourceFile("broken.py", "python"),
        SourceFile("test_a.py", "python", Refusal("is a test")),
        SourceFile("c.js", "javascript"),
    ]
    around = list_surroundings(tmp_path, files, "python")
    assert dict(around.siblings) == {"a.py": "a = 1\n"}
    assert dict(around.tests) == {"test_a.py": "t = 1\n"}
    assert "b.py" not in around.siblings
    assert around.siblings.get("../a.py") is None


@pytest.mark.parametrize(
    ("last", "detail"),
    [
        ("", "it prints nothing"),
        ("print(None, '')", "it prints only 'None'"),
        ("print('usage: price.py FILE')", "it prints only 'usage: price.py FILE'"),
        ("print('ValueError: no price')", "it prints only 'ValueError: no price'"),
        ("print('[ERROR]: no price')", "it prints only '[ERROR]: no price'"),
        (
            "import sys, traceback\ntry:\n    int('x')\nexcept ValueError:\n    traceback.print_exc(file=sys.stdout)",
            "it prints only \"ValueError: invalid literal for int() with base 10: 'x'\"",
        ),
    ],
)
def test_a_program_that_shows_no_value_is_refused(sandbox: Sandbox, last: str, detail: str) -> None:
    text = script("price").replace("print(", "str(") + f"{last}\n"
    driven = Driven({"main.py": text}, "main.py", "by hand", {}, ())
    assert validate_program("python", driven, SETTINGS, sandbox.run).refusal == Refusal("shows no value", detail)
    shown = driven._replace(files={"main.py": f"{text}print(3)\n"})
    assert validate_program("python", shown, SETTINGS, sandbox.run).refusal is None
