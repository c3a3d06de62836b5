"""All errors of this package. They have one root, :class:`CodereasonError`."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Mapping
from pathlib import Path


class CodereasonError(Exception):
    """The root of all errors of this package. ``str(error)`` is one line for the user."""


class UsageError(CodereasonError):
    """A mistake of the user. The message says what is wrong, where, and what would work. The exit code is 4."""


class NotHere(UsageError):
    """A suite needs data or a package that this machine does not have. Other suites of a folder can be asked."""


class NotFetched(UsageError):
    """A public file could not be fetched. The message is the reason alone."""


class BadSetting(UsageError):
    """The setting ``key`` is unknown, or its value is not allowed. The caller adds file and line."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class UnknownKey(BadSetting):
    """A table has no key of this name."""


class BadArgument(UsageError):
    """An argument of a model is unknown, or its value is not allowed.

    ``key`` is the argument. ``complaint`` says what is wrong with it, for a caller who knows where it was written.
    """

    def __init__(self, message: str, *, key: str, complaint: str) -> None:
        super().__init__(message)
        self.key = key
        self.complaint = complaint


class UnknownArgument(BadArgument):
    """A model has no such argument. ``hint`` says what to write in its place."""

    def __init__(self, message: str, *, key: str, complaint: str, hint: str) -> None:
        super().__init__(message, key=key, complaint=complaint)
        self.hint = hint


class PartError(CodereasonError):
    """A part, such as a task of a user's own, raised an exception.

    ``str(error)`` is one line: ``the task mine.greet:Greet raised KeyError: 'name' (greet.py, line 12)``.
    ``trace`` is the traceback for the author of the part. It begins at the first frame outside this package.
    """

    def __init__(self, part: str, cause: BaseException) -> None:
        super().__init__(f"{part} raised {describe_error(cause)}")
        self.part = part
        self.trace = format_traceback(cause)

    def at(self, place: str) -> PartError:
        """This error of a part that a file names: ``mine.suite.toml: the task mine.greet:Greet raised KeyError``."""
        located = PartError.__new__(PartError)
        CodereasonError.__init__(located, f"{place}: {self}")
        located.part, located.trace = self.part, self.trace
        return located


class BadResult(PartError):
    """A part returned something that it must not return, such as a verdict with an unknown outcome.

    ``str(error)`` is one line: ``the task mine.greet:Greet (greet.py, line 9): steps must return a Verdict, not None``.
    Nothing was raised in the part, so ``trace`` is no traceback: it is the file and the line of the method.

    Args:
        part: the part.
        method: the method that returned it.
        complaint: what is wrong, and what to do.
    """

    def __init__(self, part: object, method: str, complaint: str) -> None:
        self.part = name_part(part)
        code = getattr(inspect.unwrap(getattr(type(part), method)), "__code__", None)
        place = f" ({Path(code.co_filename).name}, line {code.co_firstlineno})" if code else ""
        self.trace = f'  File "{code.co_filename}", line {code.co_firstlineno}, in {method}' if code else ""
        CodereasonError.__init__(self, f"{self.part}{place}: {complaint}")


class MissingCapability(CodereasonError):
    """A language cannot do what was asked of it; says which language and which capability."""


class NotALiteral(CodereasonError):
    """A text is not a literal of its language."""


