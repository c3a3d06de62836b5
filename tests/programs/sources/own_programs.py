"""Rows of a file with a user's own programs."""

from __future__ import annotations

from typing import Any

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
