"""Small repositories for tests."""

from __future__ import annotations

from pathlib import Path

MIT = """\
MIT License

Copyright (c) 2020 Jane Doe <jane@example.org>

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
#: What makes a file long enough.
FILLER = "".join(f"value_{i} = {i}\n" for i in range(20))


def script(name: str, last: str = "") -> str:
    """A program of Python with five calls between its functions; ``name`` keeps it from being a copy of another."""
    lines = [f"def {name}_{i}(x):\n    return {name}_{i + 1}(x + {i}) * {i}\n\n" for i in range(9)]
    return f"{''.join(lines)}def {name}_9(x):\n    return x\n\nprint({name}_5(1))\n{last}\n"


def write_repository(folder: Path, files: dict[str, str], licence: str = MIT) -> Path:
    """A folder with these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    folder.mkdir(exist_ok=True)
    if licence:
        (folder / "LICENSE").write_text(licence)
    return folder
