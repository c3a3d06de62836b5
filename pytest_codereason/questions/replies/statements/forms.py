"""The forms of assertions in all libraries, as patterns: what stands before a call, around it and behind it.

Names of functions are matched as a whole, in small and large letters alike.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pytest_codereason.questions.replies.statements.denials import (
    CONTRASTS,
    EXAMPLES,
    GUESSES,
    NEGATED,
    NEGATIONS,
    WRONG,
)

#: The name of a function and the bracket that opens its arguments, right before a place.
OPENER = re.compile(
    r"(?<![\w$])(?P<name>!?[\w$]++(?:(?:\.|->|::)\s?[\w$]++(?:<[\w, ]*>)?)*)?(?P<not>[ \t]*!)?\s*\(\s*\Z"
)
NAME = re.compile(r"([\w$]+(?:(?:\.|->|::)[\w$]+)*)\s*\(\s*")
_PARTS = re.compile(r"\.|->|::")
#: What kinds of function there are, by the last part of their name.
DENIES = re.compile(r"(?:^|[^a-zA-Z])not(?![a-z])|Not(?![a-z])|[rR]efute|[uU]nequal|[dD]iffer")
_EQUALS = re.compile(
    r"\w*(?:equal|same|identical|eql)(?!\w*(?:ignor|size|length|keys|file|count))\w*|is|eq|assert_?eq"
    r"|expect_?eq|isclose|almost_?equal\w*",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"assert|ok|true|assert_?true|istrue|that|check|print|println|log|echo|var_dump|verify|test|it|truthy|if_?true",
    re.IGNORECASE,
)
_FAILS = re.compile(r"assert_?false|isfalse|false|not_?ok|falsy", re.IGNORECASE)
_SUBJECT = re.compile(r"assert_?that|expect|that|should|verify|assertj", re.IGNORECASE)
_SHOWS = re.compile(
    r"print|println|printf|pprint|pp|log|info|debug|echo|var_dump|print_r|var_export|dump|dd|display|puts"
    r"|inspect|repr|write",
    re.IGNORECASE,
)
_WRITES = re.compile(
    r"(?:\w+\.)?(?:stringify|json_encode|dumps|deepToString|repr|inspect|var_export|print_r)|Arrays\.toString",
    re.IGNORECASE,
)
#: Assertions of one argument that say what it is.
_STATES = {
    "null": re.compile(r"assert_?(?:is_?)?(?:null|none)|is_?(?:null|none)", re.IGNORECASE),
    "true": re.compile(r"assert_?true|istrue", re.IGNORECASE),
    "false": re.compile(r"assert_?false|isfalse", re.IGNORECASE),
    "undefined": re.compile(r"assert_?(?:is_?)?undefined|is_?undefined", re.IGNORECASE),
    "NaN": re.compile(r"assert_?(?:is_?)?nan|is_?nan", re.IGNORECASE),
}
#: How languages write what such assertions say.
CONSTANTS = {
    "null": ("null", "None"),
    "true": ("true", "True"),
    "false": ("false", "False"),
    "undefined": ("undefined",),
    "NaN": ("NaN", "nan", "NAN", "Double.NaN"),
}

OPERATOR = re.compile(
    r"[`*_]*\s*(?:={1,3}|=>|->|→|:=)(?![=>])\s*[`*_]*|\s+is\s+(?=(?:None|True|False|null)\b)|[`*]*[ \t]*(?::"
    r"|\|)\s+[`*_]*"
)
IN_CODE = re.compile(r"\s*={2,3}")
_CHAIN = (
    r"(?P<chain>(?:(?:to|be|been|deep|strict|strictly|not|should|have|that|and|is|eventually|resolves|does"
    r"|(?:as|described_?as|withFailMessage|overridingErrorMessage|usingRecursiveComparison)\([^()\n]{0,80}\))"
    r"\s*(?:\.|->)\s*){0,6})"
)
METHOD = re.compile(
    rf"\s*(?:\.|->|::)\s*{_CHAIN}(?P<name>\w*(?:equal|same|eql|eq|be|is|identical|deepEqual)\w*)\s*\(\s*",
    re.IGNORECASE,
)
METHOD_OF_NOTHING = re.compile(
    rf"\s*(?:\.|->)\s*{_CHAIN}(?:to\.?be|is|be)\.?_?(?P<what>null|none|true|false|undefined|nan)\b(?:\s*\(\s*\))?",
    re.IGNORECASE,
)
EQUAL_METHOD = re.compile(
    r"(?:to_?be|is_?)?(?:deep_?|strict_?|deepStrict)*(?:equals?|eql?|same|identical)(?:_?(?:to|as"
    r"|instance_?as))?|to(?:Strict)?Equal|toBe|tobe|toEqualTypeOf|be|is"
    r"|contentEquals|deepEquals|isEqualTo\w*|is_equal_to|is_same_as|toBeCloseTo",
    re.IGNORECASE,
)
VERB = re.compile(
    r"[`*_)]*\s+(?:(?:will|would|should|must|then|finally|therefore|thus|correctly|simply|always|also|now)\s+){0,2}"
    r"(?:returns?|is(?!\s+called)|gives?|yields?|equals?|outputs?|prints?|produces?|evaluates?\s+to"
    r"|results?\s+in|be|becomes?|returned|has\s+the\s+value"
    r"|comes\s+out\s+as|is\s+equal\s+to|renvoie|retourne|devuelve|retorna|restituisce|возвращает|повертає|返回|输出"
    r"|为|是|は|의\s+값은|ist|est|es|é|liefert|ergibt)"
    r":?(?![\w])\s*[`*_]*|[`*_)]*(?:返回值?|输出|的?(?:结果|返回值|值)(?:是|为|：|:)|は|=)\s*",
    re.IGNORECASE,
)
KIND = re.compile(
    r"(?:(?:the|a|an|simply|exactly|following|list|array|value|integer|int|number|float|string|str|tuple"
    r"|dictionary|dict|set|boolean|equal\s+to)\s+[`*_]*){1,4}",
    re.IGNORECASE,
)
#: A comment behind a call that is shown, or what a prompt shows below it.
COMMENT = re.compile(
    r"(?:[ \t]*[.,][ \t]*(?:PHP_EOL|[\"']\\n[\"']))?[ \t);]*(?:\#|//|/\*)[ \t]*(?:(?:(?:expected|the|actual"
    r"|final|should|will|console|prints?|stdout|it)[ \t]+){0,2}"
    r"(?:(?:output|result|returns?|prints?|value|outputs?|gives|logs?|returned|expected|answer|return[ ]value"
    r"|re[st]|r(?=[ ]is)"
    r"|be|is|equals|evaluates[ ]to)[ \t]*(?::|=>|->|→|=|is\b)?)|=>|->|→|={1,3}|>)?"
    r"[ \t]*[`*]*",
    re.IGNORECASE,
)
#: What says of a call on the same line that it gives no value.
THROWS = re.compile(r"\b\w*(?:throw|raise|reject)\w*[ \t]*\([^\n]*\Z", re.IGNORECASE)
BELOW = re.compile(
    r"[ \t);]*\n[ \t]*(?:(?:\#|//)[ \t]*(?:(?:output|result|prints|returns"
    r"|expected)[ \t]*:?[ \t]*(?:\n[ \t]*(?:\#|//)[ \t]*)?|=>|->|→)?[ \t]*|Out\[\d+\]:[ \t]*"
    r"|\$\d+[ \t]*==>[ \t]*|=>[ \t]*|<[ \t]+)",
    re.IGNORECASE,
)
PROMPT = re.compile(
    r"(?:^|\n)[ \t]*(?:>>>|>|In \[\d+\]:|php >|jshell>|irb[^>\n]*>|node>)[ \t]*(?:[\w.]*(?:print\w*|log|echo"
    r"|dump)[ \t]*\(?)?\Z",
    re.IGNORECASE,
)
BELOW_PROMPT = re.compile(r"[ \t);]*\n(?:[ \t]*(?:Out\[\d+\]:|\$\d+[ \t]*==>|=>|<))?[ \t]*", re.IGNORECASE)
#: What makes an assertion a condition, a guess or one of several, right before it.
UNSURE = re.compile(
    r"(?:(?:raises\([^\n]*\)[^\n]*:\s*(?:assert[ \t]*)?)|(?:\bfalse[ ](?:and|&&)[ \t])"
    r"|(?:\b(?:or|xor|if|elif|unless|until|whether|while|suppose|assum\w+|does|can"
    r"|(?<!assertion[ ])(?<!statement[ ])(?<!answer[ ])(?<!result[ ])(?<!line[ ])(?<!code[ ])(?<!test[ ])is"
    rf"|{NEGATIONS}|{GUESSES}|{CONTRASTS}|{EXAMPLES}|(?:{WRONG}|fails|(?:not|n['’]t)[ ]hold):|wrong|incorrect)"
    rf"|{NEGATED})[ \t]+(?:that\s+|assert\s+|claim\s+|say\s+|be\s+|the\s+case\s+that\s+|print\s*)?"
    r"|\|\||[ ]\?[ ]|(?<![\w)])!\(*)[\s(`*]*\Z",
    re.IGNORECASE,
)
LEFT_OPERATOR = re.compile(r"(?:={2,3}|\bis\b)[ \t]*\Z")
#: A sign or an operator of arithmetic before a call: the value is that of the sum.
WITHIN_SUM = re.compile(r"(?:(?:^|[\s(=])[-~]|\b(?:typeof|void|delete|del|clone)[ ]+|[\d)\]]\s*[-+*/%]\s*)\Z")
#: The value is the subject, and the call the argument of the method: ``expect(42).toBe(f(3))``.
LEFT_SUBJECT = re.compile(
    rf"(?<![\w$])(?P<subject>expect|assert_?that)[ \t]*\((?P<value>[^\n]{{1,300}})\)"
    rf"\s*(?:\.|->)\s*{_CHAIN}(?P<name>\w+)\s*\(\s*\Z",
    re.IGNORECASE,
)
#: The value is a list, of which a method names the elements.
ELEMENTS = re.compile(r"\s*\.\s*containsExactly\s*\(")
LEFT_EQUALS = re.compile(r"(?<=[\"'\])}\d])\.\s*(?:content|deep)?[eE]quals\s*\(\s*\Z")
STATEMENT = re.compile(
    r"(?:^|[\n;{}`])[ \t>*_]*(?:So|Thus|Hence|Therefore|Then)?[,:]?[ \t`]*(?:(?P<assert>(?:[\w$]+(?:\.|->"
    r"|::))?(?:assert|ok)(?:_?True)?\b|print\w*|console\.log|var_dump)[ \t]*\(?[ \t]*)?(?:\([ \t]*)?"
    r"|(?P<prose>(?<![\w$.'\"])assert(?:True)?\b[ \t]*\(?[ \t]*)",
    re.MULTILINE,
)
CAST = re.compile(
    r"\((?:int|long|double|float|char|short|byte|boolean|Integer|Long|String|Object|array|string|bool"
    r"|List(?:<\w*>)?|Map(?:<[\w, ]*>)?|int\[\]|any|unknown)\)[ \t]*\Z"
)
WRAPPED = re.compile(r"(?:await|yield|return|echo|print|new|\+)[ \t]+\Z")
#: The steps of an equation, up to its last value: ``6 * 7 = ``, ``g(3) + 1 = 41 + 1 = ``.
STEPS = re.compile(r"(?![A-Za-z_$][\w$]*\s*=)[^\n#;'\"{}]*[^\n#;'\"{}=!<>]=(?![=>])[ \t]*")
#: A matcher around the value: ``assertThat(f(3), is(42))``.
MATCHER = re.compile(
    r"(?:\w+\.)?(?:is|equal_?to|same_?instance|close_?to|same_?as|equals|is_?equal(?:_?to)?)", re.IGNORECASE
)
NOTHING_MATCHER = re.compile(r"(?:\w+\.)?(?:nullValue|none|null_value)\(\)")
#: More that is asserted behind an assertion.
MORE = re.compile(r"(?:\s*\.\s*(?:is|has|and|as|does)\w*\([^()\n]{0,80}\)){1,3}")
CLOSED = re.compile(r"\s*(?:,|\))")
COMPARED_AGAIN = re.compile(
    r"[ \t)]*(?:(?:is|={2,3})[ \t]+(?:false|not[ \t]+true)\b|\|\||\?[ \t]|\bor\b|!=)", re.IGNORECASE
)


class Around(NamedTuple):
    """What the name of a function around a call says of the value of the call."""

    last: str  #: the last part of the name: ``equals`` of ``Objects.equals``
    denies: bool
    equals: bool
    holds: bool
    fails: bool
    subject: bool
    shows: bool
    writes: bool
    states: str  #: what an assertion of one argument says of it: ``null`` for ``assertNull``


@lru_cache(maxsize=1024)
def describe(name: str) -> Around:
    """What a name says. Replies use few names, so most are known already."""
    last = _PARTS.split(name)[-1]
    return Around(
        last,
        denies=DENIES.search(name) is not None,
        equals=_EQUALS.fullmatch(last) is not None,
        holds=_HOLDS.fullmatch(last) is not None,
        fails=_FAILS.fullmatch(last) is not None,
        subject=_SUBJECT.fullmatch(last) is not None,
        shows=_SHOWS.fullmatch(last) is not None,
        writes=_WRITES.fullmatch(name) is not None or _WRITES.fullmatch(last) is not None,
        states=next((what for what, names in _STATES.items() if names.fullmatch(last)), ""),
    )
