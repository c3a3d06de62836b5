"""Commands of installed packages: found by their entry points, imported where they are needed, blamed for mistakes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.cli import main

HELLO = """
from pytest_codereason.errors import UsageError

def add(commands):
    parser = commands.add_parser("hello", help="greet somebody", description="Greets somebody.")
    parser.add_argument("names", nargs="*", help="whom")
    parser.set_defaults(run=run)

def run(args):
    if "nobody" in args.names:
        raise UsageError("nobody is there")
    print("hello", args.names[0])
    return 3
"""
OTHER = HELLO.replace('"hello"', '"other"')
NOTHING = HELLO.replace("parser.set_defaults(run=run)", "pass")
TAKEN = HELLO.replace('"names", nargs="*"', '"run"')
TEXT = HELLO.replace("return 3", 'return "done"')


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the import path, where packages can be installed."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    registry.list_offers.cache_clear()
    yield tmp_path
    registry.list_offers.cache_clear()
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and Path(str(sys.modules[name].__file__)).parent == tmp_path:
            del sys.modules[name]


def install(site: Path, module: str, text: str, name: str = "hello") -> None:
    """Installs a package with one command."""
    (site / f"{module}.py").write_text(text)
    info = site / f"{module}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(f"[codereason.commands]\n{name} = {module}\n")


def test_it_runs_and_gives_its_exit_code(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "greeting", HELLO)
    assert main(["hello", "you"]) == 3
    assert capsys.readouterr() == ("hello you\n", "")


def test_it_stands_in_the_list_and_has_a_help_of_its_own(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "greeting", HELLO)
    for words in (["--help"], ["hello", "--help"]):
        with pytest.raises(SystemExit):
            main(words)
    everything, own = capsys.readouterr().out.split("usage: codereason hello")
    assert "greet somebody" in everything
    assert "Greets somebody." in own


def test_a_shipped_command_imports_no_package(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "greeting", HELLO)
    main(["status", str(site / "none")])
    assert "greeting" not in sys.modules
    assert "there is no such folder" in capsys.readouterr().err


def test_a_mistake_of_a_user_is_one_line(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "greeting", HELLO)
    assert main(["hello", "nobody"]) == 4
    assert capsys.readouterr().err == "ERROR: nobody is there\n"


def test_a_name_that_nobody_has_is_suggested(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "greeting", HELLO)
    with pytest.raises(SystemExit) as ended:
        main(["helo"])
    assert ended.value.code == 4
    assert "unknown command 'helo' (did you mean 'hello'?)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 / 0\n", "the command 'hello' of greeting 1.2 (greeting) raised ZeroDivisionError: division by zero"),
        ("x = 1\n", "the command 'hello' of greeting 1.2 (greeting) raised AttributeError: "),
        (
            HELLO,
            "the command 'hello' of greeting 1.2 (greeting) raised IndexError: list index out of range (greeting.py",
        ),
        (OTHER, "(greeting) declares another command: give the entry point and the parser the same name"),
        (NOTHING, "(greeting) has nothing to run: write parser.set_defaults(run=run), and call no argument run"),
        (TAKEN, "(greeting) has nothing to run: write parser.set_defaults(run=run), and call no argument run"),
        (TEXT, "(greeting) must return its exit code, not 'done'"),
    ],
)
def test_its_own_mistake_names_it(site: Path, capsys: pytest.CaptureFixture[str], text: str, message: str) -> None:
    install(site, "greeting", text)
    words = ["hello", "you"] if text == TEXT else ["hello"]
    assert main(words) == 4
    assert message in capsys.readouterr().err.splitlines()[0]


def test_a_broken_package_costs_a_line_alone(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "broken", "1 / 0\n", "broken")
    install(site, "greeting", HELLO)
    assert main(["hello", "you"]) == 3
    said = capsys.readouterr()
    assert said.out == "hello you\n"
    assert said.err.startswith("WARNING: the command 'broken' of broken 1.2 (broken) raised ZeroDivisionError")


def test_a_shipped_name_is_kept(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "mine", HELLO.replace('"hello"', '"status"'), "status")
    assert main(["status", str(site / "none")]) == 4
    assert "there is no such folder" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "'status' of mine 1.2 (mine) has the name of a shipped command, which is used" in capsys.readouterr().err


def test_two_packages_with_one_name_are_refused(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "greeting", HELLO)
    install(site, "welcome", HELLO)
    assert main(["hello", "you"]) == 4
    assert "have one name: remove one of the packages" in capsys.readouterr().err
