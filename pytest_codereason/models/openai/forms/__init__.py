"""The forms in which providers take batches, each a file with one class.

To add a form, add a file, and write its name as ``batch`` into the row of its provider (``models/providers.py``).
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from pytest_codereason.models.openai.forms._http import HttpBatching

#: The form of a server by the end of its host, where the user gives an address.
HOSTS: Mapping[str, str] = {".azure.com": "azure"}


def find_form(name: str) -> type[HttpBatching]:
    """The form of that name, such as ``anthropic``."""
    module = importlib.import_module(f"{__name__}.{name}")
    kinds = (each for each in vars(module).values() if isinstance(each, type) and issubclass(each, HttpBatching))
    return next(kind for kind in kinds if kind.__module__ == module.__name__)
