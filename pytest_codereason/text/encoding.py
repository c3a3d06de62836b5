"""Source files as text, and back to the same bytes."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from pytest_codereason.core.structure import MAX_SOURCE
from pytest_codereason.errors import DoesNotParse

#: Byte order marks, the longer before those they begin with.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: PEP 263: in a comment on the first or second line.
_DECLARED = re.compile(rb"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
#: Bytes read of a file at most: no character takes more than four.
_MAX_BYTES = 4 * MAX_SOURCE + 4


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's text as it stands in it: line ends, tabs and a missing last line end are kept."""

    text: str
    encoding: str = "utf-8"
    mark: bytes = b""  #: the byte order mark before it

    def encoded(self) -> bytes:
        """The bytes of the file.

        Raises:
            DoesNotParse: the text has a character that its encoding has not.
        """
        try:
            return self.mark + self.text.encode(self.encoding)
        except UnicodeEncodeError as error:
            line = self.text.count("\n", 0, error.start) + 1
            raise DoesNotParse(f"{self.text[error.start]!r} is no character of {self.encoding}", line=line) from None

    def changed(self, text: str) -> SourceText:
        """Another text in the same encoding."""
        return SourceText(text, self.encoding, self.mark)


def read_source(source: Path | bytes, *, encoding: str = "utf-8") -> SourceText:
    """The text of a program's file.

    A byte order mark decides its encoding, else a declaration as PEP 263 has it, else ``encoding``.

    Raises:
        DoesNotParse: it is empty, too long, holds NUL characters, or is not in that encoding; the line
            is that of the first byte that does not fit.
        OSError: the file cannot be read.
    """
    if isinstance(source, Path):
        with source.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    else:
        data = source
    if len(data) > _MAX_BYTES:
        raise DoesNotParse(f"longer than {MAX_SOURCE:,} characters")
    mark, named = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", ""))
    decoded = _text(data, mark, named or _declared(data) or encoding)
    if not decoded.text.strip():
        raise DoesNotParse("the file is empty")
    if "\0" in decoded.text:
        line = decoded.text.count("\n", 0, decoded.text.index("\0")) + 1
        raise DoesNotParse("a NUL character: not source text, or UTF-16 without a byte order mark", line=line)
    if len(decoded.text) > MAX_SOURCE:
        raise DoesNotParse(f"longer than {MAX_SOURCE:,} characters")
    return decoded


def _declared(data: bytes) -> str:
    match = _DECLARED.match(data)
    return match[1].decode("ascii", "replace") if match else ""


def _text(data: bytes, mark: bytes, encoding: str) -> SourceText:
    body = data[len(mark) :]
    try:
        text = SourceText(body.decode(encoding), encoding, mark)
    except LookupError:
        raise DoesNotParse(f"its encoding {encoding!r} is unknown", line=1) from None
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise DoesNotParse(f"byte {body[error.start]:#04x} is not {encoding}", line=line) from None
    except UnicodeError as error:
        raise DoesNotParse(f"it is not {encoding}: {error}") from None
    # Some codecs read what they would never write; changed and written back, such a file would be another.
    if text.encoded() != data:
        raise DoesNotParse(f"its bytes are not what {encoding} writes")
    return text
