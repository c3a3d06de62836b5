from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.changes.perturbations._messages import Place, deal_messages, list_places, read_messages
from pytest_codereason.core.language.structure import Insertion
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from pytest_codereason.languages.java.syntax.grammar import PLACES as JAVA
from pytest_codereason.languages.javascript.syntax.grammar import PLACES as JAVASCRIPT
from pytest_codereason.languages.php.syntax.grammar import PLACES as PHP
from pytest_codereason.languages.python.syntax.grammar import PLACES as PYTHON
from pytest_codereason.registry import language
from tests.changes.perturbations.programs import PROGRAMS

KINDS = ("function", "return", "while", "for", "if", "assignment")
SAID = [message for messages in read_messages().values() for message in messages]
#: Words that name a type or a value of one, by which the type of an output could be guessed.
LEAKS = r"""lists? dict\w* strings? numbers? integers? floats? bool\w* true false none null undefined zero empty sets?
tuples? arrays? maps? nil one two three void byte\w* object\w* negative positive""".split()
#: Words of one of the languages that mean nothing in another.
FOREIGN = r"""python java\w* php print\w* console echo system method\w* def lambda pass self this\. static elif foreach
\w+_\w+ [a-z]+[A-Z]\w*""".split()


def test_there_are_enough_messages() -> None:
    messages = read_messages()
    assert {kind: len(messages[kind]) for kind in KINDS} == dict.fromkeys(KINDS, 20)
    operations = {kind: len(texts) for kind, texts in messages.items() if kind not in KINDS}
    assert operations == dict.fromkeys(PYTHON.operations, 5)


def test_no_message_is_there_twice() -> None:
    assert len(set(SAID)) == len(SAID)


def test_messages_are_plain_sentences() -> None:
    assert [m for m in SAID if not re.fullmatch(r"[A-Z][A-Za-z ,:'-]{24,78}\.", m)] == []


def test_messages_give_nothing_away() -> None:
    leak = re.compile(rf"\b(?:{'|'.join(LEAKS)})\b", re.IGNORECASE)
    assert [m for m in SAID if leak.search(m)] == []


def test_messages_fit_every_language() -> None:
    foreign = re.compile(rf"\b(?:{'|'.join(FOREIGN)})\b")
    assert [m for m in SAID if foreign.search(m)] == []


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("python", PYTHON.operations),
        ("javascript", JAVASCRIPT.operations),
        ("php", PHP.operations),
        ("java", JAVA.operations),
    ],
)
def test_operations_are_those_that_the_language_gives(name: str, known: frozenset[str]) -> None:
    assert language(name).dialect.operations.keys() <= known


@given(st.lists(st.sampled_from([*read_messages()]), max_size=60), st.integers(0, 2**64 - 1))
def test_neighbours_never_get_the_same(kinds: list[str], seed: int) -> None:
    spot = Insertion(at=0, place="statement", function="", indent="", before="", after="\n")
    dealt = [message for message, _ in deal_messages([Place(kind, spot, spot, None) for kind in kinds], Draws(seed))]
    assert all(message in read_messages()[kind] for kind, message in zip(kinds, dealt, strict=True))
    for kind in set(kinds):
        mine = [message for message, other in zip(dealt, kinds, strict=True) if other == kind]
        assert all(first != second for first, second in pairwise(mine))
        assert len(set(mine)) == min(len(mine), len(read_messages()[kind])), "none comes again before all came"


FOUND = {
    "python": "function assignment for if append if assignment while assignment split lower",
    "javascript": "function assignment for if append if assignment while assignment split lower",
    "php": "function assignment for if append if assignment while assignment split lower",
    "java": "assignment function assignment for if add if assignment while assignment replace lower",
}
ENDS = dict.fromkeys(FOUND, "if assignment pop return upper") | {"java": "if assignment remove return upper"}


def kinds_of(name: str, source: str) -> list[str]:
    lang = language(name)
    return [place.kind for place in list_places(lang.syntax.parse(source), lang.dialect.operations)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_places(name: str) -> None:
    code = language(name).syntax.parse(PROGRAMS[name])
    places = list_places(code, language(name).dialect.operations)
    assert " ".join(place.kind for place in places) == f"{FOUND[name]} {ENDS[name]}"
    for kind, spot, _, _ in places:
        line = PROGRAMS[name][spot.at :].lstrip().partition("\n")[0]
        if kind in ("while", "for"):
            assert line.startswith((kind, "do"))
        if kind == "if" and "+=" not in line and "[]" not in line:
            assert line.startswith("if")


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("python", "def f(): return 1\n"),
        ("python", "while False: pass\n"),
        ("javascript", "if (true) f();"),
        ("php", "<?php\nif (false) f();\n"),
        ("java", "class A { }"),
    ],
)
def test_without_a_place_there_is_no_question(name: str, source: str) -> None:
    with pytest.raises(Skip, match="no place"):
        list_places(language(name).syntax.parse(source), language(name).dialect.operations)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("python", "def f():\n    while True:\n        return 1\n        x = 2\n"),
        ("javascript", "function f() {\n    while (true) {\n        return 1;\n        x = 2;\n    }\n}"),
        ("php", "<?php\nfunction f() {\n    while (true) {\n        return 1;\n        $x = 2;\n    }\n}"),
    ],
)
def test_what_is_never_reached_has_no_message(name: str, source: str) -> None:
    assert kinds_of(name, source) == ["function", "while", "return"]


BRACES = """\
function f() {
    if (0 < 1) {
        return;
    }
    while (false) {
        g();
    }
}
"""


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "python",
            "def f():\n    if 0 < 1:\n        return\n    if False:\n        g()\n    while False:\n        g()\n",
        ),
        ("javascript", BRACES),
        ("php", f"<?php\n{BRACES}"),
        ("java", "class A {\n    void f() {\n        if (0 < n) {\n            return;\n        }\n    }\n}"),
    ],
)
def test_no_message_is_true_by_accident(name: str, source: str) -> None:
    assert kinds_of(name, source) == ["function", "if"]
