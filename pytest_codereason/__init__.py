"""pytest-codereason: does a language model understand code? Asked, and measured, with pytest."""

__version__ = "0.1.0"