class DoesNotParse(CodereasonError):
    """A text is not a program of its language. ``line`` counts from 1; 0 means that no line is to blame."""

    def __init__(self, message: str, *, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


class TakesTooLong(NotALiteral, DoesNotParse):
    """A text takes more time or memory to read than any honest text. It counts as no literal and as no program."""


class Refused(CodereasonError):
    """A text cannot take the form that was asked for: it would end the comment that holds it."""


class Skip(CodereasonError):
    """There is no such question. It is counted with the reason, and no model is asked."""


class NoText(Skip):
    """No text of a kind that a question wants passes its check.

    Args:
        message: why, for people.
        rejections: how many texts of the rule failed, by place and reason: see :attr:`Record.rejections`.
    """

    def __init__(self, message: str, rejections: Mapping[str, Mapping[str, int]]) -> None:
        super().__init__(message)
        self.rejections = rejections


class NothingToChange(Skip):
    """A perturbation finds nothing of its kind in a program. The question is asked about the unchanged program."""


class BadEdit(CodereasonError):
    """Edits cannot be applied together, or not to this text. The message says which, and why."""


class LostPlace(BadEdit):
    """A change removes a line or a text that a fact names, or moves such a text in two pieces."""


class SandboxError(CodereasonError):
    """A program could not be run at all. This is a failure of the infrastructure, never a wrong answer."""


class MissingInterpreter(SandboxError):
    """An interpreter is missing, too old, or does not work. The message says what to install."""


class ModelError(CodereasonError):
    """A model gave no answer. This is a failure of the infrastructure, never a wrong answer."""

    #: whether nobody pays for the request: it was not sent, or the server refused it
    unbilled = True
    #: the status of a server's reply, ``None`` where there was none
    status: int | None = None


class TransientModelError(ModelError):
    """The request is worth repeating: a rate limit, an overloaded server, a broken connection, a malformed reply.

    ``retry_after`` is the number of seconds that the server asks for, or ``None``. Unless the error
    is ``unbilled``, the server may have worked on the request.
    """

    def __init__(self, message: str, *, retry_after: float | None = None, unbilled: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.unbilled = unbilled


class FatalModelError(ModelError):
    """No question will be answered: the key is bad, the quota is spent, the model is unknown. The run stops."""


class BudgetSpent(FatalModelError):
    """The spending limit allows no further question."""


class TimeSpent(FatalModelError):
    """The time limit allows no further question."""


class BrokenSeal(CodereasonError):
    """The seal of a run folder is damaged; the message says how."""


class StoreError(CodereasonError):
    """The answer store cannot be read or written."""


#: Errors of this package that a part lets out by mistake. Their subclasses say why there is no such question.
_OWN_MISTAKES = (BadEdit, NotALiteral, Refused)


class blame:
    """Runs code of a part; any exception in it becomes a :class:`PartError` that names the part::

        with blame(task):
            steps = task.steps(instance)

    Errors of this package that a part raises on purpose pass unchanged: ``Skip``, ``ModelError``. Others are its own
    mistake: edits that overlap, a text read as a literal that is none.
    """

    __slots__ = ("_part",)  # a class: every perturbation comes by here, and a generator costs five times as much

    def __init__(self, part: object) -> None:
        self._part = part

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and (not isinstance(error, CodereasonError) or type(error) in _OWN_MISTAKES):
            raise PartError(name_part(self._part), error) from error


def find_traceback(error: BaseException | None) -> str:
    """The traceback of the :class:`PartError` from which an error comes, or which it is; else empty."""
    while error is not None and not isinstance(error, PartError):
        error = error.__cause__
    return "" if error is None else error.trace


def explain(error: CodereasonError) -> str:
    """What a user is told: the message, and the traceback of a part below it."""
    return f"{error}\n{error.trace}" if isinstance(error, PartError) and error.trace else str(error)


def name_part(part: object) -> str:
    """What to call a part in a message: ``the task mine.greet:Greet``, for a class of it as for an object.

    A text is the name of a part that is no class, such as a command.
    """
    if isinstance(part, str):
        return part
    own = part if isinstance(part, type) else type(part)
    ours = [base.__name__.lower() for base in own.__mro__ if base.__module__.startswith(f"{__package__}.")]
    path = f"{own.__module__}:{own.__qualname__}"
    return f"the {ours[-1]} {path}" if ours else path


def name_type(value: object) -> str:
    """What to call the type of a value in a message: ``int``, ``None``."""
    return "None" if value is None else type(value).__name__


def describe_error(error: BaseException) -> str:
    """An exception in one line, with the last line of outside code in it: ``KeyError: 'x' (a.py, line 3)``."""
    message = " ".join(str(error).split())
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    outside = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_outside(frame)]
    return f"{text} ({Path(outside[-1].filename).name}, line {outside[-1].lineno})" if outside else text


def describe_file_error(error: Exception) -> str:
    """Why a file cannot be read or written, in words and without a path: ``No such file or directory``."""
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}"
    if isinstance(error, FileExistsError):
        return "a file of that name is in the way"
    return (error.strerror if isinstance(error, OSError) else "") or str(error)


def format_traceback(error: BaseException) -> str:
    """The traceback of an exception, from the first frame of outside code on; the whole one if there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    first = next((index for index, frame in enumerate(frames) if _is_outside(frame)), 0)
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames[first:])]
    return "".join([*lines, *traceback.format_exception_only(error)]).rstrip()


def _is_outside(frame: traceback.FrameSummary) -> bool:
    """Whether a frame is code of a user: neither this package's, nor the standard library's."""
    if frame.filename.startswith(("<frozen ", _PACKAGE)):
        return False
    installed = "site-packages" in frame.filename or "dist-packages" in frame.filename
    return installed or not frame.filename.startswith(_LIBRARY)


_PACKAGE = f"{Path(__file__).parent}/"
_LIBRARY = f"{Path(traceback.__file__).parent}/"
