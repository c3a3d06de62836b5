"""The entry of a program in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.core.files.program_folders import read_program
from pytest_codereason.errors import UsageError
from pytest_codereason.registry import language


def write(folder: Path, *names: str, about: str = "") -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("class A {}\n")
    if about:
        (folder / "program.json").write_text(about)
    return folder


@pytest.mark.parametrize(
    ("names", "about", "entry"),
    [
        (["Main.java", "shop/Cart.java"], "", "Main.java"),
        (["shop/Main.java", "shop/Cart.java"], "", "shop/Main.java"),
        (["Main.java", "shop/Main.java"], "", "Main.java"),
        (["shop/Till.java"], "", "shop/Till.java"),
        (["Main.java", "shop/Till.java"], '{"entry": "shop/Till.java"}', "shop/Till.java"),
    ],
)
def test_the_entry_is_found(tmp_path: Path, names: list[str], about: str, entry: str) -> None:
    assert read_program(write(tmp_path, *names, about=about), language("java")).entry == entry


@pytest.mark.parametrize(
    ("names", "about", "message"),
    [
        (["a/Main.java", "b/Main.java"], "", "a/Main.java and b/Main.java are both called main; write"),
        (["A.java", "B.java"], "", 'none of its 2 files is called main; write {"entry": "FILE"} into program.json'),
        (["A.java"], '{"entry": "B.java"}', "there is no file 'B.java', which program.json names as the entry"),
        ([], "", "has no file of Java"),
    ],
)
def test_a_folder_without_an_entry_is_refused(tmp_path: Path, names: list[str], about: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_program(write(tmp_path, *names, about=about), language("java"))
    assert message in str(caught.value)
