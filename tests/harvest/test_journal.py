"""What a journal keeps."""

from __future__ import annotations

from pathlib import Path

from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.journal import Journal
from pytest_codereason.harvest.outcomes import FileOutcome, HarvestedProgram

REFUSED = FileOutcome(path="a.py", language="python", refusal=Refusal("is too short", "2 lines"))
MADE = FileOutcome(
    path="b.py",
    language="python",
    sha256="00",
    licence="MIT",
    programs=(
        HarvestedProgram(part="f", refusal=Refusal("nothing to call")),
        HarvestedProgram(
            files={"b.py": "é\n"}, entry="b.py", how="types", edges={"b": ["b.f"]}, changes=("x",), lines=1
        ),
    ),
)
ABOUT = {"place": "/x", "settings": "1", "content": "2"}


def open_journal(folder: Path, **about: str) -> Journal:
    return Journal(folder / "journals" / "x.jsonl", ABOUT | about)


def begin(folder: Path, version: str = "") -> Journal:
    journal = open_journal(folder)
    journal.begin(version)
    return journal


def test_outcomes_come_back_as_they_were(tmp_path: Path) -> None:
    journal = begin(tmp_path, "c0ffee")
    for outcome in (REFUSED, MADE):
        journal.write(outcome)
    assert [*journal.read()] == [REFUSED, MADE]
    again = open_journal(tmp_path)
    assert not again.done
    assert again.begin("c0ffee") == {"a.py": REFUSED, "b.py": MADE}
    again.end()
    assert open_journal(tmp_path).done
    assert open_journal(tmp_path).version == "c0ffee"


def test_a_line_that_was_cut_off_is_dropped(tmp_path: Path) -> None:
    journal = begin(tmp_path)
    journal.write(REFUSED)
    with journal.path.open("a") as file:
        file.write('{"path": "b.py", "lang')
    again = open_journal(tmp_path)
    assert again.begin("") == {"a.py": REFUSED}
    again.write(MADE)
    assert [*again.read()] == [REFUSED, MADE]


def test_a_journal_about_something_else_begins_anew(tmp_path: Path) -> None:
    journal = begin(tmp_path, "1")
    journal.write(REFUSED)
    journal.end()
    assert not open_journal(tmp_path, content="3").done
    assert not open_journal(tmp_path, settings="3").done
    assert open_journal(tmp_path).begin("2") == {}
