"""What the processes of a forked run tell each other, through a channel that pickles it."""

from __future__ import annotations

import pickle
import traceback
from typing import NamedTuple

from pytest_codereason.engine.tallies import AnswerTally

# --- from a worker ------------------------------------------------------------------------------------------


class Stretch(NamedTuple):
    """Where the lines of a question stand in the file that a worker writes."""

    start: int
    size: int


class Told(NamedTuple):
    """What became of a question."""

    number: int
    #: why adaptive asking did not need it where it is a text; what whoever waits for it is to raise where it is an
    #: exception
    result: AnswerTally | str | Exception
    lines: Stretch | bytes = b""  #: the lines themselves if the file cannot be written


class Warned(NamedTuple):
    """A warning of Python."""

    message: str
    category: type[Warning]
    file: str
    line: int


class Dispatch(NamedTuple):
    """What a worker has to tell."""

    told: tuple[Told, ...] = ()
    warned: tuple[Warned, ...] = ()
    stops: tuple[tuple[str, str], ...] = ()  #: why no model is asked any more, a reason for each label
    failure: Exception | None = None  #: why it asks nothing


# --- to a worker --------------------------------------------------------------------------------------------


class LetBegin(NamedTuple):
    """Questions to a model may begin, up to a number."""

    model: str
    most: int


class AskAgain(NamedTuple):
    """A question is asked once more."""

    number: int


class StopAsking(NamedTuple):
    """No further question is asked. Answers in flight are stored."""


WorkerOrder = LetBegin | AskAgain | StopAsking


def make_portable(error: Exception) -> Exception:
    """The error with its traceback as a note. One that cannot be pickled becomes its traceback."""
    trace = "".join(traceback.format_exception(error))
    try:
        error.add_note(trace)
        copy = pickle.loads(pickle.dumps(error))
        assert isinstance(copy, Exception)
        return copy
    except Exception:  # whatever a class of a user's own does when it is copied
        return RuntimeError(trace)
