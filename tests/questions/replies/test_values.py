from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason import registry
from tests.examples import examples
from tests.questions.replies.reading_values import CALL, NO_LITERAL, NOTHING, RIGHT, answer, check

FENCE = "```"


CONTINUED: dict[str, tuple[str, str, Any]] = {
    "as asked": ("python", " [38, 169, 16, 7]\n", RIGHT),
    "closed fence": ("python", " [38, 169, 16, 7]\n```", RIGHT),
    "without a blank": ("python", "[38, 169, 16, 7]", RIGHT),
    "value on the next line": ("python", "\n[38, 169, 16, 7]\n```", RIGHT),
    "over several lines": ("python", " [\n    38,\n    169,\n    16,\n    7,\n]\n```\n", RIGHT),
    "comments inside": ("python", " [\n  38,  # it's 81 - 43\n  169, # (81 + 88\n  16,\n  7\n]", RIGHT),
    "comment after": ("python", " [38, 169, 16, 7]  # that's it (I think", RIGHT),
    "prose after": ("python", " [38, 169, 16, 7] because 81 - 43 is 38", RIGHT),
    "full stop": ("python", " [38, 169, 16, 7].\n\nThe call ...", RIGHT),
    "scalar and full stop": ("python", " 38. The function adds.", 38),
    "scalar and prose": ("python", " 38 because of the minus", 38),
    "message of the assertion": ("python", ' [38], "should be [38]"', [38]),
    "tuple": ("python", " (38, 169)\n", (38, 169)),
    "tuple without brackets is a message": ("python", " 38, 169\n", 38),
    "unresolved": ("python", " [81 - 43, 169, 16, 7]\n", RIGHT),
    "unresolved scalar": ("python", " 81 - 43\n", 38),
    "floor division": ("python", " 7 // 2\n", 3),
    "word": ("python", " None\n", None),
    "string with the operator": ("python", " 'a == b'\n", "a == b"),
    "string with a fence": ("python", " '```'\n```", "```"),
    "string with tags": ("python", " '[ANSWER]1[/ANSWER]'\n", "[ANSWER]1[/ANSWER]"),
    "string with a comment sign": ("python", " 'a # b'  # c", "a # b"),
    "string with quotes": ("python", " 'it\\'s \"so\"'\n", 'it\'s "so"'),
    "triple quotes": ("python", ' """a\n[1]\nb"""\n', "a\n[1]\nb"),
    "strings in a row": ("python", " 'a' 'b'\n", "ab"),
    "bytes": ("python", " b'ab' is it\n", b"ab"),
    "dict": ("python", " {'a': [1, 2], 'b': {}}\n```", {"a": [1, 2], "b": {}}),
    "the prefill again": (
        "python",
        "The completed assertion:\n\n```python\nassert f(81) == [38, 169, 16, 7]\n```",
        RIGHT,
    ),
    "the fence again": ("python", "```python\nassert f(81) == [38, 169, 16, 7]\n```", RIGHT),
    "the assertion again": ("python", "assert f(81) == [38, 169, 16, 7]", RIGHT),
    "part of the assertion again": ("python", " f(81) == [38, 169, 16, 7]\n```", RIGHT),
    "the first value counts": ("python", " [1]\nassert f(82) == [2]\nassert f(81) == [3]\n```", [1]),
    "prose first, then a fence": ("python", " ...\n```\nSo:\n```python\nassert f(81) == [38]\n```", [38]),
    "the call, then the answer in words": ("python", " f(81)\n```\nThe answer is [38].", [38]),
    "prose instead": ("python", "The answer is [38].", [38]),
    "prose in a block that stays open": ("python", " I think so.\n\nOutput: [38]\n", [38]),
    "the call": ("python", " f(81)\n```", NO_LITERAL),
    "always true": ("python", " 0 or True or f(0)\n```", NO_LITERAL),
    "a comprehension": ("python", " [x for x in range(4)]\n```", NO_LITERAL),
    "open bracket": ("python", " [38, 169", NO_LITERAL),
    "multiplied list": ("python", " [38] * 4\n", NO_LITERAL),
    "indexed list": ("python", " [38][0]\n", NO_LITERAL),
    "nothing": ("python", "", NOTHING),
    "blanks": ("python", " \n\n ", NOTHING),
    "special token": ("python", " [38, 169, 16, 7]</s>", RIGHT),
    "chat markup": ("python", " [38, 169, 16, 7]<|im_end|>\n<|im_start|>user", RIGHT),
    "javascript": ("javascript", " [38, 169, 16, 7]);\n```", RIGHT),
    "javascript spaced": ("javascript", " [ 38, 169, 16, 7 ] ) ;\n", RIGHT),
    "javascript message": ("javascript", " [38], 'it is');", [38]),
    "javascript comment": ("javascript", " [38]); // it's (so", [38]),
    "javascript object": ("javascript", " { a: 1, 'b': [null, undefined] });", None),
    "javascript template": ("javascript", " `a\nb`);", "a\nb"),
    "javascript again": ("javascript", "assert.deepStrictEqual(f(81), [38]);", [38]),
    "php": ("php", " [38, 169, 16, 7]);\n```", RIGHT),
    "php old": ("php", " array(38, 169, 16, 7));", RIGHT),
    "php keys": ("php", " [0 => 38, 1 => 169, 2 => 16, 3 => 7]);", RIGHT),
    "php comment": ("php", " [38]); # it's", [38]),
    "php words": ("php", " TRUE);", True),
    "php joined strings": ("php", " 'a' . 'b');", NO_LITERAL),
    "php joined strings, close": ("php", " 'a'. 'b');", NO_LITERAL),
    "php choice": ("php", " 1 ? 2 : 3);", NO_LITERAL),
    "javascript choice": ("javascript", " 'a' ? 'b' : 'c');", NO_LITERAL),
    "javascript fence": ("javascript", "```javascript\n[38, 169, 16, 7]\n```", RIGHT),
    "javascript fence and no answer": ("javascript", "```\nconst a = 1;\n```", NOTHING),
    "javascript empty template": ("javascript", " ``);", ""),
    "a question": ("python", " 38? Yes.", 38),
    "two sentences": ("python", " 38. It is", 38),
}


