"""Suite files with anything in them: each is a suite, or ends in one sentence with the file and the line of the key."""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_codereason.cli import main
from pytest_codereason.errors import UsageError
from pytest_codereason.session.collecting.suites import Suites
from tests.examples import take_every
from tests.places import list_places, replace_at

VALUES: list[Any] = [
    *(True, False, 0, -1, 7, 1.5, -0.5, 10**18, 2**63 - 1, -(2**63), float("nan"), float("inf")),
    *("", "x", "\0", "\x1b[2J", "/", ".", "~nobody/x", "/dev/zero", "a" * 5_000, "direct", "python", "x:y", "os:path"),
    *([], [1], [0], [1.5], ["x"], ["x", "x"], [[]], [{}], [["x", {}]], [True, 1], ["direct", "x"], ["vanilla"] * 2),
    *({}, {"x": 1}, {"x": {"y": []}}, {"": ""}, {"name": "x"}),
]
SUITES: list[dict[str, Any]] = [
    tomllib.loads(text)
    for text in (
        """
        task = "output-prediction"
        languages = ["python", "php"]
        prefill = true
        shots = {direct = 1}
        [source]
        name = "semtrace"
        count = 2
        digits = 2
        seed = 7
        [matrix]
        prompting = ["direct", "cot"]
        perturbation = ["vanilla", "dead-code"]
        [sampling]
        temperature = 0.2
        samples = 3
        [sampling.cot]
        max_tokens = 2000
        """,
        """
        task = "function-retrieval"
        languages = ["python"]
        [source]
        name = "semtrace"
        count = 2
        [matrix]
        position = [0.0, 1.0]
        distractors = [2]
        [context]
        pool = "installed"
        """,
        """
        task = "output-prediction"
        [source]
        name = "jsonl"
        path = "programs.jsonl"
        columns = {code = "func"}
        defaults = {language = "python"}
        count = 3
        max_lines = 10
        [matrix]
        perturbation = ["vanilla", "rename"]
        """,
    )
]
PROGRAM = {
    "func": "def f(n):\n    if n > 5:\n        return n + 3\n    return n - 1\n",
    "call": "f(7)",
    "language": "python",
}
KEYS = [
    "template",
    "hints",
    "texts",
    "perturbation",
    "layout",
    "task",
    "source",
    "matrix",
    "sampling",
    "fault",
    "context",
    "ablation",
    "density",
    "samples",
    "defence",
    "zzz",
]


def write_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {write_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(write_value, value))}]"
    return repr(value) if isinstance(value, float) else json.dumps(value)


def write_suite(table: dict[str, Any]) -> str:
    lines = [f"{key} = {write_value(value)}" for key, value in table.items() if not isinstance(value, dict)]
    for name, value in table.items():
        if isinstance(value, dict):
            lines += [f"[{name}]", *(f"{json.dumps(key)} = {write_value(item)}" for key, item in value.items())]
    return "\n".join(lines) + "\n"


@st.composite
def damaged_suites(draw: st.DrawFn) -> str:
    table = draw(st.sampled_from(SUITES))
    if draw(st.booleans()):
        places = list(list_places(table))[1:]
        return write_suite(replace_at(table, draw(st.sampled_from(places)), draw(st.sampled_from(VALUES))))
    return write_suite({**table, draw(st.sampled_from(KEYS)): draw(st.sampled_from(VALUES))})


def read(folder: Path, content: bytes) -> str:
    """What is wrong with the content of a suite file, empty if it is a suite."""
    (folder / "programs.jsonl").write_text(json.dumps(PROGRAM) + "\n")
    path = folder / "damaged.suite.toml"
    path.write_bytes(content)
    try:
        Suites(seed=None, sampling={}, writer=None, add_marker=lambda _: None).read(path)
    except UsageError as error:
        return str(error)
    return ""


def check_sentence(sentence: str) -> None:
    assert "damaged.suite.toml" in sentence or not sentence
    assert len(sentence) < 1_500
    assert "\n" not in sentence


CHECKS = [HealthCheck.too_slow]


@pytest.mark.slow
@settings(suppress_health_check=CHECKS, max_examples=2_000 // take_every(4))
@given(damaged_suites())
def test_any_value_makes_a_suite_or_a_sentence_with_its_line(content: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sentence = read(Path(folder), content.encode())
    check_sentence(sentence)
    assert not sentence or "is missing" in sentence or re.search(r"damaged\.suite\.toml:\d+: ", sentence)


@given(st.binary(max_size=200), st.integers(0, 200), st.sampled_from(SUITES))
def test_any_bytes_make_a_suite_or_a_sentence(noise: bytes, place: int, table: dict[str, Any]) -> None:
    content = write_suite(table).encode()
    with tempfile.TemporaryDirectory() as folder:
        check_sentence(read(Path(folder), content[:place] + noise + content[place + len(noise) :]))


@pytest.mark.parametrize("languages", [[True], [1.5], [{}], [["python"]]])
def test_a_language_that_is_no_text_is_named_with_its_line(tmp_path: Path, languages: list[Any]) -> None:
    sentence = read(tmp_path, write_suite({**SUITES[0], "languages": languages}).encode())
    assert sentence.endswith(f"damaged.suite.toml:2: 'languages' must be a list of names, not {languages}")


@pytest.mark.parametrize("name", ["x" * 5_000])
@pytest.mark.parametrize("key", ["texts", "hints", "template"])
def test_a_name_that_no_file_has_names_none(tmp_path: Path, key: str, name: str) -> None:
    table = {**SUITES[1], key: name}
    assert re.search(r"damaged\.suite\.toml:\d+: there is no ", read(tmp_path, write_suite(table).encode()))


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_loop(path: Path) -> None:
    path.symlink_to(path)


def make_endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_no_text(path: Path) -> None:
    path.write_bytes(b"\xff\xfe")


@pytest.mark.parametrize("make", [make_pipe, make_loop, make_endless, make_no_text, Path.mkdir])
def test_what_is_no_file_of_text_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Callable[[Path], object]
) -> None:
    path = tmp_path / "damaged.suite.toml"
    make(path)
    assert main(["suites", str(path)]) == 4
    error = capsys.readouterr().err
    assert re.match(r"ERROR: .*damaged\.suite\.toml: ", error)
    assert error.count("\n") == 1


def test_a_pipe_in_place_of_texts_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    sentence = read(tmp_path, write_suite({**SUITES[1], "hints": "pipe"}).encode())
    assert sentence.endswith("pipe: cannot be read: not an ordinary file")
