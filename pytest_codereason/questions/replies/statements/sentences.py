"""Finds where a reply says a result in words: ``The answer is 42``, ``Ответ: 42``, ``it returns 42``, ``?? = 42``.

A sentence about something else states no result of the call: ``the result of the first loop is 6``, ``g(3) returns 6``.
Whoever asks reads the value behind the place, and looks at what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from pytest_codereason.questions.replies.statements.words import BEHIND, LINKS, Words, list_words, lower

#: Characters before a word that are looked at, and statements of one kind that are tried, the last ones.
_MAX_BEFORE, _MAX_PLACES = 200, 1_000
_NOT_BETWEEN = r"[^\n:=→\d\[({'\"|]"
#: What may stand between the words of a statement and its value: words that say of what kind the value is.
_FILLING = (
    r"(?:[\s*_`]*+(?:(?:the|a|an|simply|just|probably|likely|most|presumably|definitely|clearly|certainly"
    r"|obviously|exactly|therefore|thus|then|hence|also|indeed|now|so|still|actually|of|"
    r"following|final|correct|single|resulting|returned|literal|value|list|array|integer|int|long|number|float|double|"
    r"decimal|string|str|text|char|character|tuple|dictionary|dict|map|object|set|boolean|bool|bytes|constant|"
    r"die|der|das|la|le|les|el|los|las|il|lo|de|het|een|eine|un|une|uma|una|o|os|as|liste|lista|lijst|string|"
    r"列表|字符串|数组)\b(?=[\s*_`:])|:(?=\s))){0,8}"
)
#: Emphasis, fences and brackets around the value itself.
_DRESSED = r"(?:(?:[ \t]*\n)+[ \t>]*+)?[ \t]*+(?:(?:`{3,}|~{3,})[\w+-]*[ \t]*\n[ \t]*)?"
_DRESSED += r"(?:[*_`]|\((?=`)){0,8}[ \t]*+(?:`{1,2}(?!`))?"
#: How a literal begins.
STARTS = (
    r"(?=[-+.\d\[({'\"]|<?\[|new\s+\w|[A-Za-z_][\w.]{0,40}+(?:<[\w, .<>?\[\]]{0,80}>)?[ \t]?(?:['\"(\[{]"
    r"|[*_.;,!`)\]}\"'\s]*(?:$|\#|//|[^\x00-\x7f])|[.;,!][\s*_`]|[ \t]))"
)
#: A word that goes on so is a name in code: ``List.of(``.
_GOES_ON = re.compile(r"\.[A-Za-z_<]|\((?!s\))")
#: What stands behind a noun, up to the sign or word that links it to its value.
_LINK = re.compile(rf"(?P<mark>[:=→—–|]|->|[ ]-(?=[ ]))|(?P<link>{LINKS})|(?P<end>[\n\d\[{{'\"])")
#: A value right behind a noun, in a language whose verb stands at the end.
_DIRECT = re.compile(rf"[ \t]+(?=[-+\d\['\"({{][^\n\s]{{0,60}}?[ \t]*(?:{BEHIND})[\s.।]*(?:\Z|\n))")
_ASIDE = re.compile(r"[ \t*_`]*\([^()\n]{0,30}\)")
_MAX_BETWEEN = 60
_VALUE = re.compile(
    rf"(?:[ ]not[ ][^\s]{{1,40}},?[ ](?:but|rather)(?=[ ]))?{_FILLING}{_DRESSED}{STARTS}", re.IGNORECASE | re.MULTILINE
)
_NOUN_OF_ANSWER = re.compile(r"answer|final|solution|prediction", re.IGNORECASE)
_SENTENCE = re.compile(r"[.;!?…](?=\s)|\n|[。！？]")
_CLAUSE = re.compile(
    r"[.;!?…:](?=\s)|\n|[。！？]|,(?=\s)|[—–](?=\s)|\b(?:so|thus|hence|therefore|and|but)\b", re.IGNORECASE
)
_DOUBT = Words(list_words("doubts"), r"|n['’]t\b")
_CONDITION = re.compile(r"\s*(?:if|unless|when|whenever|suppose|assuming)\b", re.IGNORECASE)
_OF_THIS = re.compile(
    r"\b(?:call|called|calling|function|program|code|method|assertion|question|snippet|script|execution|this|it|that|"
    r"everything|given|input|expression|puzzle|problem|task|all|running|executing)\b",
    re.IGNORECASE,
)
_OF = re.compile(r"\b(?:of|for|from|after|in|at|by|to|on|when|during|inside|within)\b", re.IGNORECASE)
_OF_TO = re.compile(r"[ ](?:the|this|that|our|[`*]*\w+[`*(]*[ ])", re.IGNORECASE)
_OTHER_THING = re.compile(
    r"\b(?:helper|loop|loops|inner|nested|iteration|iterations|step|steps|recursive|recursion|base|second|third"
    r"|each|every|"
    r"sub\w*|lambda|other|another|temporary|intermediate|partial|condition|comparison|check|slice|call to|line"
    r"|variable)\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r"\bexamples?\b|\bfor instance\b|\be\.g\b|\bsuppose\b|\bsuch as\b|\bhypothetical")
_RAISED = re.compile(r"error\b|exception\b|\b(?:raise[sd]?|throws?|threw)\b")
_PLACEHOLDER = re.compile(
    rf"\?\?[`'\"]?[ \t]*(?:={{1,3}}|:|→|->|=>|is|equals|(?:should|must|can"
    rf"|will)[ ]be(?:[ ]replaced)?(?:[ ](?:with|by))?|with|by)"
    rf"(?![=>]){_FILLING}{_DRESSED}{STARTS}",
    re.IGNORECASE | re.MULTILINE,
)
_CORRECTIONS = frozenset(
    [
        "no",
        "wait",
        "oops",
        "sorry",
        "actually",
        "hmm",
        "correction",
        "corrected",
        "scratch that",
        "rather",
        "i mean",
        "make that",
        "edit",
        "update",
    ]
)
_CORRECTED = re.compile(
    r"(?:[\s,:;.!*_`—–-]+(?:it|that|this|the|answer|result|output|value|should|must|be|is|meant|corrected|to"
    r"|will|would|make|final|correct"
    r"|corrected|right|of course|equals|returns|i|mean|so|then|no|wait|sorry|actually|rather|'s|’s)\b|['’]s\b){0,10}"
    rf"[\s,:;.!—–*_]+{_DRESSED}{STARTS}",
    re.IGNORECASE | re.MULTILINE,
)
_BEFORE_CORRECTION = re.compile(r"(?:\A|[.!?;:—–(\n,>→]|[\d\])'\"`}])[\s*_]*\Z")
_CONCLUSIONS = frozenset(
    [
        "so",
        "thus",
        "hence",
        "therefore",
        "consequently",
        "finally",
        "in conclusion",
        "in total",
        "we get",
        "this gives",
        "that gives",
        "it is",
        "it's",
        "it’s",
        "it should be",
        "it must be",
        "it will be",
        "it would be",
        "that is",
        "this is",
        "i'd say",
        "i would say",
        "i think",
        "i believe",
        "probably",
        "most likely",
        "likely",
        "i get",
        "i obtain",
        "we obtain",
        "total",
        "sum",
        "count",
        "value",
        "number",
        "list",
        "string",
        "array",
        "tuple",
        "dictionary",
        "length",
    ]
)
_CONCLUDED = re.compile(
    rf"(?:[ ](?:is|equals|would[ ]be|will[ ]be|becomes))?[,:]?(?:[ ](?:we[ ](?:get|have|obtain)|it[ ]is|it['’]s"
    rf"|this[ ]is"
    rf"|this[ ]gives))?:?{_FILLING}{_DRESSED}{STARTS}",
    re.IGNORECASE | re.MULTILINE,
)
_BEFORE_CONCLUSION = re.compile(
    r"(?:\A|\n|[.!?:,][ ])[ \t>*_\#-]*(?:(?:so|thus|hence|therefore|then),?[ ])?(?:(?:the|a|an|its|final|overall"
    r"|resulting|whole|new)[ ]){0,3}\Z",
    re.IGNORECASE,
)
_ENGLISH_VERBS = frozenset(
    [
        "return",
        "returns",
        "output",
        "outputs",
        "print",
        "prints",
        "gives",
        "yields",
        "produces",
        "evaluates to",
        "results in",
        "returned",
        "outputted",
        "printed",
        "give",
        "yield",
        "logs",
        "displays",
        "echoes",
    ]
)
_OTHER_VERBS, _NOUNS = list_words("verbs"), list_words("nouns")
_ASKED_WORD = Words(list_words("asked"))
_WORD = Words(_NOUNS | _OTHER_VERBS | _ENGLISH_VERBS | _CORRECTIONS | _CONCLUSIONS)
_SAID = re.compile(rf"(?!\():?{_FILLING}{_DRESSED}{STARTS}", re.IGNORECASE | re.MULTILINE)
_ADVERBS = (
    r"(?:[ \t]+(?:finally|then|therefore|thus|always|eventually|simply|just|will|would|should|also|ultimately"
    r"|now|hence|must|"
    r"correctly|actually|only)){0,4}[ \t]*\Z"
)
#: What is given back is a thing, and the thing does what the verb says: ``it returns a function that returns 42``.
_THING_GIVEN = re.compile(
    r"\b(?:returns?|gives?|yields?|produces?|builds?|creates?|makes?|defines?|evaluates to)"
    r"[ ][^\n]{0,80}?\b(?:that|which)\b[^,\n]{0,40}\Z",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    rf"(?:(?:^|\b(?:it|which|this|that|and|we|finally|then))|(?:^|\n)[\s>*_\#`-]*){_ADVERBS}", re.IGNORECASE
)
_FOREIGN_THINGS = re.compile(
    r"(?:funktion|fonction|función|função|funzione|functie|funkcja|функция|функція|hàm|fungsi|函数|函數|程序|程式|代码|代碼"
    r"|Funktion)"
    r"[\s\w`()$]{0,20}\Z",
    re.IGNORECASE,
)


#: Words of a result between a word for arguments and a value: ``the answer is returned: 42``.
_RESULT = re.compile(r"\b(?:return|result|output)")
#: What an argument does, up to the value of the argument: ``the input that gives 42 is 3``, ``use 3 as the argument``.
_THAT = re.compile(
    r"[ ](?:that|which|for[ ]which|such[ ]that|value|needed|to[ ](?:get|give|obtain|reach|return))[ ][^\n]{0,80}?[ ]"
    rf"(?:is|must[ ]be|should[ ]be|has[ ]to[ ]be){_FILLING}{_DRESSED}{STARTS}",
    re.IGNORECASE | re.MULTILINE,
)
_USED = re.compile(
    rf"\b(?:use|pass|choose|pick)\b{_FILLING}{_DRESSED}{STARTS}"
    r"(?=[^\n]{1,80}?[ ]as[ ](?:the|an|its)[ ](?:input|argument|arguments|parameter)\b)",
    re.IGNORECASE | re.MULTILINE,
)


class Announcement(NamedTuple):
    """Where words announce a value."""

    start: int  #: where the words begin
    value: int  #: where the value begins
    strong: bool  #: whether the words are about the call asked for; else they may be about something else


@lru_cache(maxsize=256)
def _compile_subject(function: str) -> re.Pattern[str]:
    name = re.escape(function.rpartition(".")[2])
    things = "function|method|program|code|call|snippet|script|expression|assertion"
    return re.compile(
        rf"(?:\b(?:the|this|our|that|given|whole|original|main)[ ]+(?:function"
        rf"|method)?[ ]*[`*]*(?:\w+\.)?{name}(?:\(\))?[`*]*"
        rf"|\b(?:{things})(?:[ ]call)?(?:[ ]+[`*]*(?:\w+\.)?{name}(?:\([^()\n]{{0,60}}\))?[`*]*)?"
        rf"|(?<![\w.$])(?:\w+\.)?{name}(?:\(\))?[`*]*"
        rf"){_ADVERBS}",
        re.IGNORECASE,
    )


def find_places(text: str, call: str, program: str) -> Iterator[Announcement]:
    """The places of ``text`` behind which words announce a value, in no order."""
    yield from _find_placeholders(text)
    lowered = lower(text)
    for word in list(_WORD.list(lowered))[-_MAX_PLACES:]:
        said = " ".join(word[0].split())
        start, end = word.span()
        if _GOES_ON.match(text, end):
            continue
        if said in _NOUNS and (value := _read_label(text, lowered, start, end, program)):
            yield Announcement(start, value, True)
        elif (
            said in _CORRECTIONS
            and (corrected := _CORRECTED.match(text, end))
            and _precedes(_BEFORE_CORRECTION, text, start)
        ):
            yield Announcement(start, corrected.end(), True)
        elif (
            said in _CONCLUSIONS
            and (concluded := _CONCLUDED.match(text, end))
            and _precedes(_BEFORE_CONCLUSION, text, start)
        ):
            if not _DOUBT.search(lowered, end, concluded.end()):
                yield Announcement(start, concluded.end(), False)
        elif (said in _ENGLISH_VERBS or said in _OTHER_VERBS) and (verb := _SAID.match(text, end)):
            strong = _find_speaker(text, lowered, start, said, call)
            if strong is not None:
                yield Announcement(start, verb.end(), strong)


def find_arguments(text: str) -> Iterator[Announcement]:
    """The places of ``text`` behind which words announce the arguments of a call: ``The input is 3``, ``?? = 3``.

    A word such as "output" or "returns" announces none.
    """
    yield from _find_placeholders(text)
    lowered = lower(text)
    for word in list(_ASKED_WORD.list(lowered))[-_MAX_PLACES:]:
        start, end = word.span()
        if (value := _read_label(text, lowered, start, end, program="")) and not _RESULT.search(lowered, end, value):
            yield Announcement(start, value, True)
        elif (
            (that := _THAT.match(text, end))
            and not _DOUBT.search(lowered, end, that.end())
            and _states_result(lowered, start, end, "", "", "")
        ):
            yield Announcement(start, that.end(), True)
    for used in list(_USED.finditer(text))[-_MAX_PLACES:]:
        if _states_result(lowered, used.start(), used.end(), "", "", ""):
            yield Announcement(used.start(), used.end(), True)


def _find_placeholders(text: str) -> Iterator[Announcement]:
    if "??" in text:
        for found in list(_PLACEHOLDER.finditer(text))[-_MAX_PLACES:]:
            yield Announcement(found.start(), found.end(), True)


def _precedes(pattern: re.Pattern[str], text: str, start: int) -> bool:
    return pattern.search(text[max(0, start - 60) : start]) is not None


def _read_label(text: str, lowered: str, start: int, end: int, program: str) -> int | None:
    """Where the value begins that a noun announces, ``None`` if it announces none of the call asked for."""
    aside = _ASIDE.match(text, end)
    between_start = aside.end() if aside else end
    if direct := _DIRECT.match(lowered, between_start):
        return direct.end() if _states_result(lowered, start, end, "", "", program) else None
    link = _LINK.search(lowered, between_start, between_start + _MAX_BETWEEN)
    if link is not None and link["link"] == "to":  # Polish has this word, too
        link = (
            _LINK.search(lowered, link.end(), between_start + _MAX_BETWEEN) if _OF_TO.match(text, link.end()) else link
        )
    if (
        link is None
        or link["end"]
        or lowered.startswith(("==", "=>"), link.start())
        or (link["mark"] == "=" and lowered[link.start() - 1] in "!<>~/")
    ):
        return None
    value = _VALUE.match(text, link.end())
    if value is None or not _states_result(
        lowered, start, end, lowered[between_start : link.start()], link["mark"] or "", program
    ):
        return None
    return value.end()


def _states_result(lowered: str, start: int, end: int, between: str, mark: str, program: str) -> bool:
    """Whether a label is about the result of the call asked for."""
    before = lowered[max(0, start - _MAX_BEFORE) : start]
    sentence = _SENTENCE.split(before)[-1]
    clause = _CLAUSE.split(sentence)[-1]
    if (
        _DOUBT.search(clause)
        or _DOUBT.search(between)
        or _RAISED.search(sentence)
        or _EXAMPLE.search(sentence)
        or _OTHER_THING.search(clause)
    ):
        return False
    if clause.endswith((".", "$", "[", "'", '"', "(", "_")) or (sentence != clause and _is_condition(sentence, clause)):
        return False
    noun = lowered[start:end]
    if mark not in ("", ":") and not _NOUN_OF_ANSWER.search(noun) and re.search(rf"\b{re.escape(noun)}\b", program):
        return False  # a variable of the program
    if _OF.search(between):
        if noun.startswith("final ") and not _OTHER_THING.search(between):
            return True
        return bool(_OF_THIS.search(between)) and not _OTHER_THING.search(between)
    return True


def _is_condition(sentence: str, clause: str, arguments: str = "") -> bool:
    """Whether the sentence puts a condition before its last clause, other than that the call is made."""
    first = sentence.removesuffix(clause)
    if arguments and re.search(rf"(?:\bis|=|\bequals|\bbe)[ `]*{re.escape(arguments)}[`]*[\s,:]*\Z", first):
        return False
    return bool(_CONDITION.match(first)) and not re.search(
        r"\b(?:call|run|execut|trac|evaluat|invok|pass|apply|follow)|\(", first
    )


def _find_speaker(text: str, lowered: str, start: int, said: str, call: str) -> bool | None:
    """Whether what stands before a verb is the function asked about; ``None`` where it is something else, or denied."""
    before = text[max(0, start - _MAX_BEFORE) : start]
    sentence = _SENTENCE.split(before)[-1]
    clause = re.split(r",(?=\s)|[:—–](?=\s)", sentence)[-1]
    if _DOUBT.search(lower(clause)) or (
        sentence != clause and _is_condition(sentence, clause, call.partition("(")[2].removesuffix(")"))
    ):
        return None
    if said not in _ENGLISH_VERBS:
        return bool(_FOREIGN_THINGS.search(clause))
    if _THING_GIVEN.search(clause):
        return None
    if said in ("output", "print") and clause.strip(" \t>*_#`-"):
        return None
    if subject := _compile_subject(call.partition("(")[0]).search(clause):
        return None if _OTHER_THING.search(clause[: subject.end()]) else True
    return False if _PRONOUN.search(clause) and not _OTHER_THING.search(clause) else None
