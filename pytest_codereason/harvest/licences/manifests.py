"""Reads the licence that a manifest declares: ``pyproject.toml``, ``package.json`` and their like."""

from __future__ import annotations

import re
from typing import Any

from pytest_codereason.core.files.caps import parse_json, parse_toml

#: What people write for an SPDX identifier, in small letters.
_WORDS = {
    "mit license": "MIT",
    "the mit license": "MIT",
    "expat": "MIT",
    "apache 2.0": "Apache-2.0",
    "apache-2": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "the apache license, version 2.0": "Apache-2.0",
    "the apache software license, version 2.0": "Apache-2.0",
    "bsd 2-clause": "BSD-2-Clause",
    "2-clause bsd": "BSD-2-Clause",
    "simplified bsd": "BSD-2-Clause",
    "bsd 3-clause": "BSD-3-Clause",
    "3-clause bsd": "BSD-3-Clause",
    "new bsd": "BSD-3-Clause",
    "bsd-3-clause license": "BSD-3-Clause",
    "isc license": "ISC",
}
_VAGUE = re.compile(r"(?i)(the )?bsd( license)?|apache( license)?|unknown|see licen[cs]e.*|.*\.(txt|md|rst)|licen[cs]e")
_EXPRESSION = re.compile(r"\(*[\w.+-]+\)*(?: (?:AND|OR|WITH) \(*[\w.+-]+\)*)*")
_OTHERS = re.compile(r"(?i)gpl|gnu|mozilla|eclipse|proprietary|commercial|creative commons")
_CLASSIFIER = re.compile(r"License :: OSI Approved :: ([^\"'\n]+)")
_CLASSIFIERS = {
    "MIT License": "MIT",
    "ISC License (ISCL)": "ISC",
    # These two name a family, and a licence text must say which member.
    "BSD License": "",
    "Apache Software License": "",
}


def read_manifest(name: str, text: str) -> str:
    """The licence that a manifest declares, as an SPDX expression where it can be told; empty if it declares none."""
    try:
        if name == "pyproject.toml":
            return _read_pyproject(parse_toml(text))
        if name == "package.json":
            return _read_package(parse_json(text))
    except (ValueError, TypeError, RecursionError):  # it may hold anything
        return ""
    if name == "pom.xml":
        section = text.partition("<licenses>")[2].partition("</licenses>")[0]
        match = re.search(r"<name>([^<]+)</name>", section)
        return _write_expression(match[1]) if match else ""
    if name == "setup.py":
        match = re.search(r"\blicense\s*=\s*[\"']([^\"'\n]{1,80})[\"']", text)
    else:  # setup.cfg, and the metadata of a package: PKG-INFO, METADATA
        match = re.search(r"(?m)^License(?:-Expression)?\s*[:=]\s*(\S.{0,80})$", text, re.IGNORECASE)
    return (_write_expression(match[1]) if match else "") or _read_classifiers(text)


def _read_pyproject(table: dict[str, Any]) -> str:
    project = table.get("project")
    if not isinstance(project, dict):
        project = table.get("tool", {}).get("poetry", {}) if isinstance(table.get("tool"), dict) else {}
    if not isinstance(project, dict):
        return ""
    licence = project.get("license")
    if isinstance(licence, dict):
        licence = licence.get("text")
    if isinstance(licence, str) and len(licence) <= 80 and (expression := _write_expression(licence)):
        return expression
    return _read_classifiers("\n".join(map(str, project.get("classifiers") or [])))


def _read_package(table: Any) -> str:
    licence = table.get("license", table.get("licenses")) if isinstance(table, dict) else None
    entries = licence if isinstance(licence, list) else [licence]
    names = [entry.get("type") if isinstance(entry, dict) else entry for entry in entries]
    return " OR ".join(_write_expression(name) for name in names if isinstance(name, str))


def _read_classifiers(text: str) -> str:
    names = dict.fromkeys(name.strip() for name in _CLASSIFIER.findall(text))
    return " OR ".join(filter(None, (_CLASSIFIERS.get(name, name) for name in names)))


def _write_expression(licence: str) -> str:
    """An SPDX expression, empty if these words name no licence: ``BSD`` is a family, ``LICENSE.txt`` a file."""
    words = " ".join(licence.split()).strip("\"'")
    if words.lower() in _WORDS:
        return _WORDS[words.lower()]
    if _VAGUE.fullmatch(words):
        return ""
    return words if _EXPRESSION.fullmatch(words) or _OTHERS.search(words) else ""
