"""A cache of what was made of texts last."""

from __future__ import annotations

from pytest_codereason.core.recent import keep_recent


def test_results_are_kept_up_to_so_many_characters() -> None:
    computed: list[str] = []

    @keep_recent(characters=20)
    def double(text: str, others: tuple[str, ...]) -> str:
        computed.append(text)
        return 2 * text

    for text in ("a" * 5, "b" * 5, "a" * 5, "c" * 5):
        assert double(text, ("12345",)) == 2 * text
    assert computed == ["aaaaa", "bbbbb", "ccccc"]
    double("aaaaa", ("12345",))  # used after the second, which was forgotten
    assert len(computed) == 3
    double("bbbbb", ("12345",))
    assert len(computed) == 4
    for _ in range(2):
        double("d" * 100, ())  # longer than all that is kept
    assert computed[4:] == ["d" * 100]
    double.cache_clear()
    double("d" * 100, ())
    assert len(computed) == 6
