"""An exception on its way to another process."""

from __future__ import annotations

import pickle

from pytest_codereason.engine.sharing.messages import make_portable


class Odd(Exception):
    """An exception that can be pickled, but not made again."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one)


def raise_it(error: Exception) -> Exception:
    try:
        raise error
    except Exception as raised:
        return make_portable(raised)


def test_an_exception_keeps_its_class_and_where_it_was_raised() -> None:
    copy = pickle.loads(pickle.dumps(raise_it(ValueError("too hot"))))
    assert isinstance(copy, ValueError)
    assert "in raise_it" in copy.__notes__[0]


def test_one_that_cannot_be_copied_becomes_its_traceback() -> None:
    copy = raise_it(Odd("too hot", "here"))
    assert isinstance(copy, RuntimeError)
    assert "Odd: too hot" in str(copy)
