"""The values of options, read from text."""

from __future__ import annotations

import pytest

from pytest_codereason.core.text.settings import parse_shard, split_urls
from pytest_codereason.errors import UsageError


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("http://a:8000/v1", ("http://a:8000/v1",)),
        ("http://a/v1,https://b/v1 , http://a/v1", ("http://a/v1", "https://b/v1")),
        ("http://user:pass,word@a/v1", ("http://user:pass,word@a/v1",)),
    ],
)
def test_a_comma_between_addresses_parts_them(text: str, urls: tuple[str, ...]) -> None:
    assert split_urls(text) == urls


def set_array(monkeypatch: pytest.MonkeyPatch, **values: int | None) -> None:
    for name, value in values.items():
        if value is None:
            monkeypatch.delenv(f"SLURM_ARRAY_TASK_{name}", raising=False)
        else:
            monkeypatch.setenv(f"SLURM_ARRAY_TASK_{name}", str(value))


@pytest.mark.parametrize(("first", "last", "job", "part"), [(1, 4, 1, 0), (1, 4, 4, 3), (0, 3, 2, 2)])
def test_the_part_of_a_job_of_an_array(
    monkeypatch: pytest.MonkeyPatch, first: int, last: int, job: int, part: int
) -> None:
    set_array(monkeypatch, ID=job, MIN=first, MAX=last, COUNT=4)
    assert parse_shard("slurm") == (part, 4)


@pytest.mark.parametrize(
    "array",
    [
        {"ID": 2, "MIN": 2, "MAX": 2, "COUNT": 1},
        {"ID": 1, "MIN": 1, "MAX": 1, "COUNT": 1},
        {"ID": 3, "MIN": 3, "MAX": 4, "COUNT": 2},
        {"ID": 1, "MIN": 1, "MAX": 7, "COUNT": 4},
        {"ID": None, "MIN": None, "MAX": None, "COUNT": None},
    ],
    ids=str,
)
def test_an_array_that_does_not_tell_the_number_of_parts_is_refused(
    monkeypatch: pytest.MonkeyPatch, array: dict[str, int | None]
) -> None:
    set_array(monkeypatch, **array)
    with pytest.raises(UsageError, match=r"^--eval-shard slurm: "):
        parse_shard("slurm")
