"""Files of repositories are made into programs that run by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

import pytest

from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.language.driving import Driven, read_probe
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.making import driving
from pytest_codereason.languages.python import slicing
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox

STOCK = '''
"""Counts goods."""
from collections import Counter


def count_goods(goods):
    """How often each is there.

    >>> count_goods(["fig", "plum", "fig"])["fig"]
    2
    """
    return Counter(clean(good) for good in goods)


def clean(text):
    return text.strip().lower()


class Shelf:
    def __init__(self, width: int) -> None:
        self.width, self.goods = width, []

    def put(self, good: str) -> int:
        if not self.is_full():
            self.goods.append(clean(good))
        return len(self.goods)

    def is_full(self) -> bool:
        return len(self.goods) >= self.width
'''.lstrip()


def drive(
    sandbox: Sandbox,
    text: str,
    *,
    language: str = "python",
    path: str = "stock.py",
    siblings: Mapping[str, str] | None = None,
    tests: Mapping[str, str] | None = None,
    part: str = "",
) -> Driven | Refusal:
    return driving.drive(language, path, dedent(text), siblings or {}, tests or {}, sandbox.run, Draws(7), part)


def run(sandbox: Sandbox, driven: Driven, language: str = "python") -> Execution:
    return sandbox.run(Run(language=language, files=driven.files, entry=driven.entry))


def accept(driven: Driven | Refusal) -> Driven:
    assert isinstance(driven, Driven), driven
    return driven


def test_a_driver_is_added_to_a_text_that_stays_as_it_is(sandbox: Sandbox) -> None:
    driven = accept(drive(sandbox, STOCK))
    text = driven.files["main.py"]
    assert text.startswith(STOCK)
    assert 'if __name__ == "__main__":\n' in text[len(STOCK) :]
    assert 'print(count_goods(["fig", "plum", "fig"])["fig"])' in text
    assert driven.edges["main.Shelf.put"] == ["main.Shelf.is_full", "main.clean"]
    assert run(sandbox, driven).stdout.startswith("2\n")
    assert driven.how == "documentation, names, types"


def test_the_same_file_gives_the_same_program(sandbox: Sandbox) -> None:
    assert drive(sandbox, STOCK) == drive(sandbox, STOCK)


def test_a_file_that_runs_by_itself_stays_as_it_is(sandbox: Sandbox) -> None:
    text = STOCK + "\nprint(Shelf(2).put(' Fig '))\n"
    driven = accept(drive(sandbox, text))
    assert driven.files == {"main.py": text}
    assert driven.how == "runs by itself"


def test_a_slice_holds_a_definition_and_what_it_needs(sandbox: Sandbox) -> None:
    assert driving.list_parts("python", "stock.py", STOCK) == ["count_goods", "Shelf"]
    driven = accept(drive(sandbox, STOCK, part="Shelf"))
    text = driven.files["main.py"]
    assert "def clean" in text
    assert "Counter" not in text
    assert STOCK[STOCK.index("class Shelf") :] in text


def test_imports_of_the_package_become_files(sandbox: Sandbox) -> None:
    text = STOCK.replace("def clean(text):\n    return text.strip().lower()\n", "")
    text = text.replace("import Counter\n", "import Counter\n\nfrom .words import clean\n")
    siblings = {
        "src/shop/__init__.py": "from .stock import *\n",
        "src/shop/words.py": "def clean(text):\n    return text\n",
    }
    driven = accept(drive(sandbox, text, path="src/shop/stock.py", siblings=siblings))
    assert set(driven.files) == {"main.py", "shop/stock.py", "shop/words.py"}
    assert driven.files["shop/stock.py"] == text
    assert "shop.words.clean" in driven.edges["shop.stock.Shelf.put"]
    assert run(sandbox, driven).returned


def test_iterators_within_an_iterator_are_read_in_turn(sandbox: Sandbox) -> None:
    text = """
    from itertools import groupby

    def group(numbers: list[int]):
        for _, run in groupby(numbers, key=halve):
            yield (step(n) for n in run)

    def halve(n):
        return n // 2

    def step(n):
        return n + 1
    """
    driven = accept(drive(sandbox, text))
    assert "print([list(item) for item in group(" in driven.files["main.py"]
    assert "main.step" in driven.reached


def test_an_object_is_made_by_a_call_of_its_class_alone(sandbox: Sandbox) -> None:
    tests = {"test_shelf.py": "def test_shelf():\n    assert len(Shelf(4)) == 4\n"}
    text = STOCK + "\n    def __len__(self):\n        return self.width + len(clean('a')) - 1\n"
    driven = accept(drive(sandbox, text, tests=tests))
    assert "shelf = len(" not in driven.files["main.py"]
    assert "shelf = Shelf(" in driven.files["main.py"]


def test_a_function_that_only_calls_itself_shows_no_call_between_two(sandbox: Sandbox) -> None:
    refusal = drive(sandbox, "def f(n: int):\n    return n if n < 1 else f(0)\n\n\ndef g(n: int):\n    return n\n")
    assert refusal == Refusal("no call between two functions")


def test_calls_of_tests_are_taken_over(sandbox: Sandbox) -> None:
    tests = {
        "test_area.py": "def test_area():\n    corners = [(0, 0), (0, 2), (2, 2)]\n    assert area(corners) == 2.0\n"
    }
    text = """
    def area(shape):
        return abs(sum(cross(p, q) for p, q in zip(shape, shape[1:] + shape[:1]))) / 2

    def cross(p, q):
        return p[0] * q[1] - p[1] * q[0]
    """
    driven = accept(drive(sandbox, text, tests=tests))
    assert "corners = [(0, 0), (0, 2), (2, 2)]\n    print(area(corners))" in driven.files["main.py"]
    assert "tests" in driven.how


@pytest.mark.slow
def test_a_call_that_does_not_end_is_left_out(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driving, "LIMITS", Limits(cpu_s=1))
    text = STOCK + "\n\ndef wait(n):\n    while True:\n        n += 1\n"
    driven = accept(drive(sandbox, text))
    assert "main.wait" not in driven.reached
    assert "main.clean" in driven.reached


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import numpy\n\ndef f(x):\n    return numpy.sum(x)\n", "needs a package that is no standard library"),
        ("def f(:\n", "does not parse"),
        ("def f(x):\n    return x.no_such_thing\n", "no call ends without an error"),
        ("def f(x):\n    return [x]\n", "no call between two functions"),
        (
            "import time\n\ndef f(x):\n    return g(x)\n\ndef g(x):\n    return time.time_ns()\n",
            "no call ends without an error",
        ),
        ("X = 3\n", "nothing to call"),
        ("raise ValueError\n", "raises an error"),
    ],
)
def test_a_refusal_names_its_reason(sandbox: Sandbox, text: str, reason: str) -> None:
    refusal = drive(sandbox, text)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == reason


CHUNKS = """
const isSpace = require("./isSpace");

