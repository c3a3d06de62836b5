"""How the set is made of journals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.funnel import draw_funnel
from pytest_codereason.harvest.journal import Journal
from pytest_codereason.harvest.outcomes import FileOutcome, HarvestedProgram
from pytest_codereason.harvest.repositories.repositories import Repository
from pytest_codereason.harvest.sets.assembling import RepositoryOutcome, assemble
from pytest_codereason.harvest.settings import Settings
from tests.harvest.code import script

SETTINGS = Settings(languages=("python", "java"))


def make(name: str) -> HarvestedProgram:
    files = {"main.py": script(name), "lib/tools.py": f"{name} = 1\n"}
    return HarvestedProgram(
        files=files, entry="main.py", how="types", output="é\n", edges={"main": ["main.f"]}, lines=9
    )


def record(folder: Path, name: str, outcomes: Sequence[FileOutcome]) -> RepositoryOutcome:
    journal = Journal(folder / f"{name}.jsonl", {"place": name})
    journal.begin("v1")
    for outcome in outcomes:
        journal.write(outcome)
    journal.end()
    return RepositoryOutcome(Repository(name, f"/home/me/{name}"), journal)


def test_every_file_and_program_is_counted_once(tmp_path: Path) -> None:
    outcomes = [
        FileOutcome(path="b.py", language="python", licence="MIT", programs=(make("b"), make("c"))),
        FileOutcome(path="a.py", language="python", licence="MIT", programs=(make("a"),)),
        FileOutcome(path="copy.py", language="python", programs=(make("a"), HarvestedProgram(refusal=Refusal("new")))),
        FileOutcome(path="s.py", language="python", refusal=Refusal("is too short", "3 lines")),
        FileOutcome(path="t.py", language="python", refusal=Refusal("is too short", "4 lines")),
        FileOutcome(path="T.java", language="java", refusal=Refusal("is a test")),
    ]
    sources = [record(tmp_path, "shop", outcomes), RepositoryOutcome(Repository("gone", "/gone"), None, "no git")]
    funnel = assemble(tmp_path / "set", sources, SETTINGS)
    assert funnel["languages"] == {
        "python": {
            "files": 5,
            "files_refused": {"is too short": 2},
            "programs": 5,
            "programs_refused": {"is nearly a copy": 1, "new": 1},
            "accepted": 3,
        },
        "java": {
            "files": 1,
            "files_refused": {"is a test": 1},
            "programs": 0,
            "programs_refused": {},
            "accepted": 0,
        },
    }
    for tally in funnel["languages"].values():
        assert tally["programs"] == tally["accepted"] + sum(tally["programs_refused"].values())
    assert [" ".join(line.split()) for line in draw_funnel(funnel)] == [
        "python java",
        "files 5 1",
        "is a test 0 1 shop/T.java",
        "is too short 2 0 shop/s.py: 3 lines",
        "files that programs are made of 3 0",
        "programs 5 0",
        "is nearly a copy 1 0 shop/copy.py: 100% of shop_0001",
        "new 1 0 shop/copy.py",
        "programs accepted 3 0",
    ]
    assert len({line.index("  shop/") for line in draw_funnel(funnel) if "  shop/" in line}) == 1
    assert json.loads((tmp_path / "set" / "funnel.json").read_text()) == funnel
    sheet = (tmp_path / "set" / "datasheet.md").read_text()
    assert "| gone | gone |  | no git |" in sheet
    assert "/home/me" not in sheet


def test_programs_lie_in_folders_of_their_language(tmp_path: Path) -> None:
    outcome = FileOutcome(path="a.py", language="python", sha256="00", licence="MIT", programs=(make("a"),))
    assemble(tmp_path / "set", [record(tmp_path, "shop", [outcome])], SETTINGS)
    folder = tmp_path / "set" / "python" / "shop_0001"
    assert sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()) == [
        "callgraph.json",
        "lib/tools.py",
        "main.py",
        "output.txt",
        "program.json",
    ]
    assert json.loads((folder / "callgraph.json").read_text()) == {"main": ["main.f"]}
    assert json.loads((folder / "program.json").read_text())["version"] == "v1"


def test_what_is_no_longer_accepted_goes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        outcome = FileOutcome(path="x.py", language="python", licence="MIT", programs=(make(name),))
        assemble(tmp_path / "set", [record(tmp_path, name, [outcome])], SETTINGS)
    assert [path.name for path in (tmp_path / "set" / "python").iterdir()] == ["b_0001"]
    assert not (tmp_path / "set" / ".fresh").exists()
