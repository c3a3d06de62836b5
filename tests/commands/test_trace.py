"""``codereason trace``, as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.cli import main

SHOP = "def price(n):\n    return tax(n) * 2\n\ndef tax(n):\n    return n + 1\n\nfor n in range(3):\n    price(n)\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.py"
    path.write_text(SHOP)
    return path


def test_the_calls_and_the_lines_of_a_file(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", str(shop), "--lines"]) == 0
    assert capsys.readouterr().out == (
        "shop       -> shop.price\n"
        "shop.price -> shop.tax\n"
        "\n"
        "       1 def price(n):\n"
        "       3     return tax(n) * 2\n"
        "\n"
        "       1 def tax(n):\n"
        "       3     return n + 1\n"
        "\n"
        "       4 for n in range(3):\n"
        "       3     price(n)\n"
        "2 edges; the program ends\n"
    )


def test_a_folder_as_json(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop.parent / "main.py").write_text("from shop import tax\n\ndef total():\n    return tax(1)\n")
    assert main(["trace", str(shop.parent), "--call", "total()", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "main": ["main.total"],
        "main.total": ["shop.tax"],
        "shop": ["shop.price"],
        "shop.price": ["shop.tax"],
    }


@pytest.mark.parametrize(
    ("source", "code", "last"),
    [
        ("def f():\n    1 / 0\nf()\n", 1, "1 edge; the program raises ZeroDivisionError: division by zero"),
        ("def f(:\n", 1, "the program does not compile: SyntaxError: invalid syntax (<program>, line 1)"),
        ("import os\nos._exit(0)\n", 1, "the program ends without a result: the process ended before the program did"),
    ],
)
def test_the_end_of_a_program_is_told(
    shop: Path, capsys: pytest.CaptureFixture[str], source: str, code: int, last: str
) -> None:
    shop.write_text(source)
    assert main(["trace", str(shop)]) == code
    assert capsys.readouterr().out.splitlines()[-1].removeprefix(f"{shop}: ") == last


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.py"], "none.py: there is no such file or folder"),
        (["."], "the folder has no file called main; name the file that is run by --entry"),
        ([".", "--entry", "app.py"], "--entry app.py: there is no such file in ."),
        (
            ["notes.md"],
            "notes.md: no language with a tracer has files of this ending; there are tracers for .java, .js, .mjs",
        ),
    ],
)
def test_mistakes_are_one_line(
    shop: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    (shop.parent / "notes.md").write_text("notes")
    monkeypatch.chdir(shop.parent)
    assert main(["trace", *arguments]) == 4
    complaint = capsys.readouterr().err
    assert message in complaint
    assert complaint.count("\n") == 1
