"""Operators with their operands, indices, bounds, arguments, defaults and reads, in every language."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pytest_codereason.core import Language
from pytest_codereason.core.language.structure import SiteKind
from pytest_codereason.languages.frame.details import DETAILS
from pytest_codereason.registry import language
from tests.languages.examples import EXAMPLES

SOURCES = {
    "python": """\
def f(a, n=3, *, k: int = 2):
    t = a[i, 1] + b[1:n - 1][::2] + d.get(k, 0)
    for i in range(n):
        a[i] = max(t, n)
    x += k
    return 0 < n <= 3 and h(*a, n, k=k) not in "e"
""",
    "javascript": """\
function f(a, n = 3) {
    for (let i = 0; i < n; i++) {
        a[i] = Math.max(t, n) ?? 0;
        x += a.slice(1, n - 1);
    }
    return h(...a, t) !== a.charAt(2);
}
""",
    "java": """\
class P {
    static int f(int[] a, final List<Integer> b) {
        for (int i = 0; i < n; i++) {
            a[i] = Math.max(t, b.get(0));
            x += s.substring(1, n);
        }
        for (String s : b) {}
        return m.getOrDefault(i, 0);
    }
}
""",
    "php": """\
<?php
function f(array $a, int $n = 3) {
    for ($i = 0; $i < $n; $i++) {
        $a[$i] = max($t, $n) ?? 0;
        $x .= substr($s, 1, $n);
    }
    return h(...$a) - h($n, k: 2);
}
""",
}
EXPECTED: dict[str, dict[SiteKind, list[str]]] = {
    "python": {
        "operator": ["+", "-", "+", "+=", "<", "<=", "and", "not in"],
        "index": ["i other", "1 int", "i other"],
        "bound": ["1 start", "n - 1 end", "n end i"],
        "arguments": ["k, 0", "t, n"],
        "default": ["3 int", "2 int", "0 int"],
        "read": ["a", "i", "b", "n", "d", "k int", "n", "a", "i", "t", "n", "k int", "n", "a", "n", "k int"],
    },
    "javascript": {
        "operator": ["<", "++", "??", "+=", "-", "!=="],
        "index": ["i other", "2 int"],
        "bound": ["0 start i", "n end i", "1 start", "n - 1 end"],
        "arguments": ["t, n", "1, n - 1"],
        "default": ["3 int", "0 int"],
        "read": ["i", "n", "a", "i", "Math", "t", "n", "a", "n", "a", "t", "a"],
    },
    "java": {
        "operator": ["<", "+="],
        "index": ["i other", "0 int"],
        "bound": ["0 start i", "n end i", "1 start", "n end"],
        "arguments": ["t, b.get(0)", "1, n", "i, 0"],
        "default": ["0 int"],
        "read": [
            *["i int", "n", "a int[]", "i int", "Math", "t", "b List<Integer>", "s String", "n"],
            *["b List<Integer>", "m", "i int"],
        ],
    },
    "php": {
        "operator": ["<", "??", ".=", "-"],
        "index": ["$i other"],
        "bound": ["0 start $i", "$n end $i", "1 start", "$n end"],
        "arguments": ["$t, $n", "$s, 1, $n"],
        "default": ["3 int", "0 int"],
        "read": ["$i", "$n int", "$a array", "$i", "$t", "$n int", "$s", "$n int", "$a array", "$n int"],
    },
}
#: Kinds whose form says no more than the text, or nothing.
FORMLESS = {"operator", "arguments"}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("kind", sorted(DETAILS))
def test_details_of_a_small_program(name: str, kind: SiteKind) -> None:
    source = SOURCES[name]
    words = [
        " ".join(filter(None, [source[slice(*site.span)], *((site.form, site.holder) if kind not in FORMLESS else ())]))
        for site in language(name).syntax.parse(source).sites_of(kind)
    ]
    assert words == EXPECTED[name][kind]


PROGRAMS = [
    pytest.param(language(name), source, id=f"{name}-{i}")
    for name, programs in EXAMPLES.items()
    for i, source in enumerate([SOURCES[name], *(source for source, _ in programs)])
]


@pytest.mark.parametrize(("speaker", "source"), PROGRAMS)
def test_parts_lie_beside_each_other(speaker: Language, source: str) -> None:
    for site in speaker.syntax.parse(source).sites_of(*DETAILS):
        assert all(site.statement.start <= part.start < part.end <= site.statement.end for part in site.parts)
        assert all(before.end < after.start for before, after in pairwise(site.parts))
        if site.kind == "operator":
            assert source[slice(*site.span)].split() == site.form.split()
            assert site.parts
            assert all(part.end <= site.span.start or part.start >= site.span.end for part in site.parts)
        elif site.kind == "arguments":
            assert len(site.parts) > 1
            assert (site.span.start, site.span.end) == (site.parts[0].start, site.parts[-1].end)
        else:
            assert not site.parts


@pytest.mark.parametrize(("speaker", "source"), PROGRAMS)
def test_another_value_in_its_place_still_parses(speaker: Language, source: str) -> None:
    for site in speaker.syntax.parse(source).sites_of("index", "bound", "default", "read"):
        start, end = site.span
        mark = "$" if source[start] == "$" else ""
        value = f"{mark}zz" if site.kind == "read" else "7"
        assert speaker.syntax.parse(f"{source[:start]}{value}{source[end:]}").source


@pytest.mark.parametrize(("speaker", "source"), PROGRAMS)
def test_details_are_collected_when_they_are_asked_for(speaker: Language, source: str) -> None:
    code = speaker.syntax.parse(source)
    assert code.sites_of("condition", "literal", "assignment") is not None
    assert "_details" not in vars(code)
    assert len(code.sites_of("read")) == 0 or "_details" in vars(code)
