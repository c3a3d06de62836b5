"""Which files of a repository programs are made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.harvest.making.drawing import choose_files
from pytest_codereason.harvest.settings import Settings
from tests.harvest.code import FILLER, MIT, script, write_repository

SUFFIXES = {".py": "python", ".js": "javascript"}
GPL = "# SPDX-License-Identifier: GPL-3.0-only\n"
NO_FUNCTION = FILLER + "x = 1\n" * 20
BROKEN = script("broken") + "def (:\n"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight programs of Python, one of JavaScript, and files that are none."""
    scripts = {f"a{i}.py": script(f"f{i}") for i in range(8)}
    javascript = "".join(f"function f{i}(x) {{\n  return x;\n}}\n" for i in range(10))
    others = {"empty.py": NO_FUNCTION, "broken.py": BROKEN, "short.py": "x = 1\n", "gpl.py": GPL + script("g")}
    return write_repository(tmp_path_factory.mktemp("shop"), {**scripts, "main.js": javascript, **others})


def choose(folder: Path, name: str = "shop", **settings: int | bool) -> dict[str, str]:
    """The reason against each file, empty where it is drawn."""
    options = Settings(languages=("python", "javascript"), **settings)  # type: ignore[arg-type]
    files = choose_files(folder, name, SUFFIXES, options)
    reasons = {file.path: file.refusal.reason if file.refusal else "" for file in files}
    assert len(files) == len(reasons), "each file is named once"
    return reasons


def list_drawn(reasons: dict[str, str]) -> set[str]:
    return {path for path, reason in reasons.items() if not reason}


def test_every_file_that_is_a_program_is_drawn_if_there_are_not_too_many(shop: Path) -> None:
    python = {f"a{i}.py" for i in range(8)}
    for files in (0, 8, 30):
        reasons = choose(shop, files=files)
        assert list_drawn(reasons) == {*python, "main.js"}
    assert {path: reason for path, reason in reasons.items() if reason} == {
        "empty.py": "has no function",
        "broken.py": "does not parse",
        "short.py": "is too short",
        "gpl.py": "has another licence",
    }


@pytest.mark.parametrize("files", [1, 3])
def test_no_more_files_are_drawn_than_wanted_of_each_language(shop: Path, files: int) -> None:
    """A file that is looked at and is no program takes nobody's place."""
    for seed in range(4):
        reasons = choose(shop, files=files, seed=seed)
        drawn = list_drawn(reasons)
        assert "main.js" in drawn
        assert len(drawn - {"main.js"}) == files
        rest = [reasons[f"a{i}.py"] for i in range(8) if f"a{i}.py" not in drawn]
        assert rest == ["is not drawn"] * (8 - files)
    undrawn = choose_files(shop, "shop", SUFFIXES, Settings(languages=("python",), files=2))
    details = {file.refusal.detail for file in undrawn if file.refusal and file.refusal.reason == "is not drawn"}
    assert details == {"2 files of the repository are"}


def test_the_draw_depends_on_the_seed_and_the_name_alone(shop: Path) -> None:
    first = list_drawn(choose(shop, files=3, seed=1))
    assert list_drawn(choose(shop, files=3, seed=1)) == first
    assert any(list_drawn(choose(shop, files=3, seed=seed)) != first for seed in range(2, 5))
    assert any(list_drawn(choose(shop, name, files=3, seed=1)) != first for name in ("b", "c", "d"))
    fewer = list_drawn(choose(shop, files=2, seed=1))
    assert fewer < first, "a smaller draw is the beginning of a larger one"


@pytest.mark.parametrize(
    ("licence", "head", "any_licence", "reason", "told"),
    [
        (MIT, "", False, "", "MIT"),
        ("", "", False, "has no licence", None),
        ("", "", True, "", "unknown"),
        ("", "# SPDX-License-Identifier: MIT\n", False, "", "MIT"),
        (MIT, GPL, False, "has another licence", None),
        (MIT, GPL, True, "", "GPL-3.0-only"),
    ],
)
def test_the_head_of_a_file_speaks_before_the_repository(
    tmp_path: Path, licence: str, head: str, any_licence: bool, reason: str, told: str | None
) -> None:
    folder = write_repository(tmp_path, {"a.py": head + script("f")}, licence)
    (file,) = choose_files(folder, "r", SUFFIXES, Settings(languages=("python",), any_licence=any_licence))
    assert (file.refusal.reason if file.refusal else "") == reason
    assert told is None or file.licence == told
