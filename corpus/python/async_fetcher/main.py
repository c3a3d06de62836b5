"""Fetches pages of an imagined site, some at a time, with retries and links to follow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

SITE = {
    "/": ["/news", "/shop", "/about"],
    "/news": ["/news/1", "/news/2", "/"],
    "/news/1": [],
    "/news/2": ["/lost", "/news/1"],
    "/shop": ["/shop/cart", "/busy"],
    "/shop/cart": ["/shop"],
    "/about": [],
    "/busy": ["/end"],
    "/end": [],
}
FAILURES = {"/busy": 2, "/about": 9}


class Missing(Exception):
    pass


class Busy(Exception):
    pass


class Server:
    """Answers in as many steps as the path has slashes; some pages fail a few times first."""

    def __init__(self) -> None:
        self.left = dict(FAILURES)
        self.open = self.most_open = self.requests = 0

    async def __aenter__(self) -> Server:
        print("connected")
        return self

    async def __aexit__(self, kind, error, trace) -> bool:
        print("disconnected after", self.requests, "requests")
        return False

    async def get(self, path: str) -> list[str]:
        self.requests += 1
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            for _ in range(path.count("/")):
                await asyncio.sleep(0)
            if path not in SITE:
                raise Missing(path)
            if self.left.get(path, 0) > 0:
                self.left[path] -= 1
                raise Busy(path)
            return SITE[path]
        finally:
            self.open -= 1


def retrying(times: int, *kinds: type[Exception]):
    """Decorates a coroutine function: the call is repeated if it raises one of some errors."""

    def decorate(function: Callable[..., Awaitable]):
        async def call(*args):
            for attempt in range(times + 1):
                try:
                    return await function(*args)
                except kinds:
                    if attempt == times:
                        raise

        return call

    return decorate


class Crawler:
    def __init__(self, server: Server, at_once: int) -> None:
        self.server = server
        self.gate = asyncio.Semaphore(at_once)
        self.depth_of = {"/": 0}
        self.problems: dict[str, str] = {}

    @retrying(2, Busy)
    async def fetch(self, path: str) -> list[str]:
        async with self.gate:
            return await self.server.get(path)

    async def visit(self, path: str) -> list[str]:
        try:
            return await self.fetch(path)
        except (Missing, Busy) as error:
            self.problems[path] = type(error).__name__
            return []

    async def levels(self, deepest: int) -> AsyncIterator[list[str]]:
        """The paths of each level, beginning with the start; a page belongs to its first level."""
        level, paths = 0, ["/"]
        while paths and level <= deepest:
            yield paths
            level += 1
            following = []
            for links in await asyncio.gather(*map(self.visit, paths)):
                for link in links:
                    if link not in self.depth_of:
                        self.depth_of[link] = level
                        following.append(link)
            paths = following


async def head(path: str) -> int:
    """The number of links of one page, without a crawler."""
    async with Server() as server:
        return len(await server.get(path))


async def crawl(at_once: int, deepest: int) -> None:
    async with Server() as server:
        crawler = Crawler(server, at_once)
        async for paths in crawler.levels(deepest):
            print(f"  level {crawler.depth_of[paths[0]]}:", *paths)
        print("  problems:", crawler.problems, "open at once:", server.most_open)


if __name__ == "__main__":
    asyncio.run(crawl(at_once=2, deepest=9))
    asyncio.run(crawl(at_once=5, deepest=1))
