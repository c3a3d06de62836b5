from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.java import Java
from pytest_codereason.languages.java.values.data import Char, Float, Long, Optional

JAVA = Java()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1L", Long(1)),
        ("-2147483648", -(2**31)),
        ("10000000000", 10**10),
        ("0xFFFFFFFF", -1),
        ("0xFFFFFFFFL", 2**32 - 1),
        ("017", 15),
        ("0b101", 5),
        ("1.5f", Float(1.5)),
        ("0.1f", 0.1),
        ("1d", 1.0),
        ("'a'", Char("a")),
        ("'\\''", Char("'")),
        ("'\\u0041'", Char("A")),
        ('"a\\n\\"\\101\\0b\\u00e9\\s"', 'a\n"A\0bé '),
        ('"\\ud83d\\ude00"', "😀"),
        ('"""\n    a  \n      "b" \\\n    c\\n\n    """', 'a\n  "b" c\n\n'),
        ('"""\n  a"""', "a"),
        ("true", True),
        ("null", None),
        ("new int[]{1, 2}", [1, 2]),
        ("new int[][]{{1}, {}}", [[1], []]),
        ("new int[]{}", []),
        ("[1, 2]", [1, 2]),
        ("{1, 2}", [1, 2]),
        ("[{1}, [2, []]]", [[1], [2, []]]),
        ("List.of(1L, 2L)", [1, 2]),
        ("java.util.List.of()", []),
        ("new ArrayList<Long>(Arrays.asList((long)1l, (long)-3l))", [1, -3]),
        ("(new ArrayList<>(10))", []),
        ("Arrays.asList((String)\"a\", null)", ["a", None]),
        ("Map.of(\"a\", 1l, \"b\", List.of())", {"a": 1, "b": []}),
        ("new HashMap<String,Long>(Map.of())", {}),
        ("new HashMap<>() {{ put(\"a\", [1]); put(\"b\", null); }}", {"a": [1], "b": None}),
        ("new ArrayList<Integer>() {{ add(1); add(2); }}", [1, 2]),
        ("Map.ofEntries(Map.entry(1, 2))", {1: 2}),
        ("new HashSet<>(Arrays.asList(1, 1, 2))", {1, 2}),
        ("Optional.of(1)", Optional(1)),
        ("Optional.empty()", Optional()),
        ("Pair.with(0l, \"x\")", (0, "x")),
        ("(Pair<Long, Long>)Pair.with(4l, 1l)", (4, 1)),
        ("new Triplet<>(1, 'b', 2.0)", (1, Char("b"), 2.0)),
        ("new BigInteger(\"123456789012345678901234567890\")", 123456789012345678901234567890),
        ("Integer.MAX_VALUE", 2**31 - 1),
        ("new double[]{Double.NaN, -Double.POSITIVE_INFINITY}", [math.nan, -math.inf]),
        ("(byte) 200", -56),
        ("(int) 'a'", 97),
        ("(char) 97", Char("a")),
        ("(int) 2.9", 2),
        ("2147483647 + 1", -(2**31)),
        ("2147483647 + 1L", 2**31),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("7 / 2.0", 3.5),
        ("1 / 0.0", math.inf),
        ("1 /* one */", 1),
        ("[1, // one\n 2]", [1, 2]),
    ],
)  # fmt: skip
def test_reads(text: str, value: Any) -> None:
    assert JAVA.values.equal(JAVA.values.read(text).value, value)


@pytest.mark.parametrize(
    "text",
    [
        *["1 / 0", "1 % 0L", "089", "9223372036854775808L + 1", "99999999999999999999", "0.1f + 1", "'ab'", "''", "'a"],
        *['"\\q"', '"\\u000a"', '"\\u0022"', '"""a"""', "[1,,2]", "[,]", "[1, 2", "new int[3]", "new Foo()"],
        *["$(1)", "x", "List.of(x)", "f(1)", "this", "Set.of(1, 1)", "Map.of(1, 2, 1, 3)", "Map.of(1)", "!true", "~1"],
        *["Pair.with(1)", "new Pair<>(1)", "Optional.of()", "1 == 1", '"a" + "b"', "'a' + 1", "true ? 1 : 2", "x -> x"],
        "new ArrayList<Integer>() {{ for (add(1); size() < 5; ) { System.exit(0); } }}",
        "Problem.f(1).new ArrayList<Integer>()",
        "new @A(1) ArrayList<Integer>()",
        "new ArrayList<Integer>() {{ if (add(1)) { System.exit(0); } }}",
        "new ArrayList<Integer>() {{ while (add(1)) System.exit(0); }}",
        "new ArrayList<Integer>() {{ do add(1); while (size() < 3); }}",
        "new ArrayList<Integer>() { void add(int a) { add(1); } }",
        *['(int) "a"', "(boolean) 1", "1 << 2", "1 & 2", "new HashMap<>() {{ clear(); }}", "new ArrayList<>() { }.x"],
        *["Set.of(List.of(1))", 'new BigInteger("x")', "int.class", "String::new", "1 2", "1;", "{a=1}"],
    ],
)  # fmt: skip
def test_refuses(text: str) -> None:
    with pytest.raises(NotALiteral):
        JAVA.values.read(text)


