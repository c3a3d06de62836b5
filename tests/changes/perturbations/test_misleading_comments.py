"""Misleading comments: in place of the program's own, each about the code beside it, and read by no program."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.changes.perturbations._stories import _read_stories, list_spots
from pytest_codereason.changes.perturbations.misleading_comments import MisleadingComments
from pytest_codereason.core import Dose, Facts, Program
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from tests.changes.perturbations.agreement import LANGUAGES

SOURCE = '''\
#!/usr/bin/env python3
# coding: utf-8
# Squares.
import os


class Adder:
    """Adds."""

    def add(self, numbers):
        """Adds up squares."""
        total = 0  # so far
        # Each number counts,
        # also a negative one.
        for number in numbers:
            total += number * number
        if total > 3:  # large
            total -= 1
        return total


print(Adder().add([1, 2]))
'''
TEXTS = [text for story in _read_stories() for texts in story.values() for text in texts]


def apply(source: str, seed: int, dose: Dose, language: str = "python") -> str:
    program = Program.from_source(language=language, source=source, call="", facts=Facts(output="4\n"))
    return MisleadingComments().apply(program, Draws(seed), dose, "output").source


def strip(source: str) -> str:
    """A program without comments, docstrings and layout."""
    return re.sub(r'"""[^"]*"""', '""', registry.language("python").syntax.normalise(source).text)


def test_each_comment_is_replaced_by_what_a_story_says_of_the_code_beside_it() -> None:
    program = Program.from_source(language="python", source=SOURCE)
    own = {SOURCE[spot.at :].partition("\n")[0]: spot.kind for spot in list_spots(program) if spot.own}
    assert own == {
        "# Squares.": "file",
        '"""Adds."""': "file",
        '"""Adds up squares."""': "function",
        "# so far": "assignment",
        "# Each number counts,": "loop",
        "# large": "if",
    }
    changed = apply(SOURCE, 3, Dose())
    assert strip(changed) == strip(SOURCE)
    assert changed.startswith("#!/usr/bin/env python3\n# coding: utf-8\n# ")
    comments = re.findall(r'(?:# |""")(.+?)(?:"""|$)', changed, re.MULTILINE)[1:]
    assert len(comments) == 6
    assert set(comments) <= set(TEXTS)
    assert not re.search("Squares|so far|counts|negative|large", changed)


@given(st.integers(0, 2**32), st.integers(1, 9))
def test_a_stronger_dose_has_the_comments_of_a_weaker_one(seed: int, strength: int) -> None:
    changed = [apply(SOURCE, seed, Dose(strength=count)) for count in (strength, strength + 1)]
    weak, strong = ({text for text in TEXTS if text in source} for source in changed)
    assert weak <= strong
    assert len(weak) == min(strength, 10)
    assert len(strong) == min(strength + 1, 10)


def test_a_place_says_where() -> None:
    source = "".join(f"def f{n}(x):\n    # one\n    x = x + {n}\n    return x\n" for n in range(4))
    changed = apply(source, 0, Dose(place=3)).split("\n")
    assert [i for i, line in enumerate(source.split("\n")) if line not in changed] == []
    assert "".join(changed).count("# one") == 3
    assert changed[:9] == source.split("\n")[:9]


@pytest.mark.parametrize("reader", ["print(f.__doc__)", "import inspect", "help(f)"])
def test_docstrings_that_the_program_may_read_stay(reader: str) -> None:
    source = f'def f(x):\n    """Adds."""\n    # one\n    return x + 1\n{reader}\n'
    assert '"""Adds."""' in apply(source, 0, Dose())
    assert '"""Adds."""' not in apply(source.replace(reader, "print(f(1))"), 0, Dose())


def test_comments_that_php_may_read_stay() -> None:
    source = "<?php\n/** Adds. */\nfunction f($x) {\n    return $x;\n}\n"
    assert "Adds." not in apply(source, 0, Dose(), "php")
    assert "Adds." in apply(f"{source}echo (new ReflectionFunction('f'))->getDocComment();\n", 0, Dose(), "php")


@pytest.mark.parametrize(
    ("language", "source", "kept"),
    [
        ("javascript", "function f(x) {\n    return /* two\n lines */ x;\n}\n", "two"),
        ("java", "class P {\n    int f(int x) {\n        return x; // one\n    }\n}\n", ""),
        ("php", "<?php\nfunction f($x) { return $x; /* one */ }\n?>\n<p>// text</p>\n", "// text"),
        ("javascript", "let a = '// no comment';\nlet b = 1; // one\nlet c = `/* none */`;\n", "'// no comment'"),
    ],
)
def test_only_comments_are_replaced(language: str, source: str, kept: str) -> None:
    changed = apply(source, 1, Dose(strength=1), language)
    assert kept in changed
    assert " one" not in changed
    assert registry.language(language).syntax.check(changed) == ""


def test_the_catalogue_can_stand_in_any_comment_and_says_each_thing_once() -> None:
    assert len(set(TEXTS)) == len(TEXTS) > 130
    for text in TEXTS:
        assert re.fullmatch(r"[A-Z][A-Za-z0-9 ,:.-]+\.", text), text
        assert len(text) <= 90
        for language in LANGUAGES:
            assert "\n" not in registry.language(language).dialect.comment(text)


def test_a_text_with_a_word_of_the_program_is_left_out() -> None:
    source = "def f(invoice, boiler, suitcase):\n    # one\n    invoice += 1\n    return invoice\n"
    for seed in range(30):
        changed = apply(source, seed, Dose())
        assert not re.search(r"# .*(?:invoice|boiler|suitcase)\b", changed), changed


def test_no_place_is_a_reason() -> None:
    with pytest.raises(Skip, match="no place for a comment"):
        apply("x = 1\n", 0, Dose(place=4))
