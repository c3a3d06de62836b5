"""Signals that end an example, or a whole search, early.

They are not of type ``Exception``, so a test does not catch them, and Hypothesis does not count them as failures.
"""

from __future__ import annotations


class ExampleEnd(BaseException):
    """Ends an example whose program cannot be asked about. The text gives the reason."""


class AnswerPending(ExampleEnd):
    """Ends an example that waits for an answer."""


class LimitReached(BaseException):
    """Ends a search, because a limit of requests or money is reached. The text names the limit."""


class NoAnswer(BaseException):
    """Ends a search, because a question got no answer for a reason that is not the model's fault."""


class Mistake(BaseException):
    """Ends a test that asks in a way that is not possible. The text says what is wrong."""
