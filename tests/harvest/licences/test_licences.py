"""Which licence a repository and a file have."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.licences.licence_words import identify, points_elsewhere
from pytest_codereason.harvest.licences.licences import PERMISSIVE, Licences, concerns_licence, is_accepted, read_head
from pytest_codereason.harvest.licences.manifests import read_manifest
from tests.harvest.code import MIT, write_repository


@pytest.mark.parametrize(
    ("expression", "accepted"),
    [
        ("MIT", True),
        ("mit", True),
        ("GPL-3.0-only", False),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("(MIT AND ISC) OR GPL-2.0-only WITH Classpath-exception-2.0", True),
        ("GPL-2.0-only WITH Classpath-exception-2.0", False),
        ("MIT GPL-3.0-only", False),
        ("(MIT", False),
        ("", False),
        ("(" * 5000, False),
    ],
)
def test_an_expression_is_accepted_if_accepted_licences_suffice(expression: str, accepted: bool) -> None:
    assert is_accepted(expression, PERMISSIVE) is accepted


@pytest.mark.parametrize(
    ("head", "licence"),
    [
        ("# SPDX-License-Identifier: MIT OR Apache-2.0\n", "MIT OR Apache-2.0"),
        ("/* SPDX-License-Identifier: GPL-2.0-only */\n", "GPL-2.0-only"),
        ("# SPDX-License-Identifier: MIT\n#\n# SPDX-License-Identifier: GPL-3.0-only\n", "(MIT) AND (GPL-3.0-only)"),
        (" * GNU General Public\n License version 2 only\n", "GNU General Public"),
        ("# Copyright 2020 Jane. All rights reserved.\n", ""),
    ],
)
def test_the_head_of_a_file_may_name_a_licence(head: str, licence: str) -> None:
    assert read_head(head + "x = 1\n").startswith(licence)
    assert bool(read_head(head)) is bool(licence)


@pytest.mark.parametrize(
    ("name", "text", "licence"),
    [
        ("pyproject.toml", '[project]\nlicense = "MIT"\n', "MIT"),
        ("pyproject.toml", '[project]\nlicense = {text = "BSD 3-Clause"}\n', "BSD-3-Clause"),
        ("pyproject.toml", '[project]\nlicense = {file = "LICENSE"}\n', ""),
        ("pyproject.toml", '[project]\nclassifiers = ["License :: OSI Approved :: MIT License"]\n', "MIT"),
        ("pyproject.toml", '[tool.poetry]\nlicense = "Apache-2.0"\n', "Apache-2.0"),
        ("pyproject.toml", "[[[", ""),
        ("pyproject.toml", "[project]\nclassifiers = 3\n", ""),
        ("package.json", '{"license": "ISC"}', "ISC"),
        ("package.json", '{"license": "UNLICENSED"}', "UNLICENSED"),
        ("package.json", '{"license": "SEE LICENSE IN x"}', ""),
        ("package.json", '{"licenses": [{"type": "MIT"}, {"type": "GPL-2.0"}]}', "MIT OR GPL-2.0"),
        ("package.json", "[" * 100_000, ""),
        ("setup.py", "setup(name='x', license='MIT')", "MIT"),
        ("setup.cfg", "[metadata]\nlicense = GNU GPLv3\n", "GNU GPLv3"),
        ("PKG-INFO", "Name: x\nLicense: BSD\n", ""),
        ("PKG-INFO", "Name: x\nLicense-Expression: BSD-3-Clause\n", "BSD-3-Clause"),
        ("METADATA", "Name: x\nLicense: MIT\n", "MIT"),
        ("pom.xml", "<licenses><license><name>Apache License, Version 2.0</name></license></licenses>", "Apache-2.0"),
    ],
)
def test_a_manifest_declares_a_licence(name: str, text: str, licence: str) -> None:
    assert read_manifest(name, text) == licence


@pytest.mark.parametrize(
    "unit", ["\n", "* ", "copyright ", "permission is hereby granted ", "<license>", "(", "// ", "A"]
)
def test_long_texts_are_read_at_once(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    started = time.process_time()
    identify(text)
    points_elsewhere(f"{text}!")
    for name in ("pom.xml", "PKG-INFO", "setup.py", "package.json", "pyproject.toml"):
        read_manifest(name, text)
    assert time.process_time() - started < 5


GPL_NOTICE = (
    "This program is free software: you can redistribute it under the terms of a licence that asks for the source. " * 9
)


def find_licence(folder: Path, files: dict[str, str], licence: str = "") -> str:
    told = Licences(write_repository(folder, files, licence), PERMISSIVE).find("a.py")
    return f"{told.reason}: {told.detail}" if isinstance(told, Refusal) else told


def test_a_repository_needs_a_licence_and_no_other_beside_it(tmp_path: Path) -> None:
    package = json.dumps({"license": "GPL-3.0-only"})
    other = "You may look at this and do nothing else. " * 20
    assert find_licence(tmp_path / "none", {"a.py": "x = 1\n"}) == (
        "has no licence: no file beside it, or in a folder above, names one"
    )
    assert find_licence(tmp_path / "text", {}, MIT) == "MIT"
    assert find_licence(tmp_path / "declared", {"package.json": '{"license": "ISC"}'}) == "ISC"
    assert find_licence(tmp_path / "pointer", {"LICENSE.md": "See the file LICENSE.\n"}, MIT) == "MIT"
    either = "Licensed under either of\n * Apache License, Version 2.0 (LICENSE-APACHE)\n * MIT\nat your option.\n"
    assert find_licence(tmp_path / "either", {"LICENSE-MIT": MIT}, either) == "MIT"
    assert find_licence(tmp_path / "other", {}, other) == "has another licence: LICENSE is none of those that are known"
    assert find_licence(tmp_path / "two", {"COPYING": other}, MIT).startswith("has another licence: COPYING")
    assert find_licence(tmp_path / "contradiction", {"package.json": package}, MIT) == (
        "has another licence: package.json says 'GPL-3.0-only'"
    )
    assert find_licence(tmp_path / "huge", {}, "x " * 200_000).startswith("has another licence")


def test_a_wheel_names_its_licence_in_a_folder_beside_the_code(tmp_path: Path) -> None:
    text, other = {"a-1.0.dist-info/licenses/LICENSE.txt": MIT}, "You may look at this and do nothing else. " * 20
    declared = {"a-1.0.dist-info/METADATA": "Name: a\nLicense-Expression: ISC\n"}
    assert find_licence(tmp_path / "text", text) == "MIT"
    assert find_licence(tmp_path / "declared", declared) == "ISC"
    assert find_licence(tmp_path / "both", {**text, **declared}) == "ISC AND MIT"
    vendored = {**text, "a-1.0.dist-info/licenses/vendored/LICENSE": other}
    assert find_licence(tmp_path / "vendored", vendored).startswith("has another licence: a-1.0.dist-info/licenses/ve")
    several = {**text, "b-2.0.dist-info/METADATA": "Name: b\n"}
    assert find_licence(tmp_path / "several", several).startswith("has no licence")
    assert concerns_licence("METADATA")


@pytest.mark.parametrize(
    "name",
    ["LICENSE_ADDENDUM.md", "ADDENDUM", "terms.txt", "Project EULA.html", "a.py.license", "LEGAL-de.rst", "PATENTS"],
)
def test_every_file_that_speaks_of_a_licence_is_read(name: str, tmp_path: Path) -> None:
    ban = "Any commercial use is forbidden."
    for number, text in enumerate((ban, ban * 30, "\u7981\u6b62", "SPDX-License-Identifier: MIT\n" + ban)):
        told = find_licence(tmp_path / str(number), {name: text}, MIT)
        assert told == f"has another licence: {name} is none of those that are known"
    assert concerns_licence(name)
    product = (
        "Apache Commons\nCopyright 2020 The Apache Software Foundation\n\nThis product includes software developed at\n"
    )
    product += "The Apache Software Foundation (https://www.apache.org/).\n"
    assert find_licence(tmp_path / "product", {name: product}, MIT) == "MIT"
    assert find_licence(tmp_path / "notice", {name: "Copyright 2020 Jane Doe\n"}, MIT) == "MIT"


@pytest.mark.parametrize("name", ["licences.py", "terms.js", "notice.json", "unnoticed.md", "legalese", "README.md"])
def test_code_and_other_names_speak_of_none(name: str, tmp_path: Path) -> None:
    assert not concerns_licence(name)
    assert find_licence(tmp_path / "repository", {name: "nothing about it"}, MIT) == "MIT"


def test_the_nearest_folder_with_a_licence_rules(tmp_path: Path) -> None:
    files = {
        "tools/LICENSE": GPL_NOTICE,
        "tools/deep/a.py": "x = 1\n",
        "tools/free/COPYING": MIT,
        "ours/package.json": json.dumps({"license": "UNLICENSED"}),
        "tools/free/deep/er/a.py": "x = 1\n",
        "plain/README": "nothing about a licence\n",
    }
    licences = Licences(write_repository(tmp_path / "repository", files, MIT), PERMISSIVE)
    other = Refusal("has another licence", "tools/LICENSE is none of those that are known")
    assert licences.find("a.py") == licences.find("plain/b.py") == "MIT"
    assert licences.find("tools/a.py") == licences.find("tools/deep/a.py") == other
    assert licences.find("tools/free/deep/er/a.py") == "MIT"
    assert licences.find("ours/a.js") == Refusal("has another licence", "ours/package.json says 'UNLICENSED'")
