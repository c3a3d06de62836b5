"""Rows of a file with a user's own programs."""

from __future__ import annotations

from typing import Any

from pytest_codereason.core import Language, Value
from pytest_codereason.languages.python.values import PythonValues

ROW: dict[str, Any] = {"id": "add", "language": "python", "code": "def f(a, b):\n    return a + b", "call": "f(1, 2)"}
SHAPES: dict[str, Any] = {
    "id": "area",
    "language": "python",
    "files": {
        "main.py": "from lib import side\ndef f(n):\n    return n * side()\n",
        "lib.py": "def side():\n    return 4",
    },
    "entry": "main.py",
    "call": "f(3)",
}


class CarelessValues(PythonValues):
    """Raises what no reader of a literal may raise."""

    def read(self, text: str) -> Value:
        raise RuntimeError("no value")


class Careless(Language):
    """Reads nothing."""

    name, fence, title, suffixes = "careless", "careless", "Careless", (".careless",)
    values = CarelessValues()