@pytest.mark.parametrize(("name", "reply", "expected"), CONTINUED.values(), ids=CONTINUED.keys())
def test_replies_that_continue_the_prefill(name: str, reply: str, expected: Any) -> None:
    if reply.startswith(" { a"):
        expected = registry.language(name).values.read(reply.removesuffix(");")).value
    check(answer(reply, name, prefilled=True), expected, name)


@pytest.mark.parametrize(
    "above", ["def f(a):\n    return 38", "The result is 38.", "[ANSWER]38[/ANSWER]", "```\n38\n```"]
)
@pytest.mark.parametrize(("reply", "expected"), [(" ??", None), ("", None), (" [7]\n```", [7])])
def test_what_a_prefill_says_above_its_last_line_is_no_answer(above: str, reply: str, expected: Any) -> None:
    candidate = answer(reply, prefill=f"{above}\n\n```python\nassert f(81) ==", prefilled=True)
    assert (candidate.value.value if candidate and candidate.value else None) == expected


#: Programs that return a literal, and the line that says so.
COPIED = {
    "python": "def f(a):\n    a += 1\n\n    return 38\n",
    "javascript": "function f(a) {\n    return 38;\n}\n",
    "java": "class Problem {\n    // it returns 38\n    public static long f(long a) {\n        return 38;\n    }\n}\n",
    "php": "<?php\nfunction f($a) {\n    return 38;\n}\n",
}


@pytest.mark.parametrize("name", COPIED)
def test_a_line_copied_from_the_program_is_no_answer(name: str) -> None:
    program = COPIED[name]
    fence = registry.language(name).fence
    copies = [program, f"```{fence}\n{program}```", f"[ANSWER]\n{program}[/ANSWER]", program.replace("\n\n", "\n")]
    for copy in copies:
        assert (candidate := answer(copy, name, program=program)) is None or candidate.value is None
        check(answer(copy, name), 38, name)
        check(answer(f"{copy}\nThe result is 7.", name, program=program), 7, name)
        check(answer(f"The result is 7.\n\n{copy}", name, program=program), 7, name)
    check(answer("return 38", name, program=program), 38, name)
    check(answer("The call gives:\n\nreturn 38", name, program=program), 38, name)


