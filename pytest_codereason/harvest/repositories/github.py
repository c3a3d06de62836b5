"""Finds repositories by GitHub's search, which gives 1,000 results a query: ranges of stars make more of it."""

from __future__ import annotations

import json
import math
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any

from pytest_codereason.core.files.caps import MOST_TEXT, parse_json
from pytest_codereason.errors import UsageError
from pytest_codereason.harvest.repositories.cloning import is_address

ADDRESS = "https://api.github.com"
#: Results of one query at most, and of one page.
MOST_RESULTS, _PAGE = 1000, 100
#: Stars of the least known repository, where a query does not say. The third study asks for as many.
LEAST_STARS = 50
_STARS = re.compile(r"(?:^|\s)stars:(\S+)")
_TIMEOUT_S = 30.0
_TRIES = 6
#: Seconds to wait at most for a limit to pass. GitHub counts by the minute and by the hour.
_LONGEST_WAIT_S = 3700.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHub:
    """GitHub, or a server that speaks like it."""

    address: str = ADDRESS
    token: str = ""
    say: Callable[[str], None] = print
    sleep: Callable[[float], None] = time.sleep

    def search(self, query: str) -> list[str]:
        """The addresses of all repositories that a query finds, in alphabetical order.

        Args:
            query: In GitHub's own words: ``stars:>=50 license:mit language:python``.

        Raises:
            UsageError: The query is refused, or GitHub cannot be reached.
        """
        low, high = read_range(query)
        rest = _STARS.sub("", query).strip()
        if high is None:
            best = self._ask(f"{rest} stars:>={low}", 1, size=1)["items"]
            high = max((int(item["stargazers_count"]) for item in best), default=low)
        addresses = {str(item["clone_url"]) for item in self._slice(rest, low, max(low, high))}
        return sorted(address for address in addresses if is_address(address))

    def _slice(self, rest: str, low: int, high: int) -> Iterator[dict[str, Any]]:
        """The repositories with so many stars, in as many queries as it takes."""
        words = f"{rest} stars:{low}..{high}"
        first = self._ask(words, 1)
        total = int(first["total_count"])
        if total > MOST_RESULTS and low < high:
            middle = min(high - 1, max(low, math.isqrt(low * high)))  # few repositories have many stars
            yield from self._slice(rest, low, middle)
            yield from self._slice(rest, middle + 1, high)
            return
        if total > MOST_RESULTS:
            self.say(f"GitHub finds {total:,} repositories with {low} stars and gives {MOST_RESULTS:,} of them")
        yield from first["items"]
        for page in range(2, math.ceil(min(total, MOST_RESULTS) / _PAGE) + 1):
            yield from self._ask(words, page)["items"]

    def _ask(self, words: str, page: int, *, size: int = _PAGE) -> dict[str, Any]:
        """One page of results. Waits where GitHub asks to."""
        query = {"q": words.strip(), "sort": "stars", "order": "desc", "per_page": size, "page": page}
        address = f"{self.address.rstrip('/')}/search/repositories?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(address, headers=self._list_headers())
        why = ""
        for number in range(_TRIES):
            try:
                with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
                    result = parse_json(answer.read(MOST_TEXT))
                if not isinstance(result, dict) or not isinstance(result.get("items"), list):
                    raise UsageError(f"{self.address} does not answer as GitHub does; name another --github-url")
                if not result.get("incomplete_results") or number == _TRIES - 1:
                    return result
                why, wait = "GitHub had no time to find all", 2.0**number
            except urllib.error.HTTPError as error:
                why = _read_complaint(error)
                wait = _find_wait(error, why, number)
            except (urllib.error.URLError, HTTPException, OSError, ValueError) as error:
                why, wait = str(getattr(error, "reason", None) or error), 2.0**number
            if number < _TRIES - 1:
                self.say(f"{why}; asking again in {wait:.0f} seconds")
                self.sleep(wait)
        raise UsageError(f"{self.address}: {why}; run the same command again later")

    def _list_headers(self) -> dict[str, str]:
        headers = {"Accept": "application/vnd.github+json", "User-Agent": "pytest-codereason"}
        return headers | ({"Authorization": f"Bearer {self.token}"} if self.token else {})


def add_language(query: str, language: str) -> str:
    """A query that finds repositories of one language only. The language of a query stays."""
    return query if re.search(r"(?:^|\s)language:", query) else f"{query} language:{language}".strip()


def read_range(query: str) -> tuple[int, int | None]:
    """The least and the most stars of a query; None stands for any number.

    Raises:
        UsageError: It is no range.
    """
    terms = _STARS.findall(query)
    if not terms:
        return LEAST_STARS, None
    number = r"(\d{1,9})"
    term = terms[0]
    if len(terms) == 1:
        if match := re.fullmatch(rf"(>=?){number}", term):
            return int(match[2]) + (match[1] == ">"), None
        if match := re.fullmatch(rf"(<=?){number}", term):
            return 0, int(match[2]) - (match[1] == "<")
        if match := re.fullmatch(rf"{number}(?:\.\.(\d{{1,9}}|\*))?", term):
            return int(match[1]), None if match[2] == "*" else int(match[2] or match[1])
    raise UsageError(f"--github-query: stars:{' stars:'.join(terms)} is no range; write stars:>=50 or stars:50..500")


def _find_wait(error: urllib.error.HTTPError, why: str, number: int) -> float:
    """Seconds until the next try.

    Raises:
        UsageError: No waiting helps.
    """
    headers = error.headers
    if error.code >= 500:
        return 2.0**number
    if error.code == 401:
        raise UsageError("GitHub refuses the token in GITHUB_TOKEN; set another one, or none") from error
    spent = "Retry-After" in headers or headers.get("x-ratelimit-remaining") == "0"
    if error.code == 429 or (error.code == 403 and spent):
        wait = 60.0
        if headers.get("Retry-After", "").isdigit():
            wait = float(headers["Retry-After"])
        elif headers.get("x-ratelimit-reset", "").isdigit():
            wait = max(0.0, float(headers["x-ratelimit-reset"]) - time.time()) + 1
        if wait <= _LONGEST_WAIT_S:
            return wait
    raise UsageError(f"--github-query: GitHub answers {error.code}: {why}") from error


def _read_complaint(error: urllib.error.HTTPError) -> str:
    """What a server says is wrong."""
    try:
        return str(json.loads(error.read(100_000))["message"])[:200]
    except (ValueError, KeyError, TypeError, OSError):
        return f"{error.code} {error.reason}"