/**
 * Cuts a list into pieces.
 *
 * @example
 *
 * const letters = ["a", "b", "c"];
 * _.chunk(letters, 2);
 * // => [["a", "b"], ["c"]]
 */
function chunk(array, size) {
  const pieces = [];
  for (let at = 0; at < array.length; at += size) pieces.push(take(array, at, size));
  return pieces;
}

function take(array, from, count) {
  return array.slice(from, from + count);
}

const countSpaces = (text) => [...text].filter((c) => isSpace(c)).length;

module.exports = chunk;
""".lstrip()
IS_SPACE = "module.exports = function isSpace(c) {\n  return /\\s/.test(c);\n};\n"


def test_a_driver_of_javascript_follows_the_examples_of_comments(sandbox: Sandbox) -> None:
    siblings = {"lib/isSpace.js": IS_SPACE, "lib/other.js": "module.exports = 3;\n"}
    driven = accept(drive(sandbox, CHUNKS, language="javascript", path="lib/chunk.js", siblings=siblings))
    assert set(driven.files) == {"main.js", "isSpace.js"}
    added = driven.files["main.js"].removeprefix(CHUNKS)
    assert added.startswith('\n{\n  const letters = ["a", "b", "c"];\n  console.log(chunk(letters, 2));\n}\n')
    assert 'console.log(countSpaces("one two three"));' in added
    assert driven.edges["main.chunk"] == ["main.take"]
    assert run(sandbox, driven, "javascript").stdout.startswith("[ [ 'a', 'b' ], [ 'c' ] ]\n")


def test_a_driver_of_javascript_takes_results_of_examples_and_no_helpers(sandbox: Sandbox) -> None:
    text = """
    function _interopRequireDefault(e) {
      return e && e.__esModule ? e : { default: e };
    }

    /**
     * @example
     * // Which day comes after the 5th of May?
     * const result = nextDay(new Date(2021, 4, 5))
     * //=> 6
     */
    function nextDay(date) {
      return move(date, 1);
    }

    function move(startDate, days) {
      return startDate.getDate() + days;
    }
    """
    driven = accept(drive(sandbox, text, language="javascript", path="nextDay.js"))
    added = driven.files["main.js"][len(dedent(text)) :]
    assert "console.log(nextDay(new Date(2021, 4, 5)));" in added
    assert "console.log(move(new Date(2024, 1, 29), 3));" in added
    assert "_interop" not in added


def test_a_file_of_javascript_in_a_folder_is_loaded_by_a_further_file(sandbox: Sandbox) -> None:
    siblings = {"isSpace.js": IS_SPACE}
    text = CHUNKS.replace("./isSpace", "../isSpace")
    driven = accept(drive(sandbox, text, language="javascript", path="lib/chunk.js", siblings=siblings))
    assert driven.entry == "main.js"
    assert driven.files["main.js"] == 'require("./lib/chunk.js");\n'
    assert "lib.chunk.take" in driven.reached


def test_a_package_of_npm_is_refused(sandbox: Sandbox) -> None:
    refusal = drive(sandbox, 'const _ = require("lodash");\n', language="javascript", path="a.js")
    assert refusal == Refusal("needs a package that is no standard library", "lodash")
    for own in ("#lib/space", "@/lib/space", "~/lib/space"):
        refusal = drive(sandbox, CHUNKS.replace("./isSpace", own), language="javascript", path="lib/chunks.js")
        assert refusal == Refusal("loads a file by a name that its package gives", own)


TRAY = """
package java.util;

