"""Which programs count as near copies."""

from __future__ import annotations

import random
import re

from pytest_codereason.harvest.sets.near_copies import NEAR, NearCopies, sign
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


def find_likeness(changed: int) -> tuple[float, bool]:
    """How alike two texts of 1,000 words are of which so many differ, as signatures see it; and whether one is left."""
    words = [f"word{i}" for i in range(1000)]
    other = words[: 1000 - changed] + [f"other{i}" for i in range(changed)]
    first, second = {"a": " ".join(words)}, {"a": " ".join(other)}
    copies = NearCopies()
    copies.add("one", first)
    return float((sign(first) == sign(second)).mean()), copies.add("two", second) is not None


def test_from_four_fifths_in_common_on_a_program_is_left_out() -> None:
    found = dict(map(find_likeness, range(60, 160, 4)))
    assert {likeness for likeness, is_left in found.items() if is_left} == {each for each in found if each >= 0.8}
    assert min(abs(each - 0.8) for each in found if each >= 0.8) < 0.02
    assert min(abs(each - 0.8) for each in found if each < 0.8) < 0.02


def test_the_likeness_is_told_and_a_copy_does_not_count_as_a_program() -> None:
    words = [f"word{i}" for i in range(1000)]
    copies = NearCopies()
    texts = [" ".join([*words[changed:], *(f"other{i}" for i in range(changed))]) for changed in (0, 80, 160)]
    assert copies.add("one", {"a": texts[0]}) is None
    copy = copies.add("two", {"a": texts[1]})
    assert copy is not None
    assert copy.likeness == round(float((sign({"a": texts[0]}) == sign({"a": texts[1]})).mean()), 2)
    assert copies.add("three", {"a": texts[2]}) is None, "it is near the copy alone"


def test_files_count_in_the_order_of_their_names_whatever_these_are() -> None:
    first, second = script("price"), script("tax")
    both = sign({"a.py": first, "b.py": second})
    assert (both == sign({"b.py": second, "a.py": first})).all()
    assert (both == sign({"shop/a.py": first, "shop/b.py": second})).all()
    assert not (both == sign({"a.py": first})).all()
