"""Huffman codes: a tree from letter counts, bits from the tree, and the text back from the bits."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from functools import singledispatch


@dataclass(frozen=True)
class Leaf:
    letter: str
    weight: int


@dataclass(frozen=True)
class Fork:
    zero: Leaf | Fork
    one: Leaf | Fork

    @property
    def weight(self) -> int:
        return self.zero.weight + self.one.weight


@singledispatch
def smallest_letter(node) -> str:
    raise TypeError(f"{node!r} is no node")


@smallest_letter.register
def smallest_of_leaf(node: Leaf) -> str:
    return node.letter


@smallest_letter.register
def smallest_of_fork(node: Fork) -> str:
    return min(smallest_letter(node.zero), smallest_letter(node.one))


@singledispatch
def codes(node, prefix: str = "") -> dict[str, str]:
    raise TypeError(f"{node!r} is no node")


@codes.register
def codes_of_leaf(node: Leaf, prefix: str = "") -> dict[str, str]:
    # A text of one letter only still needs a bit for each.
    return {node.letter: prefix or "0"}


@codes.register
def codes_of_fork(node: Fork, prefix: str = "") -> dict[str, str]:
    return codes(node.zero, prefix + "0") | codes(node.one, prefix + "1")


@singledispatch
def write_tree(node) -> str:
    raise TypeError(f"{node!r} is no node")


@write_tree.register
def write_of_leaf(node: Leaf) -> str:
    return node.letter


@write_tree.register
def write_of_fork(node: Fork) -> str:
    return f"({write_tree(node.zero)}{write_tree(node.one)})"


def build_tree(text: str) -> Leaf | Fork:
    if not text:
        raise ValueError("an empty text has no tree")
    nodes = [Leaf(letter, count) for letter, count in Counter(text).items()]
    heap = [(node.weight, smallest_letter(node), node) for node in nodes]
    heapq.heapify(heap)
    while len(heap) > 1:
        *_, zero = heapq.heappop(heap)
        *_, one = heapq.heappop(heap)
        fork = Fork(zero, one)
        heapq.heappush(heap, (fork.weight, smallest_letter(fork), fork))
    return heap[0][2]


def canonical(table: dict[str, str]) -> dict[str, str]:
    """Codes of the same lengths that follow from the lengths alone."""
    result, code, length = {}, 0, 0
    for letter in sorted(table, key=lambda letter: (len(table[letter]), letter)):
        code <<= len(table[letter]) - length
        length = len(table[letter])
        result[letter] = f"{code:0{length}b}"
        code += 1
    return result


def encode(text: str, table: dict[str, str]) -> str:
    return "".join(map(table.__getitem__, text))


def decode(bits: str, table: dict[str, str]) -> str:
    letters = {code: letter for letter, code in table.items()}
    text, code = [], ""
    for bit in bits:
        code += bit
        if code in letters:
            text.append(letters[code])
            code = ""
    if code:
        raise ValueError(f"{code!r} is left over")
    return "".join(text)


def main() -> None:
    text = "sassafras as a sauce"
    tree = build_tree(text)
    print(write_tree(tree), tree.weight)
    table = codes(tree)
    short = canonical(table)
    print({letter: short[letter] for letter in sorted(short)})
    bits = encode(text, short)
    print(len(bits), "bits instead of", 8 * len(text))
    print(decode(bits, short) == text, len(encode(text, table)) == len(bits))
    print(encode("zzz", codes(build_tree("zzz"))))
    try:
        decode(bits[:-1], short)
    except ValueError as error:
        print("damaged:", error)


if __name__ == "__main__":
    main()
