"""The key of an answer in the store. Requests with one key get one answer."""

from __future__ import annotations

from pytest_codereason.core import Request, digest, shallow


def name_answer(identity: str, request: Request, *, by_seed: bool = False) -> str:
    """The store key of an answer. It covers everything that shapes the answer.

    Args:
        identity: the digest of what identifies the model.
        by_seed: whether the model draws its answers by the seed of the suite.
    """
    # The keys of other answers stay what they always were.
    again = [request.repeat] if request.repeat else []
    seed = request.instance.seed if by_seed and request.sampling.temperature > 0 else 0
    seeds = [{"seed": seed}] if seed else []
    return digest(
        identity,
        [[m.role, m.content] for m in request.ask.messages],
        request.ask.prefill,
        request.ask.prefill_stop,
        shallow(request.sampling),
        request.sample,
        request.step,
        *again,
        *seeds,
    )
