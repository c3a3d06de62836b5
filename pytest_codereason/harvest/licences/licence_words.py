"""Tells which licence a text is.

A text is a licence if it is the known text word for word. Only layout, punctuation, years and holders may differ. One
more sentence may forbid what the licence allows, so such a text is another licence::

    MIT License                            a title: nothing but the words of titles
    Copyright (c) 2020 Jane Doe            a notice: years, names and addresses
    Permission is hereby granted, ...      the licence

``Copyright (c) 2020 Jane Doe, research only`` is no notice, because ``only`` is no name. The same rule holds where a
licence names its holders in the middle of a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

#: Bytes of the largest licence text or manifest that is read.
LARGEST = 200_000
#: Words of the shortest text that may be a licence. Shorter ones say where the licence stands.
SHORTEST = 60
#: An SPDX expression behind its tag.
TAG = re.compile(r"SPDX-License-Identifier:\s*([^\n*/]+)")
_BULLET = re.compile(r"(?m)^[ \t]*(?:\(?(?:\d+|[a-z])[.)]|[*•-])\s+")
_COMMENT = re.compile(r"(?m)^[ \t]*(?:#|//|/?\*+/?|;;?|--|>|\.\.[ \t])+")
#: A word of any script, or a sign that is no ASCII.
_WORD = re.compile(r"[^\W_]+|[^\x00-\x7f\w]")
#: A line that may name holders: ``Copyright (c) 2020 Jane Doe``, ``All rights reserved.``, ``2020 Jane Doe``.
_NOTICE = re.compile(
    r"""
    ^ (?: [^\n©]{0,60}? (?: SPDX-FileCopyrightText:
                         | \b copyright (?:s|ed)? \b (?! [ ] (?: licen[cs]e|owner|notice|statement|holder|law ) )
                         | \(c\) | © | \b (?:all|some) [ ] rights [ ] reserved )
        | [^\w\n]* (?:19|20)\d\d \b )
    .* $
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
#: Addresses of mail, and of pages with a short path.
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,40}(?:\.[\w-]{1,40}){1,4}")
_PAGE = re.compile(r"https?://[\w.-]{1,60}(?:/[\w.~/-]{0,40})?(?![^\s>),;])")
#: Where a sentence ends. Initials and words such as ``Inc.`` end none.
_SENTENCE = re.compile(r"(?<!\b[A-Z])(?<!\bInc)(?<!\bLtd)(?<!\bCo)(?<!\bCorp)(?<!\bal)(?<!\b[DJMS]r)[.;!?](?=\s)")
#: Words of notices beside names and years.
_SMALL = frozenset(
    "all rights reserved some c copyright portions by and or the of for in at to from with et al und de da del"
    " van von der den ter la le di present contributors contributor contributions authors author project team"
    " developers community others see file files code original modifications port txt yyyy name owner its affiliates"
    " dev inc developers maintainers org organization".split()
)
#: Words of a condition, a permission or a restriction, in the languages of many programmers. A name holds none of them.
_RULING = frozenset(
    "use used uses usage user users using must shall should can cannot not no non none never only except exception"
    " excluding exclude excluded excludes unless without provided if permitted permission permissions permit"
    " allowed allow prohibited prohibit forbidden forbid restricted restriction restrictions restrict be are is"
    " commercial noncommercial commercially military evaluation educational personal private internal production"
    " purpose purposes license licence licensed licenses licences terms term conditions condition subject require"
    " requires required agree agreement consent fee fees paid pay sell sold sale resale distribute distribution"
    " redistribute redistribution modify modification copy copies granted evil good patent patents warranty gpl"
    " lgpl agpl gnu expires research academic exclusive exclusively solely merely limited nonprofit approval approved"
    " approve written need needs needed who whose whom which that this these it when where while until before"
    " after every each has have had does run runs running business software teaching student students trial"
    " noncommercially proprietary confidential secret deny denied ban banned valid void revoked"
    " nur nicht kein keine keinen ohne ausser außer zweck zwecke zwecken verwendung nutzung gebrauch forschung lehre"
    " erlaubt verboten untersagt gestattet genehmigung erlaubnis lizenz privat darf muss"
    " seulement uniquement exclusivement pas sans sauf fins utilisation interdit interdite autorisation licence"
    " recherche personnel réservé usage"
    " solo sólo solamente únicamente exclusivamente sin uso usos fines prohibido prohibida permiso licencia"
    " investigación investigacion apenas somente sem fins proibido proibida permissão licença pesquisa"
    " soltanto solamente esclusivamente senza scopi fini vietato vietata permesso licenza ricerca non"
    " alleen uitsluitend niet geen zonder gebruik verboden toestemming onderzoek"
    " tylko wyłącznie nie bez użytku zakaz zabronione kun ikke uten uden bruk brug endast inte utan bruk"
    " yalnızca sadece için değil"
    " только лишь не нельзя без для исключительно использование использования запрещено запрещается разрешения"
    " فقط لا ليس केवल नहीं".split()
)
#: Parts of such words, whatever follows or comes before: also of words that are written without spaces.
_RULING_PARTS = re.compile(
    "kommer[zcs]|commerci|comerci|коммерч|komercy|ticari|verbot|prohib|forbid|interdi|запрещ|использов|разреш"
    "|[仅僅只不禁非]|商业|商業|商用|用途|使用|限定|限り|のみ|许可|許可|授权|授權|비상업|상업|금지|사용|허가|용도|비영리"
)
#: Signs other than those of notices, digits among letters, and what tells a Latin letter in a word of another script.
_DISGUISED = re.compile(r"[^\W\d_]\d+[^\W\d_]|[\u2190-\u2bff\u3200-\u33ff\U0001f000-\U0001ffff]")
_ASCII = re.compile("[a-z]")
#: Names of institutions may hold what would rule elsewhere.
_INSTITUTION = re.compile(
    r"(?i)\bresearch\s+(?:institute|cent(?:er|re)|initiatives|council|lab(?:oratory|oratories|s)?|foundation)\b"
    r"|\b(?:limited|software)(?=\s+(?:foundation|inc|corporation|corp|gmbh|ltd|ab|llc)\b|\s*[,.]?\s*$)"
)
#: Words that a notice may write small beside those of ``_SMALL``: names such as ``sindre sorhus``.
_MOST_SMALL = 2
#: Words of the longest notice, and of the longest name between commas.
_LONGEST_NOTICE, _LONGEST_NAME = 30, 10
#: How the middle of a licence speaks of its holders, and the most other words that it says there.
_HOLDERS = frozenset("copyright holder holders owner owners its their any above names name nor".split())
_MOST_NAMES = 8
#: Words of texts that say where a licence stands, or what is included.
_POINTER = frozenset(
    "see for in and or to files copying notice copyright details more information full text licenses licences root"
    " directory folder found can be at either both product includes included developed by foundation"
    " made available contributions these your option dual".split()
)
#: Words of titles, and of the addresses of licences.
_TITLE = frozenset(
    "the a mit expat x11 isc bsd 0 2 3 clause two three simplified new revised modified original apache software"
    " license licence licensed licenses version v2 january 2004 http https www opensource org txt html md php"
    " under terms of this project package library code file is released distributed follows as reads see below"
    " spdx identifier start end template osi approved".split()
)