@pytest.mark.parametrize(
    "line",
    [
        "# f(81) == 38",
        "# f(81) returns 38",
        "# The output is 38",
        "'a text that says what f does'",
        "x = [\n        37,\n        38,\n    ]",
        "x = (\n        38\n    )",
    ],
)
def test_nothing_that_stands_in_the_program_is_an_answer(line: str) -> None:
    for program in (f"def f(a):\n    {line}\n    return a\n", f"{line}\ndef f(a):\n    return a\n"):
        copies = [program, f"```python\n{program}```", f"[ANSWER]\n{program}[/ANSWER]"]
        for copy in copies:
            assert (candidate := answer(copy, program=program)) is None or candidate.value is None
            check(answer(f"The result is 7.\n\n{copy}", program=program), 7)
            check(answer(f"{copy}\nassert f(81) == 7", program=program), 7)
    program = f"def f(a):\n    {line}\n    return a\n"
    assert (candidate := answer(program, program=program, prefilled=True)) is None or candidate.value is None


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("python", "assert not f(81) == 38"),
        ("python", "assert not (f(81) == 38)"),
        ("python", "assert (f(81) == 38) is False"),
        ("python", "assert f(81) == 38 is not True"),
        ("python", "assert (f(81) == 38) == False"),
        ("python", "self.assertFalse(f(81) == 38)"),
        ("python", "```python\nassert not f(81) == 38\n```"),
        ("python", "[ANSWER]assert not f(81) == 38[/ANSWER]"),
        ("python", "[ANSWER]assert not (f(80) == 38)[/ANSWER]"),
        ("python", "[ANSWER]self.assertNotEqual(f(80), 38)[/ANSWER]"),
        ("python", "[ANSWER]assertFalse(f(80) == 38)[/ANSWER]"),
        ("javascript", "assert(!(f(81) === 38));"),
        ("javascript", "assert.ok((f(81) === 38) === false);"),
        ("php", "assert(!(f(81) === 38));"),
        ("php", "$this->assertFalse(f(81) === 38);"),
        ("java", "assertFalse(f(81) == 38);"),
        ("python", "assert not 38 == f(81)"),
        ("python", "assert not (38 == f(81))"),
        ("python", "assert (38 == f(81)) is False"),
        ("python", "assert (38 == f(81)) == False"),
        ("python", "self.assertFalse(38 == f(81))"),
        ("python", "Do not assert 38 == f(81)"),
        ("javascript", "assert((38 === f(81)) === false);"),
        ("javascript", "assert(!(38 === f(81)));"),
        ("python", "It is not \\boxed{38}."),
        ("python", "The answer isn't $\\boxed{38}$"),
        ("python", "\\boxed{38} is wrong."),
        ("python", "$\\boxed{38}$ cannot be right."),
        ("python", "Is it \\boxed{38}? No."),
        ("python", "f(81) \\neq \\boxed{38}"),
        ("python", "$\\boxed{38} \\neq f(81)$"),
        ("python", "I write the answer in a box, for example \\boxed{38}."),
        ("python", "The answer cannot be 38."),
        ("python", "The result should not be 38."),
        ("python", "The function does not return 38."),
        ("python", "It never returns 38."),
        ("python", "It doesn't print [38]"),
    ],
)
def test_what_the_value_is_not_is_no_answer(name: str, reply: str) -> None:
    assert (candidate := answer(reply, name)) is None or candidate.value is None
    check(answer(f"assert f(81) == 7\n{reply}", name), 7, name)


@pytest.mark.parametrize(
    "reply",
    [
        "Is it 39? No! f(81) == 38",
        "The result is 38 rather than \\boxed{7}",
        "I was not sure. The answer is 38",
        "It is not hard: f(81) == 38",
        "Not [39], so the result is 38",
        "assert f(81) == 38  # is not 39",
        "assert (f(81) == 38) is True",
        "It is not 39, but \\boxed{38}",
        "The loop is not entered. So we get \\boxed{38}",
        "x is not negative, so it is \\boxed{38}",
    ],
)
def test_other_denials_deny_nothing(reply: str) -> None:
    check(answer(reply), 38)


