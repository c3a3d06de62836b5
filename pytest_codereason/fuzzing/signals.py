"""Ends an example, or a whole search, early.

None of these is an ``Exception``: a test does not catch them, and to Hypothesis they are no failing examples.
"""

from __future__ import annotations


class Cut(BaseException):
    """This example goes no further: its program cannot be asked about, for the reason given."""


class Waits(Cut):
    """This example goes no further until its answer is there."""


class Spent(BaseException):
    """Nothing more is asked: what may be asked or paid is used up; says which limit."""


class Troubled(BaseException):
    """A question got no answer, for a reason that says nothing about the model."""
