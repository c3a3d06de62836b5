"""Checks what a model gives as its reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from pytest_codereason.core import Completion, Model, Usage
from pytest_codereason.core.answers import Finish
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import BadResult, name_type

#: What each field of a completion may be, and what a message calls it.
_FIELDS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "text": ((str,), "a str"),
    "reasoning": ((str, type(None)), "a str or None"),
    "served_by": ((str, type(None)), "a str or None"),
    "usage": ((Usage,), "a Usage"),
}


def check_completion(model: Model, reply: object) -> Completion:
    """The reply of a model, if it is a completion that can be read and stored.

    Raises:
        BadResult: it is something else; says what to return.
    """
    if not isinstance(reply, Completion):
        raise BadResult(
            model, "answer", f"answer must return a Completion, not {name_type(reply)}: write Completion(text=...)"
        )
    for name, (kinds, what) in _FIELDS.items():
        value = getattr(reply, name)
        if not isinstance(value, kinds):
            raise BadResult(model, "answer", f"{name} of the Completion must be {what}, not {name_type(value)}")
    if reply.finish not in (known := get_args(Finish)):
        hint = suggest_name(str(reply.finish), known)
        complaint = f"finish of the Completion cannot be {reply.finish!r}{hint}: it is one of {', '.join(known)}"
        raise BadResult(model, "answer", complaint)
    return reply
