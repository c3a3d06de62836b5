"""Which programs count as near copies."""

from __future__ import annotations

import random
import re

from pytest_codereason.harvest.near_copies import NEAR, NearCopies, sign
from tests.harvest.code import script


def measure(first: str, second: str) -> float:
    """The likeness without estimation: the share of runs of five tokens that two texts have in common."""
    runs = []
    for text in (first, second):
        tokens = re.findall(r"\w+|[^\w\s]", text)
        runs.append({tuple(tokens[i : i + 5]) for i in range(len(tokens) - 4)})
    return len(runs[0] & runs[1]) / len(runs[0] | runs[1])


def test_the_signature_estimates_the_likeness() -> None:
    words = [f"word{i}" for i in range(2000)]
    draws = random.Random(1)
    for share in (0.0, 0.02, 0.05, 0.2):
        changed = [draws.choice(words) if draws.random() < share else word for word in words]
        first, second = " ".join(words), " ".join(changed)
        estimate = float((sign({"a": first}) == sign({"a": second})).mean())
        assert abs(estimate - measure(first, second)) < 0.12


def test_a_near_copy_is_found_and_another_program_stays() -> None:
    copies = NearCopies()
    assert copies.add("one", {"a.py": script("price")}) is None
    assert copies.add("two", {"a.py": script("tax")}) is None
    copy = copies.add("three", {"main.py": "# a copy\n" + script("price")})
    assert copy is not None
    assert copy.of == "one"
    assert copy.likeness >= NEAR
    assert copies.add("empty", {"a.py": ""}) is None
    assert copies.add("strange", {"a.py": "\ud800 = 1"}) is None
