"""Puzzles of choice solved by remembered recursion, with a look at what remembering saves."""

from functools import update_wrapper
from typing import NamedTuple


class remembered:
    """Decorates a function of hashable arguments: each value is computed once."""

    everything = []

    def __init__(self, function):
        update_wrapper(self, function)
        self.function = function
        self.values = {}
        self.calls = 0
        remembered.everything.append(self)

    def __call__(self, *arguments):
        self.calls += 1
        if arguments not in self.values:
            self.values[arguments] = self.function(*arguments)
        return self.values[arguments]

    @property
    def saved(self):
        return self.calls - len(self.values)

    def forget(self):
        self.values.clear()
        self.calls = 0

    @classmethod
    def report(cls):
        for each in cls.everything:
            if each.calls:
                yield f"{each.__name__}: {each.calls} calls, {each.saved} saved"


class Thing(NamedTuple):
    name: str
    weight: int
    worth: int


class Choice(NamedTuple):
    worth: int = 0
    names: tuple = ()

    def __add__(self, thing):
        return Choice(self.worth + thing.worth, (thing.name, *self.names))

    def better(self, other):
        """Of equally good choices the one with fewer things."""
        return max(self, other, key=lambda choice: (choice.worth, -len(choice.names)))


@remembered
def pack(things, room):
    """The best choice of things whose weights fit; each thing at most once."""
    if not things:
        return Choice()
    first, rest = things[0], things[1:]
    without = pack(rest, room)
    if first.weight > room:
        return without
    return without.better(pack(rest, room - first.weight) + first)


@remembered
def fewest_coins(amount, coins):
    if amount == 0:
        return ()
    ways = (fewest_coins(amount - coin, coins) for coin in coins if coin <= amount)
    best = min((way for way in ways if way is not None), key=len, default=None)
    if best is None:
        return None
    coin = amount - sum(best)
    return (coin, *best)


@remembered
def ways_up(steps, strides=(1, 2)):
    if steps <= 0:
        return int(steps == 0)
    return sum(ways_up(steps - stride, strides) for stride in strides)


@remembered
def cut_value(length, prices):
    """The best price for a bar that may be cut into pieces; piece i + 1 brings ``prices[i]``."""
    pieces = range(1, min(length, len(prices)) + 1)
    return max((prices[piece - 1] + cut_value(length - piece, prices) for piece in pieces), default=0)


@remembered
def longest_common(left, right):
    if not left or not right:
        return ""
    if left[0] == right[0]:
        return left[0] + longest_common(left[1:], right[1:])
    return max(longest_common(left[1:], right), longest_common(left, right[1:]), key=len)


def main():
    things = (
        Thing("tent", 9, 150),
        Thing("stove", 5, 35),
        Thing("rope", 3, 60),
        Thing("boots", 4, 160),
        Thing("book", 1, 30),
        Thing("lamp", 2, 60),
    )
    for room in (10, 16, 0):
        choice = pack(things, room)
        print(f"room {room}: worth {choice.worth}, take {', '.join(choice.names) or 'nothing'}")
    print("coins:", fewest_coins(63, (1, 10, 21, 25)), fewest_coins(7, (5, 3)))
    print("stairs:", ways_up(30), ways_up(5, (1, 3)))
    print("bar:", cut_value(8, (1, 5, 8, 9, 10, 17, 17)))
    print(*remembered.report(), sep="\n")


if __name__ == "__main__":
    main()
