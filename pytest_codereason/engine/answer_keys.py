"""The key of an answer in the store. Requests with one key get one answer."""

from __future__ import annotations

from pytest_codereason.core import Request, digest, shallow


def name_answer(identity: str, request: Request) -> str:
    """The store key of an answer. It covers everything that shapes the answer.

    Args:
        identity: the digest of what identifies the model.
    """
    again = [request.repeat] if request.repeat else []  # the keys of other answers stay what they always were
    return digest(
        identity,
        [[m.role, m.content] for m in request.ask.messages],
        request.ask.prefill,
        request.ask.prefill_stop,
        shallow(request.sampling),
        request.sample,
        request.step,
        *again,
    )