WHOLE: dict[str, tuple[str, str, Any]] = {
    "bare": ("python", "[38, 169, 16, 7]", RIGHT),
    "bare word": ("python", "True", True),
    "bare word and a comment": ("python", "True  # because", True),
    "bare word and a comment with slashes": ("javascript", "null // nothing", None),
    "bare over lines": ("python", "The output is:\n\n[\n  38,\n  169,\n  16,\n  7\n]\n\nDone.", RIGHT),
    "bare in bold": ("python", "**[38, 169, 16, 7]**", RIGHT),
    "bare after a bullet": ("python", "Result:\n- [38, 169, 16, 7]", RIGHT),
    "bare quote mark": ("python", "> [38, 169, 16, 7]", RIGHT),
    "negative is no bullet": ("python", "-38", -38),
    "label": ("python", "Answer: [38, 169, 16, 7]", RIGHT),
    "bold label": ("python", "**Final answer:** [38, 169, 16, 7]", RIGHT),
    "heading": ("python", "### Output: [38, 169, 16, 7]", RIGHT),
    "sentence": ("python", "Sure! The answer is [38, 169, 16, 7].", RIGHT),
    "returns": ("python", "So the function returns [38, 169, 16, 7] in the end.", RIGHT),
    "returns the list": ("python", "Therefore it returns the list [38, 169, 16, 7].", RIGHT),
    "assertion in prose": ("python", "So `assert f(81) == [38, 169, 16, 7]` holds.", RIGHT),
    "assertion alone": ("python", "assert f(81) == [38, 169, 16, 7]", RIGHT),
    "assertion in brackets": ("python", "assert(f(81) == [38, 169, 16, 7])", RIGHT),
    "equation": ("python", "f(81) == [38, 169, 16, 7]", RIGHT),
    "single equals sign": ("python", "f(81) = [38, 169, 16, 7]", RIGHT),
    "arrow": ("python", "f(81) -> [38, 169, 16, 7]", RIGHT),
    "spaced call": ("python", "assert f( 81 )==[38, 169, 16, 7]", RIGHT),
    "call returns": ("python", "`f(81)` returns `[38, 169, 16, 7]`.", RIGHT),
    "call is called": ("python", "f(81) is called with x = 81.", NOTHING),
    "unittest": ("python", "self.assertEqual(f(81), [38, 169, 16, 7])", RIGHT),
    "the value first": ("python", "self.assertEqual([38, 169, 16, 7], f(81))", RIGHT),
    "the value first, java": ("java", "assertEquals(38, f(81));", 38),
    "the value first, java, about": ("java", "assertEquals(38.5, f(81), 0.001);", 38.5),
    "the value first, php": ("php", "$this->assertSame('a', f(81));", "a"),
    "the value first, in a fence": ("java", "```java\nassertEquals(39, f(82));\nassertEquals(38, f(81));\n```", 38),
    "the value first, larger": ("python", "assertEqual(38 + x, f(81))", NOTHING),
    "the value first, another call": ("python", "assertEqual(38, f(82))", NOTHING),
    "the value first, another function": ("python", "assertEqual(38, g(f(81)))", NOTHING),
    "the value first, negated": ("java", "assertNotEquals(38, f(81));", NOTHING),
    "negated": ("python", "assert f(81) != [38]", NOTHING),
    "another call": ("python", "assert f(82) == [39]", NOTHING),
    "a longer name": ("python", "assert ff(81) == [39]", NOTHING),
    "fence": ("python", "Here:\n```python\n[38, 169, 16, 7]\n```\nHope it helps!", RIGHT),
    "fence without language": ("python", "```\n[38, 169, 16, 7]\n```", RIGHT),
    "tilde fence": ("python", "~~~\n[38, 169, 16, 7]\n~~~", RIGHT),
    "indented fence": ("python", "1. Then:\n   ```python\n   [38, 169, 16, 7]\n   ```", RIGHT),
    "open fence": ("python", "```python\nassert f(81) == [38, 169, 16, 7]", RIGHT),
    "assertion in a fence": ("python", "```python\nassert f(81) == [38, 169, 16, 7]\n```", RIGHT),
    "assertion over lines": ("python", "```python\nassert f(81) == [\n    38, 169,\n    16, 7,\n]\n```", RIGHT),
    "printed with comment": ("python", "```python\nprint(f(81))  # [38, 169, 16, 7]\n```", RIGHT),
    "printed with label": ("python", "```python\nprint(f(81))  # Output: [38, 169, 16, 7]\n```", RIGHT),
    "prompt and output": ("python", "```\n>>> f(81)\n[38, 169, 16, 7]\n```", RIGHT),
    "steps, then the value": ("python", "```\narr[0] = 81 - 43 = 38\n\n[38, 169, 16, 7]\n```", RIGHT),
    "the last fence wins": ("python", "```\n[1]\n```\nno, wait\n```\n[38, 169, 16, 7]\n```", RIGHT),
    "a fence of code is no answer": (
        "python",
        "```python\ndef f(x):\n    return [x]\n```\nThe result is `[38, 169, 16, 7]`.",
        RIGHT,
    ),
    "the answer, then code": (
        "python",
        "```python\nassert f(81) == [38]\n```\nSince\n```python\narr[0] = x - 43\n```",
        [38],
    ),
    "tags": ("python", "[ANSWER][38, 169, 16, 7][/ANSWER]", RIGHT),
    "tags with blanks": ("python", "[ANSWER] 2 [/ANSWER]", 2),
    "small tags": ("python", "<answer>\n[38, 169, 16, 7]\n</answer>", RIGHT),
    "assertion in tags": ("python", "[ANSWER]\nassert f(81) == [38, 169, 16, 7]\n[/ANSWER]", RIGHT),
    "fence in tags": ("python", "[ANSWER]\n```python\nassert f(81) == [38]\n```\n[/ANSWER]", [38]),
    "tags in a fence": ("python", "```\n[ANSWER]\n[38]\n[/ANSWER]\n```", [38]),
    "open tag": ("python", "So [ANSWER] [38, 169, 16, 7]", RIGHT),
    "tags outrank fences": ("python", "[ANSWER][38][/ANSWER]\n```\n[39]\n```", [38]),
    "an assertion behind a fence": ("python", "```\n[39]\n```\nassert f(81) == [38]", [38]),
    "assertions outrank bare literals": ("python", "assert f(81) == [38]\n\n[39]", [38]),
    "bare literals outrank inline code": ("python", "[38]\n\nnot `[39]` at all", [38]),
    "two answers, the last": ("python", "[ANSWER][1][/ANSWER] or [ANSWER][38][/ANSWER]", [38]),
    "a complete one before an open one": ("python", "[ANSWER][38][/ANSWER] or [ANSWER][39]", [38]),
    "tagged string with a tag": ("python", "[ANSWER]'a[/ANSWER]b'[/ANSWER]", "a[/ANSWER]b"),
    "tagged string with the operator": ("python", "[ANSWER]'a==b'[/ANSWER]", "a==b"),
    "string with the assertion": ("python", "```\nassert f(81) == 'f(81) == 3'\n```", "f(81) == 3"),
    "string that is an assertion": ("python", "[ANSWER]'assert f(81) == 3'[/ANSWER]", "assert f(81) == 3"),
    "a tag in a string": ("python", "```\nassert f(81) == '[ANSWER]3[/ANSWER]'\n```", "[ANSWER]3[/ANSWER]"),
    "tagged nonsense": ("python", "[ANSWER]f(81)[/ANSWER]", NO_LITERAL),
    "empty tags": ("python", "[ANSWER][/ANSWER]", NOTHING),
    "the question again": ("python", "assert f(81) == ??", NOTHING),
    "nothing": ("python", "", NOTHING),
    "apology": ("python", "I'm sorry, but I can't work this out.", NOTHING),
    "enumeration is no answer": ("python", "(1) First the list is made.\n(2) Then it is filled.", NOTHING),
    "thinking": ("python", "<think>\nIs it [1]?\n```\n[2]\n```\n</think>\n[38]", [38]),
    "thinking without an opening tag": ("python", "Is it [1]?\n\n[2]\n</think>\n\n[38]", [38]),
    "endless thinking": ("python", "<think>\n[38]\n```\n[38]\n```\n", NOTHING),
    "only thinking": ("python", "<think>[38]</think>", NOTHING),
    "think tag in a string": ("python", "'<think>'", "<think>"),
    "a tag in the thoughts": (
        "python",
        "[THOUGHT]\nI answer in [ANSWER] tags: f(81) == [1]?\n[/THOUGHT]\n[ANSWER] assert f(81) == [38] [/ANSWER]",
        [38],
    ),
    "an answer in the thoughts, then an open tag": (
        "python",
        "[THOUGHT]\nNot [ANSWER]assert f(81) == [1][/ANSWER].\n[/THOUGHT]\n[ANSWER]\nassert f(81) == [38]",
        [38],
    ),
    "the answer within the thoughts": ("python", "[THOUGHT]\nSo [ANSWER]f(81) == [38][/ANSWER]\n[/THOUGHT]", [38]),
    "thoughts never closed": ("python", "[THOUGHT]\nIs it [1]?\n[ANSWER]\nassert f(81) == [38]\n[/ANSWER]", [38]),
    "the tags are spoken of": ("python", "[ANSWER]f(81) == [38][/ANSWER], in [ANSWER] and [/ANSWER].", [38]),
    "nothing after the operator": ("python", "[ANSWER] f(81) == [/ANSWER]", NO_LITERAL),
    "other arguments in tags": ("python", "[ANSWER] assert f(18, ')') == [38] [/ANSWER]", [38]),
    "other arguments after a program in tags": (
        "python",
        "[ANSWER]\ndef f(x):\n    return [x]\nassert f(18) == [38]\n[/ANSWER]",
        [38],
    ),
    "another function in tags": ("python", "[ANSWER] assert g(81) == [38] [/ANSWER]", NO_LITERAL),
    "no value in tags": ("python", "[ANSWER] assert f(18) == ?? [/ANSWER]", NO_LITERAL),
    "other arguments of javascript": ("javascript", "[ANSWER]assert.deepStrictEqual(f(18), [38]);[/ANSWER]", [38]),
    "other arguments of php": ("php", "[ANSWER] assert(f(18) === [38]); [/ANSWER]", [38]),
    "windows line ends": ("python", "```python\r\nassert f(81) == [38]\r\n```\r\n", [38]),
    "half a pair of surrogates": ("python", "\ud800 [ANSWER][38][/ANSWER]", [38]),
    "javascript assertion": ("javascript", "```js\nassert.deepStrictEqual(f(81), [38, 169, 16, 7]);\n```", RIGHT),
    "javascript console.assert": ("javascript", "console.assert(f(81) === 38);", 38),
    "javascript log": ("javascript", "```javascript\nconsole.log(f(81)); // [38, 169, 16, 7]\n```", RIGHT),
    "javascript output": ("javascript", "```js\nconsole.log(f(81)); // Output: [ 38, 169, 16, 7 ]\n```", RIGHT),
    "javascript expect": ("javascript", "expect(f(81)).toEqual([38, 169, 16, 7]);", RIGHT),
    "javascript expect not": ("javascript", "expect(f(81)).not.toEqual([38]);", NOTHING),
    "javascript negated": ("javascript", "assert.notDeepStrictEqual(f(81), [38]);", NOTHING),
    "javascript inline": ("javascript", "`f(81)` returns `[38, 169, 16, 7]`", RIGHT),
    "javascript object": ("javascript", "```\n({a: 1})\n```", None),
    "the value first, assert": ("python", "assert 38 == f(81)", 38),
    "the value first, assert, list": ("python", "So `assert [38, 169] == f(81)`.", [38, 169]),
    "the value first, assert, message": ("python", "assert (38 == f(81)), 'it is'", 38),
    "the value first, assert, comment": ("python", "assert -38 == f(81)  # negative", -38),
    "the value first, assert, string": ("python", "assert 'a == b' == f( 81 )", "a == b"),
    "the value first, assert, true": ("python", "    self.assertTrue(38 == f(81))", 38),
    "the value first, assert, javascript": ("javascript", "console.assert(38 === f(81));", 38),
    "the value first, assert, php": ("php", "```php\nassert([38] === f(81));\n```", [38]),
    "the value first, assert, java": ("java", "assert 38 == f(81);", 38),
    "the value first, then the call": ("python", "assert 38 == f(81)\nassert f(81) == 39", 39),
    "the call first, then the value": ("python", "assert f(81) == 39\nassert 38 == f(81)", 38),
    "the value first, but more of the call": ("python", "assert 38 == f(81) + 1", NOTHING),
    "the value first, but more below": ("python", "assert (38 == f(81)\n+ 1)", NOTHING),
    "the value first, but one of three": ("python", "assert 1 == 38 == f(81)", NOTHING),
    "the value first, but a name": ("python", "assert x == f(81)", NOTHING),
    "the value first, another number": ("python", "assert 38 == f(82)", NOTHING),
    "the value first, unequal": ("python", "assert 38 != f(81)", NOTHING),
    "the value first, in a string": ("python", "assert f(81) == 'a, assert 3 == f(81), b'", "a, assert 3 == f(81), b"),
    "the value first, in a text": ("python", "x = 'assert 38 == f(81)'", NOTHING),
    "a box": ("python", "\\boxed{38}", 38),
    "a box in a sentence": ("python", "The final answer is $\\boxed{[38, 169]}$.", [38, 169]),
    "a box in a display": ("python", "Hence\n\\[\n  f(81) = \\fbox{}\\boxed{ 38 }\n\\]\n", 38),
    "a box of words": ("python", "\\boxed{\\text{'abc'}}", "abc"),
    "a box with braces": ("python", "\\boxed{{'a': {1: 2}}}", {"a": {1: 2}}),
    "a box with the call": ("python", "\\boxed{f(81) = 38}", 38),
    "a box in a tag": ("python", "[ANSWER]$\\boxed{38}$[/ANSWER]", 38),
    "a box before a tag": ("python", "[ANSWER]38[/ANSWER] or \\boxed{39}", 38),
    "a box behind a literal": ("python", "The result is 39.\n\nNo: \\boxed{38}", 38),
    "a box before a literal": ("python", "\\boxed{39}\n\nThe result is 38.", 38),
    "a box behind inline code": ("python", "With `a = 39` and `39` it is \\boxed{38}", 38),
    "the last box": ("python", "\\boxed{39}, so \\boxed{38}", 38),
    "a box and what it is not": ("python", "\\boxed{38}, not 39", 38),
    "a box in a string": ("python", "The answer is '\\\\boxed{3}'", "\\boxed{3}"),
    "a box with an expression": ("python", "\\boxed{x + 1}", NOTHING),
    "a box with thousands": ("python", "\\boxed{1,234}", NOTHING),
    "a box with an escape": ("python", "\\boxed{'a\\_b'}", NOTHING),
    "an empty box": ("python", "Put the answer into \\boxed{}.", NOTHING),
    "an open box": ("python", "\\boxed{38", NOTHING),
    "a box in javascript": ("javascript", "\\boxed{[38, null]}", [38, None]),
    "two literals at the end": ("python", "38\n\nNo, it is another one.\n\n39", 39),
    "two assertions at the end": ("python", "assert f(81) == 38\n\nNo:\n\nassert f(81) == 39", 39),
    "two assertions at the end of a tag": ("python", "[ANSWER]assert f(8) == 38\nassert f(8) == 39[/ANSWER]", 39),
    "php assertion": ("php", "```php\nassert(f(81) === [38, 169, 16, 7]);\n```", RIGHT),
    "php old array": ("php", "```php\nassert(f(81) == array(38, 169, 16, 7));\n```", RIGHT),
    "php unit": ("php", "$this->assertSame(f(81), array(38));", [38]),
    "php statement": ("php", "array(38, 169, 16, 7);", RIGHT),
    "php comment": ("php", "```php\nprint_r(f(81)); // => [38]\n```", [38]),
}


