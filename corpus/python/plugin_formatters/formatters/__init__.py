"""Formats for tables. A new format is a module here with a subclass of ``Formatter``."""

from . import marked, plain  # noqa: F401  (importing them installs their formats)
from .base import UnknownFormat, choose, installed

__all__ = ["UnknownFormat", "choose", "installed"]
