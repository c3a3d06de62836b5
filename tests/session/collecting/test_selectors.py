"""Mistakes in ``-m`` and ``-k``. What is no expression of Python is left to pytest."""

from __future__ import annotations

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.session.collecting.selectors import check_markers, explain_keyword
from tests.session.collected import collect
from tests.session.conftest import Project


@pytest.mark.parametrize(
    "expression", ["not " * 20_000 + "level", "level\0", "(level"], ids=["deep", "null byte", "open"]
)
def test_what_is_no_expression_is_left_to_pytest(expression: str) -> None:
    check_markers(expression, [], ["level"])


def test_a_marker_that_is_none_or_has_no_such_value_is_named(project: Project) -> None:
    project.suite(count=1, prompting=("direct", "cot"), more="digits = [2, 4]\nshots = [0]\n")
    project.pytester.makepyfile("import pytest\n@pytest.mark.slowly\ndef test_one(): pass\n")
    items = collect(project, "--model=baseline:truth")
    known = ["skip(reason=None): skips", "usefixtures(name): uses", "digits_x: of (some) use"]
    for fine in (
        "digits",
        "digits(n=4) and not prompting(name='cot')",
        "language(name='php')",
        "skip or usefixtures or slowly",
        "entirely_unlike",
        "digits_x",
        "",
    ):
        check_markers(fine, items, known)
    check_markers("digist(n=2)", [items[-1]], known)
    for expression, complaint in (
        (
            "digist(n=2)",
            "no suite has a marker 'digist' (did you mean 'digits'?): there is digits, language, prompting",
        ),
        ("digist", "no suite has a marker 'digist' (did you mean 'digits'?)"),
        ("entirely_unlike(n=2)", "no suite has a marker 'entirely_unlike': there is"),
        ("digits(m=2)", "digits has no 'm': write digits(n=2)"),
        ("prompting(n='cot')", "prompting has no 'n': write prompting(name='cot')"),
        ("digits(n=3)", "no question has digits(n=3): digits is 2, 4"),
        (
            "prompting(name='cto')",
            "no question has prompting(name='cto') (did you mean 'cot'?): prompting is 'cot', ",
        ),
    ):
        with pytest.raises(UsageError) as caught:
            check_markers(expression, items, known)
        assert str(caught.value).startswith("-m: ")
        assert complaint in str(caught.value)


def test_a_word_that_selects_nothing_has_a_likely_one(project: Project) -> None:
    project.suite(count=1, more="digits = [2, 4]\n")
    project.pytester.makepyfile("def test_pyton(): pass\n")
    items = collect(project, "--model=baseline:truth")
    told = explain_keyword("pythn and not digits4", items)
    assert told == "-k 'pythn and not digits4' selects no question: none has the word 'pythn' (did you mean 'python'?)"
    assert "(did you mean 'digits4'?)" in explain_keyword("digts4", items)
    assert explain_keyword("python and digits4", items) == ""
    assert explain_keyword("entirely", items) == ""
    assert explain_keyword("pyton", items[-1:]) == "", "an ordinary test says nothing"
