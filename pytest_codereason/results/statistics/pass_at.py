"""pass@k and pass^k: the chance that one, or each, of k samples of a question is right."""

from __future__ import annotations

import math


def estimate_pass_at(k: int, samples: int, right: int) -> float:
    """pass@k of one question, from the number of its ``samples`` (at least k) and of those that are ``right``.

    The unbiased estimator is 1 - C(n - c, k) / C(n, k) over n samples of which c are right.

    Source: Chen et al. 2021, "Evaluating Large Language Models Trained on Code", section 2.1.
    """
    return 1 - math.comb(samples - right, k) / math.comb(samples, k)


def estimate_pass_every(k: int, samples: int, right: int) -> float:
    """pass^k of one question, from the number of its ``samples`` (at least k) and of those that are ``right``.

    The unbiased estimator is C(c, k) / C(n, k) over n samples of which c are right.

    Source: Yao et al. 2024, "tau-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains", section 3.
    """
    return math.comb(right, k) / math.comb(samples, k)