def identify(text: str) -> str:
    """The SPDX identifier of a licence text, empty if it is none of those that are known.

    Known are the texts in the folder ``licence_texts``. A short text counts if it names an SPDX identifier.
    """
    if len(text) > LARGEST:
        return ""
    if tags := TAG.findall(text):
        # Such a text holds tags and notices, nothing else.
        return "" if _list_words(TAG.sub("", text)) else join_tags(tags)
    joined = " ".join(_list_words(text))
    lower = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in joined)
    for name, pattern in _read_patterns().items():
        match = pattern.search(lower)
        if (
            match
            and _is_title(lower[: match.start()])
            and _is_title(lower[match.end() :])
            and all(_names_few(joined[slice(*match.span(hole))]) for hole in range(1, pattern.groups + 1))
        ):
            return name.partition("_")[0]
    return ""


def join_tags(tags: Sequence[str]) -> str:
    """The SPDX expression that all tags of a text make together."""
    expressions = list(dict.fromkeys(tag.strip() for tag in tags))
    return expressions[0] if len(expressions) == 1 else " AND ".join(f"({one})" for one in expressions)


def points_elsewhere(text: str) -> bool:
    """Whether a text rules nothing: it only says where a licence stands, or names a product and holders."""
    first, _, others = text.strip().partition("\n")
    product = re.fullmatch(r"[A-Z][\w.-]*(?: [A-Z][\w.-]*){0,5}", first.strip(), re.ASCII) and _names_holders(first)
    words = [word.lower() for word in _list_words(others if product else text)]
    return bool(text) and len(words) < SHORTEST and (_TITLE | _POINTER).issuperset(words)


