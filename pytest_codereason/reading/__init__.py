"""Reads text from outside, such as a model's reply, in a process that can be stopped.

Every parser is slow somewhere: tree-sitter takes minutes for 100,000 characters of ``-->``, and while it parses no
other thread of the process runs. A function that parses text from outside is therefore decorated::

    @bounded
    def read_value(reply: str, *, language: Language) -> Candidate: ...

It works as before. A text of more than :data:`SMALL` characters is read by a second process, and a text that takes the
second process more than :data:`CPU_S` seconds raises :class:`TakesTooLong`. Any function and any language will do. What
is passed in and out must be possible to pickle.
"""

from pytest_codereason.reading.limits import CPU_S, SMALL, bounded, close_worker

__all__ = ["CPU_S", "SMALL", "bounded", "close_worker"]