/** Holds a few things. */
public class Tray<E> implements Iterable<E> {
    private final List<E> things = new ArrayList<>();
    private final int room;

    public Tray(int room) {
        this.room = room;
    }

    public E remove() {
        return things.remove(things.size() - 1);
    }

    public boolean add(E thing) {
        return !isFull() && things.add(thing);
    }

    public boolean isFull() {
        return things.size() >= room;
    }

    public Iterator<E> iterator() {
        return new Once();
    }

    void hide(Secret secret) {
        secret.tell();
    }

    private class Once implements Iterator<E> {
        public boolean hasNext() {
            return Shelf.isOpen();
        }

        public E next() {
            return null;
        }
    }
}
""".lstrip()
SHELF = "package java.util;\n\nclass Shelf {\n    static boolean isOpen() {\n        return false;\n    }\n}\n"
SECRET = "package java.util;\n\nclass Secret {\n    void tell() {}\n}\n"


@pytest.mark.slow
def test_a_driver_of_java_is_a_class_of_its_own(sandbox: Sandbox) -> None:
    siblings = {"src/java/util/Shelf.java": SHELF, "src/java/util/Secret.java": SECRET}
    driven = accept(drive(sandbox, TRAY, language="java", path="src/java/util/Tray.java", siblings=siblings))
    assert set(driven.files) == {"Main.java", "Tray.java", "Shelf.java", "Secret.java"}
    assert driven.files["Tray.java"] == TRAY.replace("package java.util;", "import java.util.*;")
    assert driven.changes == ("the package java.util is dropped, and its classes are imported",)
    lines = [line.strip() for line in driven.files["Main.java"].splitlines()]
    at = lines.index("Tray<String> tray = new Tray<String>(3);")
    assert lines[at + 1] == 'System.out.println(tray.add("one two three"));'
    assert "Tray:isFull()" in driven.edges["Tray:add(java.lang.Object)"]
    assert run(sandbox, driven, "java").stdout.startswith("true\n")


@pytest.mark.slow
def test_a_package_of_java_is_kept(sandbox: Sandbox) -> None:
    text = TRAY.replace("package java.util;", "package shop.goods;\n\nimport java.util.*;\nimport shop.Shelf;")
    text = text.replace("Secret secret", "Object secret").replace("secret.tell()", "secret.hashCode()")
    shelf = SHELF.replace("java.util", "shop").replace("class", "public class").replace("static", "public static")
    siblings = {"src/shop/Shelf.java": shelf}
    driven = accept(drive(sandbox, text, language="java", path="src/shop/goods/Tray.java", siblings=siblings))
    assert driven.entry == "shop/goods/Main.java"
    assert driven.files["shop/goods/Tray.java"] == text
    assert driven.files["shop/Shelf.java"] == shelf


SCALES = """
package java.text;

