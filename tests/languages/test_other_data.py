"""Texts that a language reads in a way of its own: they are read as the same data, or refused, never as other data."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Facts, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import NotALiteral
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox

#: Programs that show what they are given, and change a list inside a list.
PROGRAMS = {
    "python": "def f(*a):\n    if type(a[0]) is list and type(a[0][0]) is list:\n        a[0][0].append(7)\n"
    "    return repr(a)\n",
    "javascript": "function f(...a) {\n  if (Array.isArray(a[0]) && Array.isArray(a[0][0])) a[0][0].push(7);\n"
    "  return a.map(x => [typeof x, typeof x === 'bigint' ? String(x) : JSON.stringify(x)]);\n}\n",
    "php": "<?php\nfunction f(...$a) {\n    return var_export($a, true);\n}\n",
    "java": "class Problem {\n    static String f(Object a) {\n        return a.getClass().getName() + a;\n    }\n}\n",
}
REFUSED = {
    "python": ["[[0]] * 3", "[[0] * 2] * 2", "[[]] * 2 + [[1]]", "2 * [[0]]", "[([],)] * 2", "[{}] * 2", "*[[0]] * 2"],
    "javascript": [
        *(r"'\01'", r"'\08'", r"`\01`", r"{\u0061: 1}", r"{__pr\u006fto__: [1]}"),
        *("00n", "0_0n", "0_1", "-1 ** 2", "-2 ** 2", "Array(2).fill([])", "Array(2).fill({})"),
    ],
    "php": ["[-5 => 1, 2]", "[PHP_INT_MAX => 1, 2]", "0o_7", "-2 ** 2", "1e20 % 7"],
    "java": [
        *("1e400", "1e-400", "1e40f", "1e-50f", "3.4028235677973366e38f", '"a\\\nb"'),
        *('"""\n  a\xa0\n  """', '"""\n\xa0 a\n  """', '"""\n  a\x85\n  """', '"""\xa0\n a"""'),
        *('"""\n  a\\u0020\n  """', '"""\n  a\\uu0009\n  """', '"""\n  a\u2007\n  """'),
    ],
}
READ = {
    "python": ["[[0]] * 1", "[0] * 3", "[(1, 'a')] * 2", "[[0]] + [[1]]"],
    "javascript": [
        *("'\\\u2028a'", "'\\\u2029a'", "'\\\ra'", "'\\\r\na'", "'\\0a'", "{1e-7: 1}", "{0.00001: 1}", "{1e16: 1}"),
        *("{1e20: 1}", "{1e21: 1}", "{123456789012345680000: 1}", "{1.5e-5: 1}", "(-2) ** 2", "Array(2).fill('a')"),
    ],
    "php": ["[-5 => 1, 3 => 2, 4]", "['a' => 1, 2]", "0o7", "2 ** 62", "(-2) ** 2", "array_fill(0, 2, [1])", "7.9 % 3"],
    "java": [
        *("-Integer.MIN_VALUE", "-(-2147483648)", "-Long.MIN_VALUE", "-2147483648", "1e300", "0e0", "0.0f", "1e-45f"),
        *('"""\n  a\\u00e9 \n\tb\\s\n  """', '"""\n  a\\\n  b"""'),
    ],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in REFUSED for text in REFUSED[name]])
def test_a_text_that_gives_other_data_is_refused(name: str, text: str) -> None:
    with pytest.raises(NotALiteral):
        language(name).values.read_arguments(text)


LANGUAGES = [name if name == "python" else pytest.param(name, marks=pytest.mark.slow) for name in READ]


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_interpreter_reads_the_same_data(name: str, sandbox: Sandbox) -> None:
    call = "Problem.f" if name == "java" else "f"
    facts = Facts(input="1", output=0)
    program = Program.from_source(language=name, source=PROGRAMS[name], call=f"{call}(1)", facts=facts)
    texts = [*READ[name], *(language(name).values.read_arguments(text).text for text in READ[name])]
    ends = list(sandbox.run_all(Run.from_program(program, call=f"{call}({text})") for text in texts))
    shown = [(end.returned, end.value) for end in ends]
    count = len(READ[name])
    for text, raw, ours in zip(texts, shown[:count], shown[count:], strict=False):
        assert raw == ours, text
        assert raw[0], text


def test_a_list_of_java_that_cannot_grow_is_not_a_recorded_one_that_can() -> None:
    values = language("java").values
    assert not values.equal_arguments("List.of(1)", "new ArrayList<>(List.of(1))")
    assert not values.equal_arguments('Integer.valueOf("5")', '"5"')
    assert not values.equal_arguments("(double) 0.1f", "0.1")
    assert values.equal_arguments("new ArrayList<>( List.of(1) )", "new ArrayList<>(List.of(1)) // so")
