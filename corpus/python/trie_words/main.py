"""A dictionary as a tree of letters: completion, wildcards, and near misses."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from heapq import nsmallest


class Trie(MutableMapping):
    """Maps words to how often they were added; behaves like a dictionary sorted by word."""

    def __init__(self, words=()):
        self.children: dict[str, Trie] = {}
        self.count = 0  # 0 means: no word ends here
        for word in words:
            self.add(word)

    def add(self, word: str) -> None:
        self[word] = self.get(word, 0) + 1

    def _node(self, word: str) -> Trie | None:
        node = self
        for letter in word:
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def __getitem__(self, word: str) -> int:
        node = self._node(word)
        if node is None or not node.count:
            raise KeyError(word)
        return node.count

    def __setitem__(self, word: str, count: int) -> None:
        if count < 1:
            raise ValueError(f"{word!r} cannot be there {count} times")
        node = self
        for letter in word:
            node = node.children.setdefault(letter, Trie())
        node.count = count

    def __delitem__(self, word: str) -> None:
        """Branches without a word are cut off."""
        if word not in self:
            raise KeyError(word)
        self._remove(word)

    def _remove(self, word: str) -> bool:
        if not word:
            self.count = 0
        elif self.children[word[0]]._remove(word[1:]):
            del self.children[word[0]]
        return not self.children and not self.count

    def __iter__(self) -> Iterator[str]:
        if self.count:
            yield ""
        for letter in sorted(self.children):
            for rest in self.children[letter]:
                yield letter + rest

    def __len__(self) -> int:
        return bool(self.count) + sum(map(len, self.children.values()))

    def __bool__(self) -> bool:
        return bool(self.count or self.children)

    def complete(self, prefix: str, most: int = 3) -> list[str]:
        """The most frequent words with a prefix."""
        node = self._node(prefix)
        if node is None:
            return []
        found = ((-count, prefix + rest) for rest, count in node.items())
        return [word for _, word in nsmallest(most, found)]

    def fill_in(self, pattern: str) -> Iterator[str]:
        """Words that fit a pattern in which ``?`` is any letter and ``*`` any letters."""
        if not pattern:
            if self.count:
                yield ""
            return
        first, rest = pattern[0], pattern[1:]
        if first == "*":
            yield from self.fill_in(rest)
            rest = pattern
        for letter in sorted(self.children):
            if first in "?*" or first == letter:
                for ending in self.children[letter].fill_in(rest):
                    yield letter + ending

    def near(self, word: str, most: int = 1) -> dict[str, int]:
        """Words within some edits (a letter inserted, removed or replaced), with their number."""
        if most < 0:
            raise ValueError("edits cannot be negative")
        found: dict[str, int] = {}
        self._near("", word, list(range(len(word) + 1)), most, found)
        return found

    def _near(self, path: str, word: str, row: list[int], most: int, found: dict[str, int]) -> None:
        # The row holds the distance of the path to each prefix of the word.
        if self.count and row[-1] <= most:
            found[path] = row[-1]
        if min(row) > most:
            return
        for letter in sorted(self.children):
            following = [row[0] + 1]
            for place, wanted in enumerate(word, start=1):
                replaced = row[place - 1] + (wanted != letter)
                following.append(min(replaced, row[place] + 1, following[-1] + 1))
            self.children[letter]._near(path + letter, word, following, most, found)

    def longest_prefix(self, text: str) -> str:
        """The longest word with which a text begins, or an empty text."""
        node, best = self, ""
        for length, letter in enumerate(text, start=1):
            node = node.children.get(letter)
            if node is None:
                break
            if node.count:
                best = text[:length]
        return best


def segment(trie: Trie, text: str) -> list[str]:
    """Cuts a text into words, always taking the longest; letters that begin no word stay alone."""
    parts = []
    while text:
        part = trie.longest_prefix(text) or text[0]
        parts.append(part)
        text = text[len(part) :]
    return parts


def main() -> None:
    words = "car cart care card cat cap care car car do dog dot cater a at".split()
    trie = Trie(words)
    print(len(trie), "words:", *trie)
    print("ca:", trie.complete("ca"), "x:", trie.complete("x"))
    print("?a?:", *trie.fill_in("?a?"), "| *t*:", *trie.fill_in("*t*"))
    print("near cort:", trie.near("cort"), trie.near("dg", 2))
    del trie["cart"]
    print("cart" in trie, trie.pop("cat"), "cater" in trie, len(trie))
    print(segment(trie, "caterdogxat"))
    try:
        del trie["ca"]
    except KeyError as error:
        print("no word", error)


if __name__ == "__main__":
    main()
