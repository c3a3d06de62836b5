"""GitHub's search, asked of a server of our own that has its limits."""

from __future__ import annotations

import re

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.harvest.repositories.github import GitHub, add_language
from tests.harvest.github_server import Search, serve


def ask(search: Search, query: str, said: list[str] | None = None, waits: list[float] | None = None) -> list[str]:
    said, waits = said if said is not None else [], waits if waits is not None else []
    with serve(search) as address:
        return GitHub(address=address, token="secret-token", say=said.append, sleep=waits.append).search(query)


def test_more_than_1000_repositories_are_found_by_ranges_of_stars() -> None:
    search = Search([50 + (i * i) % 5000 for i in range(3500)] + [90_000], [])
    assert len(ask(search, "license:mit stars:>=50 language:python")) == 3501
    assert all(query.startswith("license:mit language:python stars:") for query in search.queries)
    assert search.tokens == {"Bearer secret-token"}


@pytest.mark.parametrize(
    ("query", "count"), [("stars:60..69", 10), ("stars:>98", 1), ("stars:<=9", 10), ("stars:7", 1), ("", 50)]
)
def test_a_range_of_stars_is_kept(query: str, count: int) -> None:
    assert len(ask(Search([*range(100)], []), query)) == count


def test_a_crowd_with_one_number_of_stars_is_cut_aloud() -> None:
    said: list[str] = []
    assert len(ask(Search([50] * 1200 + [60], []), "stars:>=50", said)) == 1001
    assert said == ["GitHub finds 1,200 repositories with 50 stars and gives 1,000 of them"]


@pytest.mark.parametrize(
    ("failure", "wait"),
    [
        ((429, {"Retry-After": "7"}), 7),
        ((403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}), 1),
        ((403, {"Retry-After": "60"}), 60),
        ((502, {}), 1),
    ],
)
def test_a_limit_is_waited_for(failure: tuple[int, dict[str, str]], wait: float) -> None:
    waits: list[float] = []
    assert len(ask(Search([50], [failure]), "stars:50", waits=waits)) == 1
    assert waits == [wait]


@pytest.mark.parametrize(
    ("failures", "query", "message"),
    [
        ([(401, {})], "stars:50", "GitHub refuses the token in GITHUB_TOKEN"),
        ([(422, {})], "stars:50", "--github-query: GitHub answers 422: so says 422"),
        ([(403, {"x-ratelimit-remaining": "9"})], "stars:50", "--github-query: GitHub answers 403: so says 403"),
        ([(429, {"Retry-After": "99999"})], "stars:50", "--github-query: GitHub answers 429: so says 429"),
        ([(502, {})] * 6, "stars:50", "so says 502; run the same command again later"),
        ([], "stars:many", "--github-query: stars:many is no range; write stars:>=50 or stars:50..500"),
    ],
)
def test_a_search_that_cannot_succeed(failures: list[tuple[int, dict[str, str]]], query: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        ask(Search([50], [*failures]), query)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(UsageError, match=r"Connection refused; run the same command again later"):
        GitHub(address="http://127.0.0.1:9", say=lambda line: None, sleep=lambda seconds: None).search("stars:50")


def test_a_query_gets_the_language_unless_it_has_one() -> None:
    assert add_language("stars:50", "java") == "stars:50 language:java"
    assert add_language("stars:50 language:c", "java") == "stars:50 language:c"