@pytest.mark.parametrize(
    "text", ["new ArrayList<int>()", "new HashMap<String, int>() {{ put(0, 1); }}", "(List<long>) 1"]
)
def test_an_argument_has_no_primitive_type_in_angle_brackets(text: str) -> None:
    with pytest.raises(NotALiteral):
        JAVA.values.read_arguments(text)
    assert JAVA.values.read_arguments("new HashMap<String, int[]>()").values == ({},)


def test_width_and_class_do_not_count_but_kind_does() -> None:
    assert JAVA.values.equal([1, 2], [Long(1), Long(2)])
    assert JAVA.values.equal(0.1, Float(0.1))
    different: list[Any] = [1, 1.0, "1", Char("1"), True, [1], (1,), {1}, {1: 1}, Optional(1), Optional(), None]
    for i, left in enumerate(different):
        for j, right in enumerate(different):
            assert JAVA.values.equal(left, right) == (i == j)


def test_writes_as_people_do() -> None:
    assert JAVA.values.write({"a": [Long(1), 2.0, Char("'"), True]}) == "Map.of(\"a\", List.of(1L, 2.0, '\\'', true))"
    assert JAVA.values.write((1, None)) == "Pair.with(1, null)"
    assert JAVA.values.write([None, 1]) == "Arrays.asList(null, 1)"
    assert JAVA.values.write({2, 1}) == "Set.of(1, 2)"
    assert JAVA.values.write("\n\x00é\ud800") == '"\\n\\000é\\ud800"'
    assert JAVA.values.write(2**31) == "2147483648L"
    assert JAVA.values.write(Float(0.1)) == "0.1f"
    for value in (b"x", (), tuple(range(11))):
        with pytest.raises(TypeError, match="no literal"):
            JAVA.values.write(value)


def test_only_arithmetic_is_flagged() -> None:
    assert JAVA.values.read("List.of(81 - 43)").unresolved
    assert JAVA.values.read("(int) 2.9").unresolved
    assert not JAVA.values.read("(long) 1").unresolved
    assert not JAVA.values.read("(double) 1").unresolved


def test_assertion() -> None:
    assert JAVA.values.assertion("f(81)") == ("assert Objects.equals(f(81), ", ");")


#: Literals and arithmetic, all of them Java as it stands.
JUDGED = [
    *["0x1F", "0b101", "017", "1_000", "0xFFFFFFFF", "0x8000000000000000L", "-2147483648", "2147483647 + 1", "7 / -2"],
    *["-7 % 3", "2147483647 * 2147483647", "2147483647 + 1L", "9223372036854775807L * 3", "1e3", ".5", "5.", "1d"],
    *["0.1f", "16777217f", "1e-45f", "3.4e38f", "0.1 + 0.2", "1 / 0.0", "-1 / 0.0", "0.0 / 0", "7 % -2.5", "1.0 / 3"],
    *["5e-324", "(byte) 200 + 0", "(int) 2.9", "(int) 1e20", "(long) -1e20", "(int) 'a'", "(char) 98", "(float) 0.1"],
    *["(double) 0.1f", "(double) (float) 0.1", "(int) 1.5f", "(int) -1.5f", "(int) 16777217f", "(long) 1.1e18f"],
    *["(float) 1.5", "(float) 1e40", "(byte) 300.7f + 0", "(char) 65.9f", "(short) 1e9f + 0", "(long) -1e30f"],
    *["(int) 1e10f"],
    *["'a'", "'\\''", "'\\\\'", "'\\t'", "'\\u00e9'", "'\\101'", '"\\0b\\377\\1012"', '"\\ud83d\\ude00"', '"é\\s"'],
    *['"""\n    a  \n      "b" \\\n    c\\n\n    """', '"""\n  a\n b"""', '"""\n\ta\\040  \n\t"""'],
    *["null", "true", "Integer.MIN_VALUE"],
    *["List.of(1L, 2L)", "new ArrayList<>(Arrays.asList(1, null))", "new HashMap<>(Map.of('a', \"b\"))"],
    *["new HashSet<>(Arrays.asList(1, 1, 2))", "new HashMap<>() {{ put(1, List.of()); }}"],
    *["Optional.of(1)", 'new BigInteger("99999999999999999999")'],
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("java") is None, reason="no java on this machine")
def test_java_agrees(tmp_path: Path) -> None:
    checks = [
        f"check({i}, {text}\n, {JAVA.values.write(JAVA.values.read(text).value)});" for i, text in enumerate(JUDGED)
    ]
    program = tmp_path / "Judge.java"
    program.write_text(
        "import java.math.*; import java.util.*; class Judge { static void check(int i, Object a, Object b) {"
        ' if (!Objects.deepEquals(a, b)) System.out.println(i + " " + a + " is not " + b); }'
        f" public static void main(String[] args) {{ {' '.join(checks)} }} }}"
    )
    judged = subprocess.run(
        ["java", "-Dfile.encoding=UTF-8", str(program)], capture_output=True, text=True, check=False
    )
    assert (judged.stdout, judged.stderr) == ("", "")
