"""Files of any encoding come back byte for byte, edited or not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.errors import DoesNotParse
from pytest_codereason.text.edits import Insert, apply
from pytest_codereason.text.encoding import read_source

SAMPLE = "# caf\u00e9\r\nx\t= 'na\u00efve'\r\ny = 1"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (SAMPLE.encode(), "utf-8"),
        (b"\xef\xbb\xbf" + SAMPLE.encode(), "utf-8"),
        (b"\xff\xfe" + SAMPLE.encode("utf-16-le"), "utf-16-le"),
        (b"\xfe\xff" + SAMPLE.encode("utf-16-be"), "utf-16-be"),
        (b"\xff\xfe\0\0" + SAMPLE.encode("utf-32-le"), "utf-32-le"),
        (b"# -*- coding: latin-1 -*-\n" + SAMPLE.encode("latin-1"), "latin-1"),
        (b"#!/usr/bin/python\r\n# vim: set fileencoding=cp1252 :\r\n" + SAMPLE.encode("cp1252"), "cp1252"),
        ("x = '\u65e5\u672c'\n".encode(), "utf-8"),
        (b"# coding: shift_jis\nx = '" + "\u65e5\u672c".encode("shift_jis") + b"'\n", "shift_jis"),
    ],
)
def test_bytes_come_back(data: bytes, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_bytes(data)
    text = read_source(path)
    assert (text.encoding, text.encoded()) == (encoding, data)
    applied = apply(text.text, [Insert(0, "new\r\n"), Insert(len(text.text), "\nlast")])
    assert text.changed(applied.inverse.text).encoded() == data
    assert read_source(text.changed(applied.text).encoded(), encoding=encoding).text == applied.text


def test_an_encoding_may_be_given() -> None:
    assert read_source(SAMPLE.encode("latin-1"), encoding="latin-1").text == SAMPLE


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0#")), st.sampled_from(["", "\ufeff"]))
def test_any_text_comes_back(text: str, mark: str) -> None:
    data = f"{mark}code {text}".encode()
    assert read_source(data).encoded() == data


@given(st.binary(max_size=60))
def test_any_bytes_come_back_or_are_refused_in_one_line(data: bytes) -> None:
    refused = ""
    try:
        assert read_source(data).encoded() == data
    except DoesNotParse as error:
        refused = str(error)
    assert "\n" not in refused


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "the file is empty"),
        (b" \n\t\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"x = 1\ny = '\0'\n", "line 2: a NUL character"),
        ("x = 1".encode("utf-16-le"), "line 1: a NUL character: not source text, or UTF-16 without"),
        ("ok = 1\n# caf\u00e9\n".encode("latin-1"), "line 2: byte 0xe9 is not utf-8"),
        ("# caf\u00e9\n".encode() + "# caf\u00e9\n".encode("latin-1"), "line 2: byte 0xe9 is not utf-8"),
        (b"# coding: klingon\nx = 1\n", "line 1: its encoding 'klingon' is unknown"),
        (b"# coding: rot13\nx = 1\n", "line 1: its encoding 'rot13' is unknown"),
        (b"# coding: utf-7\nx = '+AGE-'\n", "its bytes are not what utf-7 writes"),
        (b"x = '" + b"a" * 5_000_000 + b"'", "longer than 2,000,000 characters"),
        (b"\xff\xfex", "not utf-16-le"),
        (b"\x80\x04\x95pickle", "line 1: byte 0x80 is not utf-8"),
    ],
)
def test_what_is_no_source_text_is_said(data: bytes, complaint: str) -> None:
    with pytest.raises(DoesNotParse, match=complaint):
        read_source(data)


def test_a_new_character_must_fit_the_encoding() -> None:
    text = read_source(b"# coding: latin-1\nx = 1\n")
    with pytest.raises(DoesNotParse, match="line 3: '\u65e5' is no character of latin-1"):
        text.changed(text.text + "\u65e5").encoded()
