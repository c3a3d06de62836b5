"""Tells the licence of a repository and of a file: by licence texts, by SPDX tags, and by what manifests declare.

A text counts as a licence only if it is the licence word for word, but for names, layout and punctuation. A text with
one more sentence may forbid what the licence allows, so it is another licence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path

from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.manifests import read_manifest

#: The licences that are accepted unless a user names others, by their SPDX identifiers.
PERMISSIVE = ("MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC")
#: Bytes of the largest licence text or manifest that is read.
LARGEST = 200_000
_LICENCE_FILE = re.compile(
    r"(?i)(un)?licen[cs]e|(un)?licen[cs]e[.-].*|copying|copying[.-].*|.*[.-]licen[cs]e(\.(md|txt|rst))?"
)
_MANIFESTS = ("pyproject.toml", "setup.cfg", "setup.py", "PKG-INFO", "package.json", "pom.xml")
_COPYRIGHT = re.compile(
    r"(?im)^[^\w\n]*(?:portions )?(?:copyright(?:ed)?\b(?! (?:licen[cs]e|owner|notice|statement|holder|law)).*"
    r"|\(c\).*|©.*|(?:all|some) rights reserved\W*)$"
)
_BULLET = re.compile(r"(?m)^[ \t]*(?:\(?(?:\d+|[a-z])[.)]|[*•-])\s+")
_COMMENT = re.compile(r"(?m)^[ \t]*(?:#|//|/?\*+/?|;;?|--)+")
#: Words that no title of an accepted licence holds.
_CONDITIONS = re.compile(
    r"\b(gnu|[al]?gpl|affero|commons|commercial|noncommercial|proprietary|mozilla|creative|except|exception|must|only|not)\b"
)
#: Words of the shortest text that may be a licence. Shorter ones say where the licence stands.
_SHORTEST = 60
_TAG = re.compile(r"SPDX-License-Identifier:\s*([^\n*/]+)")
_HEAD = 4000
#: What the head of a file says if it has a licence that allows less.
_OTHERS = re.compile(
    r"(?i)\b(GNU\s+(?:Affero\s+|Lesser\s+|Library\s+)?General\s+Public\s+License|Mozilla\s+Public\s+License"
    r"|Eclipse\s+Public\s+License|Common\s+Development\s+and\s+Distribution\s+License|Creative\s+Commons"
    r"|Business\s+Source\s+License|Server\s+Side\s+Public\s+License|proprietary\s+and\s+confidential"
    r"|strictly\s+prohibited|trade\s+secrets?)\b"
)


def find_licence(folder: Path, accepted: Collection[str]) -> str | Refusal:
    """The licence of a repository, or why its files cannot be used.

    Args:
        folder: The repository.
        accepted: SPDX identifiers.
    """
    texts = {
        path.name: identify(text)
        for path, text in _read_files(folder, _LICENCE_FILE.fullmatch)
        if len(text.split()) >= _SHORTEST or identify(text) or not text
    }
    if others := sorted(name for name, licence in texts.items() if licence not in accepted):
        licence = texts[others[0]]
        return Refusal("has another licence", f"{others[0]} is {licence or 'none of those that are known'}")
    declared = {}
    for path, text in _read_files(folder, _MANIFESTS.__contains__):
        if expression := read_manifest(path.name, text):
            declared[path.name] = expression
    for name, expression in declared.items():
        if not is_accepted(expression, accepted):
            return Refusal("has another licence", f"{name} says {expression[:80]!r}")
    licences = sorted({licence for licence in texts.values() if licence}) or list(declared.values())[:1]
    return (
        " AND ".join(licences)
        if licences
        else Refusal("has no licence", "no file in the root of the repository names one")
    )


def concerns_licence(name: str) -> bool:
    """Whether a file of this name is a licence or a manifest."""
    return name in _MANIFESTS or _LICENCE_FILE.fullmatch(name) is not None


def read_head(text: str) -> str:
    """The licence that the head of a file names, empty if it names none: an SPDX expression, or a name in words."""
    head = text[:_HEAD]
    if tag := _TAG.search(head):
        return tag[1].strip()
    other = _OTHERS.search(head)
    return " ".join(other[0].split()) if other else ""


def identify(text: str) -> str:
    """The SPDX identifier of a licence text, empty if it is none of :data:`PERMISSIVE`."""
    if len(text) > LARGEST:
        return ""
    words = _normalise(text)
    if len(words.split()) < _SHORTEST and (tag := _TAG.search(text)):
        return tag[1].strip()
    for name, pattern in _read_patterns().items():
        match = pattern.search(words)
        if match and _is_harmless(words[: match.start()]) and _is_harmless(words[match.end() :]):
            return name.partition("_")[0]
    return ""


def _is_harmless(words: str) -> bool:
    """Whether words around a licence are its title, a name or an address, and no further condition."""
    return len(words.split()) <= 60 and not _CONDITIONS.search(words)


def is_accepted(expression: str, accepted: Collection[str]) -> bool:
    """Whether an SPDX expression, such as ``MIT OR GPL-3.0-only``, allows a use under accepted licences alone."""
    tokens = re.findall(r"\(|\)|[^\s()]+", expression)
    allowed = {name.lower() for name in accepted}

    def read_any() -> bool:
        value = read_all()
        while tokens and tokens[0].upper() == "OR":
            tokens.pop(0)
            value = read_all() or value
        return value

    def read_all() -> bool:
        value = read_one()
        while tokens and tokens[0].upper() == "AND":
            tokens.pop(0)
            value = read_one() and value
        return value

    def read_one() -> bool:
        word = tokens.pop(0)
        if word == "(":
            value = read_any()
            tokens.pop(0)
            return value
        if tokens and tokens[0].upper() == "WITH":
            word = f"{word} WITH {tokens.pop(1)}"
            tokens.pop(0)
        return word.lower() in allowed

    try:
        return read_any() and not tokens
    except (IndexError, RecursionError):  # no expression
        return False


def _read_files(folder: Path, wanted: Callable[[str], object]) -> Iterator[tuple[Path, str]]:
    """The files in a repository's root with wanted names, and their texts; empty where one is no text."""
    for path in sorted(folder.iterdir()):
        if wanted(path.name) and path.is_file() and not path.is_symlink():
            small = path.stat().st_size <= LARGEST
            yield path, path.read_bytes().decode("utf-8", "replace") if small else ""