def _is_title(words: str) -> bool:
    return _TITLE.issuperset(words.split())


def _list_words(text: str) -> list[str]:
    """The words of a licence text, without notices, bullets and comment marks."""
    plain = unicodedata.normalize("NFKC", _COMMENT.sub("", text))
    plain = _NOTICE.sub(lambda line: "" if _names_holders(line[0]) else line[0], plain)
    plain = re.sub("(?i)non-infringement", "noninfringement", _BULLET.sub("", plain))
    # Of what is no letter, signs count: pictures may say something too.
    return [word for word in _WORD.findall(plain) if word.isalnum() or unicodedata.category(word)[0] in "SM"]


def _names_holders(notice: str) -> bool:
    """Whether a notice holds nothing but years, names and addresses."""
    if len(_PAGE.findall(notice)) > 1 or _rules(" ".join(_MAIL.findall(notice) + _PAGE.findall(notice))):
        return False
    plain = _PAGE.sub("", _MAIL.sub("", notice))
    if "@" in plain or "://" in plain:
        return False
    names = _list_names(plain)
    if any(name not in _SMALL for further in _SENTENCE.split(plain)[1:] for name in _list_names(further.lower())):
        return False
    small = [name for name in names if not name[0].isupper() and name not in _SMALL]
    longest = max((len(_list_names(part)) for part in re.split(r"[,;:&()<>\u2013]|\band\b", plain)), default=0)
    few = len(names) <= _LONGEST_NOTICE and longest <= _LONGEST_NAME and len(small) <= _MOST_SMALL
    return few and not _rules(plain)


def _names_few(words: str) -> bool:
    """Whether words in the middle of a licence are nothing but names."""
    names = [name for name in words.split() if name.lower() not in _SMALL | _HOLDERS]
    small = [name for name in names if not name[0].isupper()]
    return len(names) <= _MOST_NAMES and len(small) <= _MOST_SMALL and not _rules(words)


def _rules(text: str) -> bool:
    """Whether a text holds a word that may allow or forbid something, or one that is written so that it looks alike."""
    lower = _INSTITUTION.sub("", text).lower()
    words = _list_names(lower)
    disguised = _DISGUISED.search(lower) or any(
        not word.isascii() and _ASCII.search(word) for word in map(_bare, words)
    )
    return bool(disguised) or not _RULING.isdisjoint(words) or _RULING_PARTS.search(lower) is not None


def _bare(word: str) -> str:
    """A word without its accents and without the special letters of Latin."""
    letters = (letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))
    return "".join("a" if "LATIN" in unicodedata.name(letter, "") else letter for letter in letters)


def _list_names(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text)


@cache
def _read_patterns() -> dict[str, re.Pattern[str]]:
    """The licence texts as patterns for words. A second text of a licence has a word after ``_`` in its name."""
    folder = Path(__file__).parent / "licence_texts"
    return {path.stem: _make_pattern(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.txt"))}


def _make_pattern(text: str) -> re.Pattern[str]:
    """``{{}}`` in a text stands for names, ``[[...]]`` for words that may lack."""
    name = r"((?: ?\b\w+){0,30}?)"
    pattern = ""
    for part in re.split(r"(\{\{\}\}|\[\[.*?\]\])", text, flags=re.DOTALL):
        words = " ".join(_list_words(part)).lower()
        if part == "{{}}":
            pattern += name
        elif part.startswith("[["):
            pattern += f"{'' if words == 's' else ' ?'}(?:{words})?"
        elif words:
            pattern += f" ?{words}"
    return re.compile(pattern)