import java.util.Comparator;
import java.util.List;
import jdk.internal.vm.annotation.ForceInline;
import sun.unknown.Weights;

public class Scales extends Format implements Comparable<Scales> {
    private static final int TARE;

    static {
        TARE = 2;
    }

    private static final int UNUSED = 3;

    /** Weighs a thing. */
    @ForceInline
    public static int weigh(int grams) {
        return Math.max(0, grams - TARE);
    }

    public static int weigh(int grams, int count) {
        return weigh(grams) * count;
    }

    static int sum(List<Integer> all) {
        return all.stream().mapToInt(Scales::weigh).sum();
    }

    private static int loadWeights(String name) {
        return Weights.load(name);
    }

    static int load(String name) {
        return loadWeights(name);
    }

    public int compareTo(Scales other) {
        return load("scales") + Comparator.<Integer>naturalOrder().compare(1, 2);
    }
}
""".lstrip()


def test_a_slice_of_java_holds_static_members_and_what_they_need() -> None:
    drivers = language("java").drivers
    assert drivers.list_parts("java/text/Scales.java", SCALES) == ["weigh, sum", "load"]
    excerpt = drivers.cut("java/text/Scales.java", SCALES, {}, "weigh, sum")
    text = excerpt.files["Scales.java"]
    assert text.startswith("import java.text.*;\n\nimport java.util.List;\n")
    assert "public class Scales {\n    private static final int TARE;\n\n    static {" in text
    assert "    /** Weighs a thing. */\n    public static int weigh(int grams) {" in text
    for word in ("UNUSED", "load", "Weights", "ForceInline", "Comparator"):
        assert word not in text
    assert excerpt.changes == (
        "cut to Scales.weigh, sum and what is needed",
        "annotations of jdk.internal are dropped",
        "the package java.text is dropped, and its classes are imported",
    )


@pytest.mark.slow
def test_a_slice_of_java_becomes_a_program(sandbox: Sandbox) -> None:
    driven = accept(drive(sandbox, SCALES, language="java", path="java/text/Scales.java", part="weigh, sum"))
    assert driven.edges["Scales:weigh(int,int)"] == ["Scales:weigh(int)"]


def test_hidden_classes_come_along_where_the_repository_has_them() -> None:
    text = "package java.util;\n\nimport jdk.internal.util.Bits;\n\nclass A {\n    int f() { return Bits.one(); }\n}\n"
    bits = "package jdk.internal.util;\n\npublic class Bits {\n    public static int one() { return 1; }\n}\n"
    siblings = {"jdk/internal/util/Bits.java": bits}
    excerpt = language("java").drivers.cut("java/util/A.java", text, siblings)
    assert excerpt.files == {
        "A.java": text.replace("package java.util", "import java.util.*").replace("import jdk.internal.util.Bits;", ""),
        "Bits.java": bits.replace("package jdk.internal.util;", ""),
    }


@pytest.mark.slow
def test_a_class_of_java_that_only_its_package_can_use_comes_along(sandbox: Sandbox) -> None:
    pile = "package java.text;\n\npublic class Format {\n    int height() { return 2; }\n}\n"
    text = """
    package java.text;

    class Pile extends Format {
        int count() {
            return twice() + 1;
        }

        int twice() {
            return 2 * height();
        }
    }
    """
    siblings = {"java/text/Format.java": pile}
    driven = accept(drive(sandbox, text, language="java", path="java/text/Pile.java", siblings=siblings))
    assert driven.edges["Pile:twice()"] == ["Format:height()"]


@pytest.mark.slow
def test_abstract_classes_of_java_are_driven_by_small_classes(sandbox: Sandbox) -> None:
    text = """
    package shop;

    public abstract class Price<T> {
        public interface Rounding {
            int round(int cents);

            default int roundTwice(int cents) {
                return round(round(cents));
            }
        }

        protected abstract int cents(T good, String unit);

        public int total(T good) {
            return add(cents(good, "kg"));
        }

        private int add(int cents) {
            return cents + 1;
        }
    }
    """
    driven = accept(drive(sandbox, text, language="java", path="shop/Price.java"))
    assert "Price<String> price = new Price<String>() { " in driven.files["shop/Main.java"]
    assert "Price.Rounding rounding = (cents) -> { return cents; };" in driven.files["shop/Main.java"]
    assert driven.edges["shop.Price:total(java.lang.Object)"][-1] == "shop.Price:add(int)"


def test_a_closed_package_of_java_is_refused(sandbox: Sandbox) -> None:
    text = "package java.util;\n\nimport jdk.internal.misc.VM;\n\nclass A {}\n"
    refusal = drive(sandbox, text, language="java", path="java/util/A.java")
    assert refusal == Refusal("needs a package that Java does not export", "jdk.internal.misc.VM")


def test_a_program_cannot_answer_for_candidates_that_there_are_not() -> None:
    assert read_probe('\x01[0, "{}", "7"]\n\x01[5, "{}", "7"]\n\x01[null]\nx\n\x01[1, null, ""]\n', 2).keys() == {0, 1}


USER = (
    "from {module} import clean\n\n\ndef tidy(words: list[str]) -> list[str]:\n    return [clean(w) for w in words]\n"
)
CLEAN = "def clean(word):\n    return strip(word).lower()\n\n\ndef strip(word):\n    return word.strip()\n"


@pytest.mark.parametrize(
    ("path", "module", "sibling", "named"),
    [
        ("shop/tidy.py", "shop.words", "shop/words.py", {"tidy.py", "shop/words.py"}),
        ("scripts/tidy.py", "shop.words", "shop/words.py", {"tidy.py", "shop/words.py"}),
        ("scripts/tidy.py", "shop.words", "src/shop/words.py", {"tidy.py", "shop/words.py"}),
        ("app/core/tidy.py", "app.words", "app/words.py", {"tidy.py", "app/words.py"}),
        ("src/shop/a/tidy.py", "shop.b.words", "src/shop/b/words.py", {"tidy.py", "shop/b/words.py"}),
        ("tools/tidy.py", "words", "tools/words.py", {"tidy.py", "words.py"}),
    ],
)
def test_a_module_of_the_repository_is_no_package(
    sandbox: Sandbox, path: str, module: str, sibling: str, named: set[str]
) -> None:
    driven = accept(drive(sandbox, USER.format(module=module), path=path, siblings={sibling: CLEAN}))
    assert driven.files.keys() == named | {"main.py"}
    assert {"tidy.tidy", f"{module}.clean"} <= {*driven.reached}


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("from shop._version import clean\n", Refusal(slicing.NOT_TAKEN, "shop._version")),
        ("from ._version import clean\n", Refusal(slicing.NOT_TAKEN, "shop._version")),
        ("from . import _speedups\n", Refusal("imports from the __init__.py of a package", "shop")),
        ("import shopping\n", Refusal(slicing.NO_LIBRARY, "shopping")),
        ("import helper\nfrom words import clean\n", Refusal("needs two files of one name", "")),
    ],
)
def test_a_module_that_is_not_taken_is_told_from_a_package(sandbox: Sandbox, text: str, refusal: Refusal) -> None:
    siblings = {"shop/__init__.py": "", "src/helper.py": "import words\n", "words.py": CLEAN, "src/words.py": CLEAN}
    code = f"{text}\n\ndef f(word: str) -> str:\n    return clean(word)\n"
    assert drive(sandbox, code, path="shop/tidy.py", siblings=siblings) == refusal