def _normalise(text: str) -> str:
    """The words of a licence text, without copyright lines, bullets and comment marks."""
    plain = unicodedata.normalize("NFKC", text)
    plain = _BULLET.sub("", _COPYRIGHT.sub("", _COMMENT.sub("", plain)))
    plain = plain.lower().replace("non-infringement", "noninfringement").replace("''as is''", "as is")
    return " ".join(re.findall(r"[a-z0-9]+", plain))


@cache
def _read_patterns() -> dict[str, re.Pattern[str]]:
    """The licence texts as patterns for normalised words. A second text of a licence has a word after ``_``."""
    folder = Path(__file__).parent / "licence_texts"
    return {path.stem: _make_pattern(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.txt"))}


def _make_pattern(text: str) -> re.Pattern[str]:
    """``{{}}`` in a text stands for a name, ``[[...]]`` for words that may lack."""
    pattern = ""
    for part in re.split(r"(\{\{\}\}|\[\[.*?\]\])", text, flags=re.DOTALL):
        words = _normalise(part)
        if part == "{{}}":
            pattern += r"(?: ?\b\w+){0,30}?"
        elif part.startswith("[["):
            pattern += f"{'' if words == 's' else ' ?'}(?:{words})?"
        elif words:
            pattern += f" ?{words}"
    return re.compile(pattern)
