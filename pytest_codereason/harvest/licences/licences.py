"""Tells the licence of each file of a repository: by licence texts, by SPDX tags, and by what manifests declare.

The nearest folder with a licence rules: ``vendored/LICENSE`` is the licence of ``vendored/a.py``, whatever the
root says. In a wheel the folder ``NAME-VERSION.dist-info`` speaks for the root. The head of a file rules the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path, PurePosixPath

from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.licences.licence_words import LARGEST, TAG, identify, join_tags, points_elsewhere
from pytest_codereason.harvest.licences.manifests import read_manifest

#: The licences that are accepted unless a user names others, by their SPDX identifiers.
PERMISSIVE = ("MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC")
#: A name that speaks of a licence, unless its ending is one of code or data.
_LICENCE_FILE = re.compile(
    r"(?i)(?!.*\.(?:[cm]?[jt]sx?|py[cio]?|java|class|kt|go|rs|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|bat|css|json|ya?ml"
    r"|toml|xml|cfg|ini|properties|svg|png|jpe?g|gif|ico|tmpl|j2)$)"
    r"(?:.*[^a-z])?(?:(?:un)?licen[cs](?:e|es|ing)|copying|copyrights?|notices?|terms|addend(?:um|a)|eula|legal|patents?)"
    r"(?:[^a-z].*)?"
)
_MANIFESTS = ("pyproject.toml", "setup.cfg", "setup.py", "PKG-INFO", "METADATA", "package.json", "pom.xml")
_HEAD = 4000
#: What the head of a file says if it has a licence that allows less.
_OTHERS = re.compile(
    r"(?i)\b(GNU\s+(?:Affero\s+|Lesser\s+|Library\s+)?General\s+Public\s+License|Mozilla\s+Public\s+License"
    r"|Eclipse\s+Public\s+License|Common\s+Development\s+and\s+Distribution\s+License|Creative\s+Commons"
    r"|Business\s+Source\s+License|Server\s+Side\s+Public\s+License|proprietary\s+and\s+confidential"
    r"|strictly\s+prohibited|trade\s+secrets?)\b"
)


class Licences:
    """The licences in the folders of a repository. Each folder is looked at once.

    Args:
        folder: The repository.
        accepted: SPDX identifiers.
    """

    def __init__(self, folder: Path, accepted: Collection[str]) -> None:
        self._folder = folder
        self._accepted = accepted
        self._told: dict[PurePosixPath, str | Refusal] = {}

    def find(self, path: str) -> str | Refusal:
        """The licence of the file at ``path`` by its folders, or why the file cannot be used."""
        return self._find(PurePosixPath(path).parent)

    def _find(self, place: PurePosixPath) -> str | Refusal:
        if place not in self._told:
            here = _read_licence(self._folder, place, self._accepted)
            above = place.parent
            if here is None and above == place:
                here = _read_wheel(self._folder, self._accepted)
            if here is None:
                none = Refusal("has no licence", "no file beside it, or in a folder above, names one")
                here = none if above == place else self._find(above)
            self._told[place] = here
        return self._told[place]


def _read_licence(root: Path, place: PurePosixPath, accepted: Collection[str]) -> str | Refusal | None:
    """The licence that the files in one folder name, ``None`` if they name none."""
    folder = root / place
    texts = {
        path.name: identify(text)
        for path, text in _read_files(folder, _LICENCE_FILE.fullmatch)
        if not points_elsewhere(text)
    }
    if others := sorted(name for name, licence in texts.items() if not is_accepted(licence, accepted)):
        licence = texts[others[0]]
        return Refusal("has another licence", f"{place / others[0]} is {licence or 'none of those that are known'}")
    declared = {}
    for path, text in _read_files(folder, _MANIFESTS.__contains__):
        if expression := read_manifest(path.name, text):
            declared[path.name] = expression
    for name, expression in declared.items():
        if not is_accepted(expression, accepted):
            return Refusal("has another licence", f"{place / name} says {expression[:80]!r}")
    licences = sorted({licence for licence in texts.values() if licence}) or list(declared.values())[:1]
    return " AND ".join(licences) or None


def _read_wheel(root: Path, accepted: Collection[str]) -> str | Refusal | None:
    """The licence that a wheel names in its folder ``NAME-VERSION.dist-info``; ``None`` if there is no such one."""
    infos = [path for path in root.glob("*.dist-info") if path.is_dir()]
    if len(infos) != 1:  # several packages lie there, and nobody can say which a file belongs to
        return None
    folders = sorted(path.relative_to(root) for path in infos[0].rglob("*") if path.is_dir() and not path.is_symlink())
    places = [PurePosixPath(path.as_posix()) for path in (infos[0].relative_to(root), *folders)]
    told = [each for place in places if (each := _read_licence(root, place, accepted)) is not None]
    refused = next((each for each in told if isinstance(each, Refusal)), None)
    return refused or " AND ".join(sorted({str(each) for each in told})) or None


def concerns_licence(name: str) -> bool:
    """Whether a file of this name is a licence or a manifest."""
    return name in _MANIFESTS or _LICENCE_FILE.fullmatch(name) is not None


def read_head(text: str) -> str:
    """The licence that a file names, empty if it names none: all its SPDX tags, and a name in words in its head."""
    other = _OTHERS.search(text[:_HEAD])
    named = TAG.findall(text)
    return join_tags([*named, " ".join(other[0].split())] if other else named) if named or other else ""


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
    """The files in a folder with wanted names, and their texts; empty where one is no text."""
    for path in sorted(folder.iterdir()):
        if wanted(path.name) and path.is_file() and not path.is_symlink():
            small = path.stat().st_size <= LARGEST
            yield path, path.read_bytes().decode("utf-8", "replace") if small else ""
