"""``codereason harvest``, as a user types it."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from pytest_codereason.cli import main
from pytest_codereason.core.files.program_folders import read_program
from pytest_codereason.registry import language
from tests.harvest.code import FILLER, script, write_repository
from tests.harvest.github_server import Search, serve


def harvest(*arguments: object) -> int:
    """Harvests by one process, as each further one takes a second to begin."""
    return main(["harvest", "--language", "python", "--workers", "1", *map(str, arguments)])


def read(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def write_shop(folder: Path) -> Path:
    files = {
        "price.py": script("price"),
        "price_copy.py": script("price") + "# a copy\n",
        "tax.py": script("tax"),
        "data.py": FILLER,
        "small.py": "def f():\n    pass\n",
        "broken.py": FILLER + "def f(:\n",
        "needs.py": script("needs", "import ext"),
        "random_one.py": script("draw", "import random\nprint(random.random())"),
        "quiet.py": FILLER + "def f():\n    pass\n",
        "gpl.py": "# SPDX-License-Identifier: GPL-3.0-only\n" + script("gpl"),
        "binary.py": "\0",
        "test_price.py": script("test"),
        "readme.md": "no code\n",
    }
    return write_repository(folder / "shop", files)


class Harvested(NamedTuple):
    shop: Path
    out: Path
    table: str


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> Harvested:
    """The set of a repository, which no test changes."""
    folder, printed = tmp_path_factory.mktemp("harvested"), StringIO()
    shop, out = write_shop(folder), folder / "set"
    with redirect_stdout(printed):
        assert harvest(shop, "-o", out) == 0
    return Harvested(shop, out, printed.getvalue())


@pytest.mark.slow
def test_a_set_with_its_funnel(harvested: Harvested) -> None:
    shop, out, table = harvested
    funnel = json.loads((out / "funnel.json").read_text())
    assert funnel["languages"]["python"] == {
        "files": 12,
        "files_refused": {
            "is a test": 1,
            "is no text": 1,
            "has another licence": 1,
            "is too short": 1,
            "does not parse": 1,
            "has no function": 1,
        },
        "programs": 6,
        "programs_refused": {
            "needs a package that is no standard library": 1,
            "differs from run to run": 1,
            "is nearly a copy": 1,
            "no call between two functions": 1,
        },
        "accepted": 2,
    }
    assert "  is nearly a copy" in table
    assert "shop/price_copy.py: " in table
    assert [path.name for path in sorted((out / "python").iterdir())] == ["shop_0001", "shop_0003"]
    program = read_program(out / "python" / "shop_0003", language("python"))
    assert program.source == (shop / "tax.py").read_text()
    assert program.facts["output"] == "45360\n"
    assert program.facts.edges["main"] == ["main.tax_5"]
    about = json.loads((out / "python" / "shop_0003" / "program.json").read_text())
    assert (about["entry"], about["origin"], about["licence"]) == ("main.py", "shop/tax.py", "MIT")
    assert json.loads((out / "split" / "train_ids.json").read_text()) == {"python": ["shop_0001", "shop_0003"]}
    assert json.loads((out / "split" / "test_ids.json").read_text()) == {"python": []}
    assert json.loads((out / "split" / "python_repo_assignment.json").read_text()) == {"shop": "train"}
    assert json.loads((out / "statistics.json").read_text())["python"]["functions"] == {"mean": 10.0, "max": 10}


@pytest.mark.slow
def test_the_second_run_is_the_first(
    harvested: Harvested, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = read(harvested.out)
    monkeypatch.setattr("pytest_codereason.harvest.harvesting.Workers", None)  # nothing is run
    assert harvest(harvested.shop, "-o", harvested.out) == 0
    assert capsys.readouterr().out == harvested.table
    assert read(harvested.out) == content


@pytest.mark.slow
def test_two_processes_make_the_same_set_in_another_folder(harvested: Harvested, tmp_path: Path) -> None:
    assert harvest(harvested.shop, "-o", tmp_path / "other", "--workers", 2) == 0
    ours, theirs = read(harvested.out), read(tmp_path / "other")
    for content in (ours, theirs):
        for name in [name for name in content if name.startswith("journals/")]:
            del content[name]  # in the order in which programs ended
    assert ours == theirs


@pytest.mark.slow
def test_a_changed_repository_is_harvested_anew(tmp_path: Path) -> None:
    shop = write_shop(tmp_path)
    assert harvest(shop, "-o", tmp_path / "set") == 0
    (shop / "tax.py").unlink()
    assert harvest(shop, "-o", tmp_path / "set") == 0
    assert [path.name for path in (tmp_path / "set" / "python").iterdir()] == ["shop_0001"]


@pytest.mark.slow
def test_two_repositories_of_one_name_stay_apart(tmp_path: Path) -> None:
    places = [write_repository(tmp_path / name / "tools", {"a.py": script(name)}) for name in ("one", "two")]
    assert harvest(*places, places[0], "-o", tmp_path / "set") == 0
    assert {path.name for path in (tmp_path / "set" / "python").iterdir()} == {"tools_0001", "tools-2_0001"}
    sides = json.loads((tmp_path / "set" / "split" / "python_repo_assignment.json").read_text())
    assert sorted(sides) == ["tools", "tools-2"]


@pytest.mark.slow
def test_at_most_so_many_files_are_drawn(tmp_path: Path) -> None:
    folder = write_repository(tmp_path / "many", {f"f{i}.py": script(f"f{i}") for i in range(6)})
    for seed in (1, 2):
        assert harvest(folder, "-o", tmp_path / f"set{seed}", "--files", 2, "--seed", seed) == 0
    funnels = [json.loads((tmp_path / f"set{seed}" / "funnel.json").read_text()) for seed in (1, 2)]
    assert [funnel["languages"]["python"]["files_refused"] for funnel in funnels] == [{"is not drawn": 4}] * 2
    drawn = [{p.read_text() for p in (tmp_path / f"set{seed}" / "python").glob("*/*.py")} for seed in (1, 2)]
    assert drawn[0] != drawn[1]


@pytest.mark.slow
def test_a_licence_is_accepted_if_a_user_says_so(tmp_path: Path) -> None:
    folder = write_repository(tmp_path / "own", {"a.py": script("a"), "package.json": '{"license": "WTFPL"}'}, "")
    assert harvest(folder, "-o", tmp_path / "none") == 1
    assert harvest(folder, "-o", tmp_path / "named", "--licence", "WTFPL") == 0
    assert harvest(folder, "-o", tmp_path / "any", "--any-licence") == 0
    about = json.loads((tmp_path / "named" / "python" / "own_0001" / "program.json").read_text())
    assert about["licence"] == "WTFPL"


@pytest.mark.slow
def test_an_empty_repository_gives_an_empty_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert harvest(write_repository(tmp_path / "empty", {}), "-o", tmp_path / "set") == 1
    assert capsys.readouterr().out.endswith("0 programs; datasheet.md describes them\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "-o", "set"], "nowhere: there is no such folder"),
        (["-o", "set"], "name a folder, an archive or an address, or give a --github-query"),
        (["-o", "set", "--github-query", "stars:x"], "--github-query: stars:x is no range"),
        (["code", "-o", "set", "--language", "cobol"], "--language cobol: "),
        (["code", "-o", "set", "--files", "-1"], "--files -1: a number from 0 on"),
        (["code", "-o", "set", "--lines", "0"], "--lines 0: a number from 1 on"),
        (["code", "-o", "set", "--programs", "0"], "--programs 0: a number from 1 on"),
        (["code", "-o", "code"], "--out code: the folder holds something else; name a new one"),
        (["code", "-o", "code/a.py"], "--out code/a.py: this is no folder"),
        (["code", "-o", "/proc/set"], "/proc/set: cannot be written: "),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    write_repository(tmp_path / "code", {"a.py": script("a")})
    monkeypatch.chdir(tmp_path)
    assert harvest(*arguments) == 4
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"ERROR: {message}")
    assert complaint.count("\n") == 1


@pytest.mark.slow
def test_other_options_need_another_folder(harvested: Harvested, capsys: pytest.CaptureFixture[str]) -> None:
    assert harvest(harvested.shop, "-o", harvested.out, "--seed", 1) == 4
    assert "the harvest there has seed = 0, not 1; name another folder, or the same options" in capsys.readouterr().err


@pytest.mark.slow
def test_two_harvests_do_not_share_a_folder(harvested: Harvested, capsys: pytest.CaptureFixture[str]) -> None:
    with (harvested.out / "harvest.json").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert harvest(harvested.shop, "-o", harvested.out) == 4
    assert "another harvest is writing there; wait for its end" in capsys.readouterr().err


@pytest.mark.slow
def test_repositories_that_github_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def commit(folder: Path) -> None:
        for words in ("init -q", "add -A", "-c user.name=x -c user.email=x@example.org commit -qm c"):
            subprocess.run(["git", *words.split()], cwd=folder, check=True)

    commit(write_repository(tmp_path / "owner" / "shop", {"price.py": script("price")}))
    commit(write_repository(tmp_path / "owner" / "own", {"price.py": script("own")}, "All rights reserved. " * 40))
    addresses = [(tmp_path / "owner" / name).as_uri() for name in ("shop", "own", "gone")]
    search = Search([70, 60, 50], [], addresses)
    monkeypatch.setenv("GITHUB_TOKEN", "a-token-of-mine")
    with serve(search) as address:
        monkeypatch.setenv("CODEREASON_GITHUB_URL", address)
        arguments = ["--github-query", "stars:>=50 license:mit", "-o", tmp_path / "set"]
        assert harvest(*arguments) == 0
    assert search.queries[-1] == "license:mit language:python stars:50..70"
    assert search.tokens == {"Bearer a-token-of-mine"}
    first = capsys.readouterr()
    assert "owner-gone: git cannot fetch it: " in first.err
    funnel = json.loads((tmp_path / "set" / "funnel.json").read_text())
    assert funnel["languages"]["python"]["files_refused"] == {"has another licence": 1}
    assert [row["name"] for row in funnel["repositories"] if row["complaint"]] == ["owner-gone"]
    about = json.loads((tmp_path / "set" / "python" / "owner-shop_0001" / "program.json").read_text())
    assert len(about["version"]) == 40
    shutil.rmtree(tmp_path / "owner")  # neither GitHub nor the repositories are needed again
    assert harvest(*arguments) == 0
    assert capsys.readouterr().out == first.out


class Sleeping(NamedTuple):
    folder: Path
    whole: Path  #: the set


@pytest.fixture(scope="module")
def sleeping(tmp_path_factory: pytest.TempPathFactory) -> Sleeping:
    """A repository whose harvest takes a while, with its set."""
    folder = tmp_path_factory.mktemp("sleeping")
    files = {f"f{i}.py": script(f"f{i}", f"import time\ntime.sleep({i % 3 / 20})") for i in range(12)}
    made = Sleeping(write_repository(folder / "code", files), folder / "whole")
    assert harvest(made.folder, "-o", made.whole) == 0
    return made


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_harvest_that_was_stopped_goes_on(sleeping: Sleeping, tmp_path: Path, end: signal.Signals) -> None:
    folder, whole = sleeping
    arguments = [sys.executable, "-m", "pytest_codereason.cli", "harvest", str(folder), "--language", "python"]
    process = subprocess.Popen([*arguments, "-o", str(tmp_path / "set")], start_new_session=True)
    journal = tmp_path / "set" / "journals" / "code.jsonl"
    until = time.monotonic() + 60
    while not journal.is_file() or journal.read_text().count('"programs"') < 3:
        assert time.monotonic() < until
        time.sleep(0.02)
    os.kill(process.pid, end)
    assert process.wait(60) == (2 if end == signal.SIGINT else -signal.SIGKILL)
    with journal.open("a") as file:
        file.write('{"path": "cut of')
    before = journal.read_text().count('"programs"')
    assert harvest(folder, "-o", tmp_path / "set") == 0
    assert 3 <= before < 12
    assert read(tmp_path / "set" / "python") == read(whole / "python")
