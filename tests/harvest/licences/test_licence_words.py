"""Which licence a text is."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.harvest.licences import licence_words
from pytest_codereason.harvest.licences.licence_words import identify
from tests.harvest.code import MIT

TEXTS = Path(licence_words.__file__).parent / "licence_texts"
NAMES = [
    "Jane Doe",
    "sindre sorhus",
    "Will May (will@example.org)",
    "The Regents of the University of California",
    "3M",
]


def write(name: str, holder: str = "Jane Doe") -> str:
    """A licence as projects keep it: a title, a notice, the text."""
    text = (TEXTS / f"{name}.txt").read_text()
    text = re.sub(r"\[\[.*?\]\]", "", text, flags=re.DOTALL).replace("{{}}", holder.upper())
    return f"# {name} License\n\nCopyright (c) 2019-2021 {holder}\n\n{text}"


LICENCES = ["MIT", "ISC", "BSD-2-Clause", "Apache-2.0"]


@pytest.mark.parametrize("name", LICENCES)
@pytest.mark.parametrize("holder", NAMES)
def test_years_and_holders_may_differ(name: str, holder: str) -> None:
    assert identify(write(name, holder)) == name
    assert identify(write(name, holder).replace("Copyright (c) 2019-2021", "\u00a9 2007,")) == name
    assert identify(f"{holder} and contributors. All rights reserved.\n{write(name)}") in ("", name)


def test_a_licence_is_told_in_any_layout() -> None:
    assert identify(MIT) == "MIT"
    assert identify("# The MIT License (MIT)\n\n" + "\n".join(f"  > {line}" for line in MIT.splitlines()[4:])) == "MIT"
    assert identify(" ".join(MIT.upper().split()[8:])) == "MIT"
    assert identify("\n".join(f" * {line}" for line in MIT.splitlines())) == "MIT"


@pytest.mark.parametrize(
    "text",
    [
        MIT.replace("subject to", "for Good and not Evil, subject to"),
        MIT.replace("without restriction", "without commercial use"),
        MIT.replace("sublicense, and/or sell", "and sublicense"),
        MIT.replace("IN NO EVENT SHALL THE", "IN NO EVENT SHALL THE USER, WHO MUST PAY, OR THE"),
        "Commons Clause: the right to sell is not granted.\n" + MIT,
        "",
        "SPDX-License-Identifier: MIT\n" + "You may look at this and do nothing else. " * 20,
    ],
)
def test_one_more_condition_makes_another_licence(text: str) -> None:
    assert identify(text) == ""


RESTRICTIONS = [
    "The Software must not be sold.",
    "Research purposes only.",
    "This grant ends on the day on which you sue us.",
    "Military use is forbidden.",
    "Hosting the Software as a service needs a contract.",
    "Companies with a revenue above one million dollars pay us first.",
    "Training of models on this code is excluded.",
    "Valid inside the European Union.",
]


@given(st.sampled_from(LICENCES), st.sampled_from(RESTRICTIONS), st.integers(0), st.booleans())
def test_a_sentence_anywhere_makes_another_licence(name: str, sentence: str, place: int, within: bool) -> None:
    lines = write(name).splitlines()
    number = place % (len(lines) + 1)
    if within and number < len(lines) and lines[number]:
        lines[number] += f" {sentence}"
    else:
        lines.insert(number, sentence)
    assert identify("\n".join(lines)) == ""


@pytest.mark.parametrize("sentence", RESTRICTIONS)
def test_a_notice_holds_no_sentence(sentence: str) -> None:
    assert identify(MIT.replace("\n", f", {sentence}\n", 3)) == ""
    assert identify(write("MIT", f"Jane Doe. {sentence}")) == ""
    assert identify(f"{sentence} Copyright 2020 Jane Doe\n{MIT}") == ""


@pytest.mark.parametrize(
    ("distribution", "licence"),
    [("pytest", "MIT"), ("aiosignal", "Apache-2.0"), ("jinja2", "BSD-3-Clause"), ("pygments", "BSD-2-Clause")],
)
def test_licences_of_installed_packages_are_told(distribution: str, licence: str) -> None:
    files = importlib.metadata.files(distribution) or []
    texts = [path.read_text() for path in files if path.name.startswith("LICENSE")]
    assert {identify(text) for text in texts} == {licence}


#: The names of another tool for the licences that are told.
_SHORT = {"Expat": "MIT", "MIT": "MIT", "BSD-3-clause": "BSD-3-Clause", "BSD-2-clause": "BSD-2-Clause"}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("licensecheck"), reason="needs Debian's licensecheck")
def test_another_tool_tells_the_same_of_installed_packages() -> None:
    paths = sorted(
        str(path.locate())
        for distribution in importlib.metadata.distributions()
        for path in distribution.files or []
        if re.match(r"(?i)licen[cs]e|copying", path.name) and path.suffix in ("", ".txt", ".md")
    )
    command = ["licensecheck", "--machine", "--shortname-scheme=spdx", "--lines=0", "--check=.*", "--", *paths]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    told = {path: identify(Path(path).read_text("utf-8", "replace")) for path in paths}
    others = {path: names.strip() for path, names in (line.split("\t", 1) for line in listed)}
    known = [path for path in paths if told[path] and Path(path).is_file()]
    # The other tool lists every licence that it sees a sign of, so it must list ours.
    wrong = {path: others[path] for path in known if told[path].lower() not in others[path].lower()}
    assert len({Path(path).parent for path in known}) >= 50
    assert not wrong


def hold(notice: str) -> str:
    """The licence MIT with another notice."""
    return re.sub("Copyright.*", lambda _: notice, MIT, count=1)


@pytest.mark.parametrize(
    "holder",
    [
        "Jane Doe <jane@example.org>, Joe Smith <joe@example.org>",
        "Jane Doe <jane@example.org> (https://example.org/~jane)",
        "Max-Planck-Institut f\u00fcr Informatik",
        "Palo Alto Research Center",
        "Some Software Ltd",
        "Amazon.com, Inc. or its affiliates. All Rights Reserved",
        "\u5f20\u4e09",
        "\u0418\u0432\u0430\u043d \u0418\u0432\u0430\u043d\u043e\u0432",
    ],
)
def test_honest_holders_are_read(holder: str) -> None:
    assert identify(hold(f"Copyright (c) 2020 {holder}")) == "MIT"


@pytest.mark.parametrize(
    "holder",
    [
        "Jane Doe, Academic Research Exclusively",
        "Jane Doe, Nur F\u00fcr Nichtkommerzielle Zwecke",
        "Jane Doe, Usage R\u00e9serv\u00e9",
        "Jane Doe, Solo Para Uso Academico",
        "Jane Doe, \u0422\u043e\u043b\u044c\u043a\u043e \u0414\u043b\u044f \u0423\u0447\u0451\u0431\u044b",
        "\u5f20\u4e09\uff0c\u4ec5\u4f9b\u7814\u7a76",
        "Jane Doe, valid inside europe",
        "Jane Doe, Whose Approval Every Company Wants",
        "Jane Doe no@commercial use@allowed",
        "Jane Doe only@research.org",
        "Jane Doe https://a.example/not-for-commercial-use",
        "Jane Doe https://a.example/" + "x" * 80,
        "Jane Doe https://a.example https://b.example",
        "Jane Doe N0n-C0mmercial",
        "Jane Doe \u039don-Commer\u0441ial",  # letters of Greek and Russian
        "Jane Doe \U0001f6ab\U0001f4b0",
    ],
)
def test_a_holder_is_nothing_but_names_and_addresses(holder: str) -> None:
    assert identify(hold(f"Copyright (c) 2020 {holder}")) == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "\u4ec5\u4f9b\u975e\u5546\u4e1a\u7528\u9014\u4f7f\u7528",
        "\u0422\u043e\u043b\u044c\u043a\u043e \u0434\u043b\u044f \u0443\u0447\u0451\u0431\u044b",
        "\U0001f6ab \U0001f4b0",
    ],
)
def test_words_of_every_script_count(sentence: str) -> None:
    assert identify(f"{MIT}\n{sentence}\n") == identify(f"{sentence}\n{MIT}") == ""


def test_the_names_within_a_licence_are_nothing_but_names() -> None:
    assert identify(write("BSD-3-Clause", "the python-semver org")) == "BSD-3-Clause"
    for rule in ("whose written approval every company needs before it runs this", "no company", "who pays a fee"):
        assert identify(write("BSD-3-Clause").replace("JANE DOE", f"Jane Doe, {rule},", 1)) == ""
        assert identify(write("MIT").replace("SHALL JANE DOE", f"SHALL JANE DOE, {rule.upper()},", 1)) == ""


def test_beside_a_tag_stand_only_notices() -> None:
    assert identify("SPDX-License-Identifier: MIT\n\nCopyright 2020 Jane Doe\n") == "MIT"
    assert identify("SPDX-License-Identifier: MIT\nSPDX-License-Identifier: ISC\n") == "(MIT) AND (ISC)"
    assert identify("SPDX-License-Identifier: MIT\n\nNot for commercial use.\n") == ""
    assert identify("SPDX-License-Identifier: MIT\n\n\u7981\u6b62\n") == ""
