"""How repositories are put on the two sides."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.harvest.sets.splitting import split

COUNTS = st.dictionaries(st.sampled_from(["python", "java", "javascript"]), st.integers(1, 30), min_size=1)
SETS = st.dictionaries(st.text("abcdef", min_size=1), COUNTS, min_size=1, max_size=60)


@given(SETS, st.integers(0, 5))
def test_every_repository_has_one_side_whatever_the_order(programs: dict[str, dict[str, int]], seed: int) -> None:
    sides = split(programs, seed)
    assert [*sides] == sorted(programs)
    assert split(dict(reversed(programs.items())), seed) == sides


def test_each_language_has_its_share() -> None:
    programs = {f"r{i}": {"python": 1 + i % 30, **({"java": 1 + i % 7} if i % 3 else {})} for i in range(200)}
    tested, totals = Counter[str](), Counter[str]()
    sides = split(programs, 1)
    for name, counts in programs.items():
        totals.update(counts)
        tested.update(counts if sides[name] == "test" else {})
    for language, total in totals.items():
        assert 0.18 < tested[language] / total < 0.22
    assert split(programs, 2) != sides


def test_a_single_repository_is_for_training() -> None:
    assert split({"r": {"python": 9}}, 0) == {"r": "train"}
    assert split({}, 0) == {}