@pytest.mark.parametrize(("name", "reply", "expected"), WHOLE.values(), ids=WHOLE.keys())
def test_whole_replies(name: str, reply: str, expected: Any) -> None:
    if "({a: 1})" in reply:
        expected = {"a": 1}
    check(answer(reply, name), expected, name)


@pytest.mark.parametrize(
    ("reply", "prefilled", "complete"),
    [
        (" [38, 169]\n", True, True),
        (" [38, 169]\n```\nThis is", True, True),
        (" [38, 169] beca", True, True),
        (" [38, 169]", True, False),  # `[38, 169][0]` may have been to come
        (" 38", True, False),
        (" [38, 1", True, False),
        ("[ANSWER][38][/ANSWER] and", False, True),
        ("[ANSWER][38]\n and", False, True),
        ("[ANSWER][38", False, False),
        ("```\n[38]\n```", False, True),
        ("```\n[38]\n", False, True),
        ("```\n[38", False, False),
        ("```\nassert f(81) == [38]", False, False),
        ("[38]\n\nThe reason is that", False, True),
        ("[38]", False, False),
        ("It is \\boxed{[38]}", False, True),
        ("assert f(81) == [38]\nassert f(81) == [3", False, True),
        ("assert [38] == f(81)\nassert f(81) == [3", False, True),
        ("assert f(81) == [38]\nfor", False, True),
        ("```\n[38]\n```\nor rather\n```\n[39", False, True),
    ],
)
def test_what_a_cut_leaves(reply: str, prefilled: bool, complete: bool) -> None:
    candidate = answer(reply, prefilled=prefilled, cut=True)
    assert candidate is not None
    assert candidate.complete == complete
    assert not complete or candidate.value is not None


