"""What holds for the literals of every language."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.core import Language
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.literals import read_plain
from tests.languages.values import NAMES, VALUES


@pytest.fixture(params=NAMES)
def language(request: pytest.FixtureRequest) -> Language:
    return registry.language(request.param)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_what_is_written_reads_the_same(name: str, data: st.DataObject) -> None:
    language = registry.language(name)
    value = data.draw(VALUES[name])
    text = language.values.write(value)
    read = language.values.read(text)
    assert language.values.equal(read.value, value)
    assert not read.unresolved
    assert language.values.write(read.value) == text or isinstance(value, (dict, list, tuple, set))


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_reading_back_gives_what_the_literal_is_read_as(name: str, data: st.DataObject) -> None:
    values = registry.language(name).values
    value = data.draw(VALUES[name])
    assert values.equal(values.read_back(value), values.read(values.write(value)).value)


DEEP: list[Any] = []
for _ in range(120):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "value",
    [object(), 1j, 1 << 20_000, [1, {2: 1 << 20_000}], "x" * 200_000, DEEP, {frozenset({1})}, st],
    ids=lambda value: type(value).__name__,
)
def test_a_value_without_a_literal_is_not_read_back(value: object) -> None:
    with pytest.raises(NotALiteral):
        registry.language("python").values.read_back(value)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_equality_is_an_equivalence(name: str, data: st.DataObject) -> None:
    language = registry.language(name)
    left, right = data.draw(VALUES[name]), data.draw(VALUES[name])
    assert language.values.equal(left, left)
    assert language.values.equal(left, right) == language.values.equal(right, left)


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text(st.characters(), max_size=60) | st.text("[](){}'\"`,:=>-+*/%.0123456789aenx\\\n $#", max_size=40))
def test_any_text_is_a_literal_or_none(name: str, text: str) -> None:
    error = ""
    try:
        registry.language(name).values.read(text)
    except NotALiteral as refusal:
        error = str(refusal)
    assert "\n" not in error
    assert len(error) < 300


HOSTILE = {
    "open brackets": "[" * 100_000,
    "deep": "[" * 101 + "]" * 101,
    "signs": "- " * 200 + "1",
    "long sum": "1+" * 40_000 + "1",
    "open braces": "{a:" * 30_000,
    "open templates": "`${" * 30_000,
    "ten megabytes": "1" * 10_000_000,
    "two values": "1), (2",
    "two statements": "1; 2",
    "nothing": " \n ",
    "half a pair": "'\ud800'",
    "nul": "\0",
    "call": "f(0)",
    "always right": "0 or True or f(0)",
    "name": "x",
    "a list and its length": "[0] * 3",
    "joined strings": "'a' + 'b'",
    "a lambda": "lambda: 0",
    "spread": "[*x]",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_refused(language: Language, text: str) -> None:
    with pytest.raises(NotALiteral):
        language.values.read(text)


def test_a_million_nines_are_refused(language: Language) -> None:
    with pytest.raises(NotALiteral):
        language.values.read("9" * 1_000_000)


def test_a_hundred_levels_are_read(language: Language) -> None:
    value = language.values.read("[" * 99 + "]" * 99).value
    for _ in range(98):
        [value] = value
    assert value == []


@pytest.mark.parametrize("text", ["9**9**9", "9**9**9**9", "(2**5000)**5000", "-9**-9**9", "2**0.5**-9**9"])
def test_powers_never_hang(language: Language, text: str) -> None:
    try:
        value = language.values.read(text).value
    except NotALiteral:
        return
    assert isinstance(value, (int, float))


@pytest.mark.parametrize(
    ("text", "value"),
    [("81 - 43", 38), ("(2 + 3) * 4", 20), ("2 ** 5", 32), ("7 % 4", 3), ("-(5 - 2)", -3), ("[81 - 43][0]", None)],
)
def test_arithmetic_is_worked_out_and_flagged(language: Language, text: str, value: int | None) -> None:
    if value is None or ("**" in text and language.name == "java"):  # which has no such operator
        with pytest.raises(NotALiteral):
            language.values.read(text)
        return
    read = language.values.read(text)
    assert language.values.equal(read.value, value)
    assert read.unresolved
    assert language.values.read(f"[1, {text}]").unresolved


@pytest.mark.parametrize("text", ["-5", "+5", "(5)", "1e3", "0x10", "1_000"])
def test_signs_and_notations_are_resolved(language: Language, text: str) -> None:
    assert not language.values.read(text).unresolved


def test_nan_equals_nan_and_zero_has_no_sign(language: Language) -> None:
    assert language.values.equal([math.nan], [math.nan])
    assert not language.values.equal(math.nan, 0.0)
    assert language.values.equal(0.0, -0.0)


def test_the_types_differ(language: Language) -> None:
    different: list[Any] = [True, 1, None, "1", [1], [], [[]], {"a": 1}, "", False]
    for i, left in enumerate(different):
        for j, right in enumerate(different):
            assert language.values.equal(left, right) == (i == j)


def test_the_order_of_keys_does_not_count(language: Language) -> None:
    assert language.values.equal({"a": 1, "b": [2]}, {"b": [2], "a": 1})
    assert not language.values.equal({"a": 1}, {"a": 1, "b": 2})
    assert not language.values.equal([1, 2], [2, 1])


def test_an_assertion_holds_the_value_in_the_middle(language: Language) -> None:
    before, after = language.values.assertion("f(81)")
    assert "f(81)" in before
    assert "assert" in before
    assert after.strip(");") == ""


# An independent judge, where the machine has one: the language's own interpreter.
JUDGED = {
    "javascript": [
        *["0x1F", "0b101", "0o17", ".5", "5.", "1e3", "1_000", "-0", "1n", "-12n", "'\\x41\\u{1F600}\\ud83d\\ude00'"],
        *["'it\\'s'", '"a\\\nb"', "`a\nb`", "'\\v\\0\\q'", "[1, [2], ]", "{a: 1, 'b c': 2, 3.0: 4, 1e3: 5}"],
        *["undefined", "null", "NaN", "-Infinity", "7 % -3", "-7 % 3", "1/0", "-1/0", "0/0", "2**-1", "(-8)**(1/3)"],
        *["9007199254740993", "0.1+0.2", "1e21", "123456789012345680000", "5e-324", "(-2)**1023*4", "1 % 0"],
        *["1**Infinity", "0**-1", "(-0)**-1", "(-Infinity)**3", "81 - 43", "[1,2] // two", "/* one */ 1"],
    ],
    "php": [
        *["0x1F", "0b101", "0o17", "017", ".5", "5.", "1e3", "1_000", "-0.0", "9223372036854775807"],
        *[
            "9223372036854775808",
            "-9223372036854775808",
            "PHP_INT_MIN",
            "'it\\'s \\n \\\\'",
            '"a\\tb\\$\\u{1F600}\\x41\\101"',
        ],
        *["array(1, 2)", "[1, [2], ]", "['a' => 1, 5 => 2, 3]", "['1' => 1, true => 2, null => 3]", "[1.7 => 'x']"],
        *["TRUE", "Null", "NAN", "-INF", "7 % -3", "-7 % 3", "6 / 3", "7 / 2", "2 ** -1", "2 ** 63", "81 - 43"],
        *["9223372036854775807 + 1", "[1, 2] # two", "[1, 2] // two", "/* one */ 1", "0.1 + 0.2", "'\\q'", '"\\q"'],
    ],
}
JUDGES = {
    "javascript": (
        ["node", "-e"],
        "const fs = require('fs'), assert = require('assert');"
        "for (const [text, written] of JSON.parse(fs.readFileSync(process.argv[1], 'utf8')))"
        " assert.deepStrictEqual(eval('(' + text + '\\n)'), eval('(' + written + ')'), text + ' is not ' + written);",
    ),
    "php": (
        ["php", "-n", "-r"],
        "error_reporting(E_ERROR);"  # a key of 1.7 is a notice
        "foreach (json_decode(file_get_contents($argv[1])) as [$text, $written]) {"
        ' $left = eval("return $text\\n;"); $right = eval("return $written;");'
        ' if (var_export($left, true) !== var_export($right, true)) { echo "$text is not $written"; exit(1); } }',
    ),
}


@pytest.mark.parametrize("name", JUDGED)
def test_the_interpreter_agrees(name: str, tmp_path: Path) -> None:
    command, script = JUDGES[name]
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} on this machine")
    language = registry.language(name)
    pairs = tmp_path / "pairs.json"
    pairs.write_text(
        json.dumps([(text, language.values.write(language.values.read(text).value)) for text in JUDGED[name]])
    )
    judged = subprocess.run([*command, script, "--", str(pairs)], capture_output=True, text=True, check=False)
    assert (judged.returncode, judged.stdout) == (0, ""), judged.stdout + judged.stderr


#: What most languages write alike: parts of a list, well formed or not.
PARTS = st.sampled_from(
    ["[", "]", ",", " ", "\n", "0", "1", "-7", "-0", "01", "123456789", '"a"', '"é // #"', '""', "true", "null", "1.5"]
)
PLAIN = st.recursive(
    st.sampled_from(["0", "1", "-7", "123456789", '"a"', '"é // #"', '""', '"😀"', "true", "false", "null"]),
    lambda inside: st.lists(inside, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
)


@pytest.mark.parametrize("name", ["javascript", "php", "java"])
@given(text=PLAIN | st.lists(PARTS, max_size=8).map("".join))
def test_what_json_reads_is_what_a_tree_gives(name: str, text: str) -> None:
    read = registry.language(name).values.read
    plain = read_plain(text.strip())
    if plain is not None:
        # Behind a comment the text is no plain one, so that a tree is made.
        assert repr(read(f"{text} /**/")) == repr(plain)


@pytest.mark.parametrize(
    "text",
    ["1.0", "-0", "01", "1_000", "1234567890", "'a'", '"a\\n"', '"$a"', '"\x01"', "{}", "[1,]", "1 2", "nulls", ""],
)
def test_a_text_that_languages_read_in_their_own_ways_is_left_to_them(text: str) -> None:
    assert read_plain(text) is None


def test_a_deep_text_is_left_to_the_limits_of_a_language() -> None:
    assert read_plain("[" * 50 + "]" * 50) is not None
    assert read_plain("[" * 51 + "]" * 51) is None
