"""Tells which licence a text is.

A text is a licence if it is the known text word for word. Only layout, punctuation, years and holders may differ. One
more sentence may forbid what the licence allows, so such a text is another licence::

    MIT License                            a title: nothing but the words of titles
    Copyright (c) 2020 Jane Doe            a notice: years and names
    Permission is hereby granted, ...      the licence

``Copyright (c) 2020 Jane Doe, research only`` is no notice, because ``only`` is no name.
"""

from __future__ import annotations

import re
import unicodedata
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
_WORD = re.compile(r"[a-z0-9]+")
#: A line that may name holders: ``Copyright (c) 2020 Jane Doe``, ``All rights reserved.``, ``2020 Jane Doe``.
_NOTICE = re.compile(
    r"""
    ^ (?: [^\n©]{0,60}? (?: \b copyright (?:s|ed)? \b (?! [ ] (?: licen[cs]e|owner|notice|statement|holder|law ) )
                         | \(c\) | © | \b (?:all|some) [ ] rights [ ] reserved )
        | [^\w\n]* (?:19|20)\d\d \b )
    .* $
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_ADDRESS = re.compile(r"\S+@\S+|https?://\S+")
#: Where a sentence ends. Initials and words such as ``Inc.`` end none.
_SENTENCE = re.compile(r"(?<!\b[A-Z])(?<!\bInc)(?<!\bLtd)(?<!\bCo)(?<!\bCorp)(?<!\bal)(?<!\b[DJMS]r)[.;!?](?=\s)")
#: Words of notices beside names and years.
_SMALL = frozenset(
    "all rights reserved some c copyright portions by and or the of for in at to from with et al und de da del"
    " van von der den ter la le di present contributors contributor contributions authors author project team"
    " developers community others see file files code original modifications port txt".split()
)
#: Words of a condition, a permission or a restriction. A name holds none of them.
_RULING = frozenset(
    "use used uses user users using must shall should can cannot not no non none never only except exception"
    " excluding exclude excluded excludes unless without provided if permitted permission permissions permit"
    " allowed allow prohibited prohibit forbidden forbid restricted restriction restrictions restrict be are is"
    " commercial noncommercial commercially military evaluation educational personal private internal production"
    " purpose purposes license licence licensed licenses licences terms term conditions condition subject require"
    " requires required agree agreement consent fee fees paid pay sell sold sale resale distribute distribution"
    " redistribute redistribution modify modification copy copies granted evil good patent patents warranty gpl"
    " lgpl agpl gnu expires".split()
)
#: Words that a notice may write small beside those of ``_SMALL``: names such as ``sindre sorhus``.
_MOST_SMALL = 4
#: Words of the longest notice.
_LONGEST_NOTICE = 30
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
    words = _list_words(text)
    if len(words) < SHORTEST and (tag := TAG.search(text)):
        return tag[1].strip()
    joined = " ".join(words)
    for name, pattern in _read_patterns().items():
        match = pattern.search(joined)
        if match and _is_title(joined[: match.start()]) and _is_title(joined[match.end() :]):
            return name.partition("_")[0]
    return ""


def _is_title(words: str) -> bool:
    return _TITLE.issuperset(words.split())


def _list_words(text: str) -> list[str]:
    """The words of a licence text, without notices, bullets and comment marks."""
    plain = unicodedata.normalize("NFKC", _COMMENT.sub("", text))
    plain = _NOTICE.sub(lambda line: "" if _names_holders(line[0]) else line[0], plain)
    plain = _BULLET.sub("", plain).lower().replace("non-infringement", "noninfringement")
    return _WORD.findall(plain)


def _names_holders(notice: str) -> bool:
    """Whether a notice holds nothing but years and names."""
    plain = _ADDRESS.sub("", notice)
    names = re.findall(r"[^\W\d_]+", plain)
    if any(
        name not in _SMALL for further in _SENTENCE.split(plain)[1:] for name in re.findall(r"[a-z]+", further.lower())
    ):
        return False
    small = [name for name in names if name[0].islower() and name not in _SMALL]
    ruling = any(name.lower() in _RULING for name in names)
    return not ruling and len(names) <= _LONGEST_NOTICE and len(small) <= _MOST_SMALL


@cache
def _read_patterns() -> dict[str, re.Pattern[str]]:
    """The licence texts as patterns for words. A second text of a licence has a word after ``_`` in its name."""
    folder = Path(__file__).parent / "licence_texts"
    return {path.stem: _make_pattern(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.txt"))}


def _make_pattern(text: str) -> re.Pattern[str]:
    """``{{}}`` in a text stands for names, ``[[...]]`` for words that may lack."""
    name = rf"(?: ?\b(?!(?:{'|'.join(sorted(_RULING))})\b)\w+){{0,30}}?"
    pattern = ""
    for part in re.split(r"(\{\{\}\}|\[\[.*?\]\])", text, flags=re.DOTALL):
        words = " ".join(_list_words(part))
        if part == "{{}}":
            pattern += name
        elif part.startswith("[["):
            pattern += f"{'' if words == 's' else ' ?'}(?:{words})?"
        elif words:
            pattern += f" ?{words}"
    return re.compile(pattern)
