"""Reads text from outside, such as a model's reply, in a process that can be stopped.

Every parser is slow for some text. For example, tree-sitter takes minutes for 100,000 characters of ``-->``. While it
parses, no other thread of the process runs. A function that parses text from outside is therefore decorated::

    @bounded("reply")
    def read_value(reply: str, *, language: Language) -> Candidate: ...

The function gives the same result as before. A ``reply`` of more than :data:`SMALL` characters is read by a second
process, however long the other arguments are. A reply that takes this process more than :data:`CPU_S` seconds raises
:class:`TakesTooLong`. The decorator works for every function whose arguments and results can be pickled.
"""

from pytest_codereason.core.reading.limits import CPU_S, GIVEN_UP, SMALL, bounded, close_reader

__all__ = ["CPU_S", "GIVEN_UP", "SMALL", "bounded", "close_reader"]