def test_a_cut_tag_is_not_made_up_for_by_a_lesser_kind() -> None:
    candidate = answer("First f(81) == [1]\n\nso [ANSWER][38, 1", cut=True)
    assert candidate is not None
    assert not candidate.complete


FORMS = (
    "{literal}",
    "```{fence}\n{literal}\n```",
    "```{fence}\n{before}{literal}{after}\n```",
    "It is as follows.\n\n```\n{before}{literal}{after}\n```\nThat is all.",
    "[ANSWER]{literal}[/ANSWER]",
    "So:\n<answer>\n{before}{literal}{after}\n</answer>",
    "[ANSWER]\n```{fence}\n{literal}\n```\n[/ANSWER]",
    "{before}{literal}{after}",
    "f(81) == {literal}",
    "The answer is {literal}",
)
INNER = st.integers(-(2**63), 2**63 - 1) | st.booleans() | st.none() | st.text("ab ='\"\\#;,()[]{}`/*.é\n", max_size=12)
LITERALS = st.recursive(
    INNER, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text("ab", min_size=1), v), max_leaves=8
)


def test_a_constant_of_php_is_read_in_a_sentence() -> None:
    check(answer("The answer is PHP_INT_MIN", "php"), -(2**63), "php")


@pytest.mark.parametrize("name", ["python", "javascript", "php"])
@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=examples(15))
@given(value=LITERALS)
def test_any_value_comes_back_from_any_form(name: str, form: str, value: Any) -> None:
    language = registry.language(name)
    before, after = language.values.assertion(CALL)
    reply = form.format(literal=language.values.write(value), fence=language.fence, before=before, after=after)
    check(answer(reply, name), value, name)


@pytest.mark.parametrize("name", ["python", "javascript", "php"])
@given(value=LITERALS, tail=st.sampled_from(["", "\n```", "\n```\nSo it is.", " ", "\n\nassert f(81) == 3"]))
def test_any_value_comes_back_from_a_prefill(name: str, value: Any, tail: str) -> None:
    language = registry.language(name)
    reply = f" {language.values.write(value)}{language.values.assertion(CALL)[1]}{tail}"
    check(answer(reply, name, prefilled=True), value, name)
