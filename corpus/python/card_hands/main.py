"""Poker hands: names them, ranks them, and counts what a stub of the deck can still bring."""

from collections import Counter
from functools import cached_property, total_ordering
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "chds"


class Card:
    __slots__ = ("rank", "suit")
    _made = {}

    def __new__(cls, text):
        """One object for each card, however often it is named."""
        if text not in cls._made:
            if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
                raise ValueError(f"no card {text!r}")
            card = super().__new__(cls)
            card.rank, card.suit = RANKS.index(text[0]) + 2, text[1]
            cls._made[text] = card
        return cls._made[text]

    def __repr__(self):
        return RANKS[self.rank - 2] + self.suit

    def __lt__(self, other):
        return self.rank < other.rank


@total_ordering
class Hand:
    def __init__(self, cards):
        self.cards = sorted(cards, reverse=True)
        if len(set(self.cards)) != 5:
            raise ValueError(f"a hand is five different cards, not {len(set(self.cards))}")

    @classmethod
    def parse(cls, text):
        return cls(map(Card, text.split()))

    @cached_property
    def groups(self):
        """Ranks with how often they occur, the most frequent first, of equals the higher."""
        counts = Counter(card.rank for card in self.cards)
        return sorted(counts.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)

    @property
    def is_flush(self):
        return len({card.suit for card in self.cards}) == 1

    @property
    def straight_top(self):
        """The highest rank of a straight, or 0; an ace may stand below a two."""
        ranks = [card.rank for card in self.cards]
        if ranks == [14, 5, 4, 3, 2]:
            return 5
        steps = {high - low for high, low in zip(ranks, ranks[1:])}
        return ranks[0] if steps == {1} else 0

    @cached_property
    def value(self):
        shape = tuple(count for _, count in self.groups)
        order = [rank for rank, _ in self.groups]
        top = self.straight_top
        if top and self.is_flush:
            return 8, [top]
        if shape == (4, 1):
            return 7, order
        if shape == (3, 2):
            return 6, order
        if self.is_flush:
            return 5, order
        if top:
            return 4, [top]
        return {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(shape, 0), order

    NAMES = "high card,pair,two pairs,three,straight,flush,full house,four,straight flush".split(",")

    @property
    def name(self):
        return self.NAMES[self.value[0]]

    def __eq__(self, other):
        return self.value == other.value

    def __lt__(self, other):
        return self.value < other.value

    def __str__(self):
        return " ".join(map(repr, self.cards)) + f" ({self.name})"


def best_of(cards):
    return max(map(Hand, combinations(cards, 5)))


def winners(board, pockets):
    """The players with the best hand, and that hand."""
    shared = [Card(text) for text in board.split()]
    hands = {player: best_of([*shared, *map(Card, pocket.split())]) for player, pocket in pockets.items()}
    best = max(hands.values())
    return [player for player, hand in hands.items() if hand == best], best


def outs(cards):
    """What the next card makes of a hand: how many cards lead to each name."""
    unseen = [Card(rank + suit) for rank in RANKS for suit in SUITS]
    return Counter(best_of([*cards, card]).name for card in unseen if card not in cards)


def main():
    texts = ["Ah 2d 3c 4s 5h", "Kd Kh 7s 7c 2h", "9c 8c 7c 6c Tc", "2s 2h 2d As Ah", "Qd 9d 4d 3d 2d"]
    texts.append("Kc Ks 7h 7d 3d")
    for hand in sorted(map(Hand.parse, texts), reverse=True):
        print(hand)
    for pockets in [{"Ann": "Ah 3c", "Bob": "Kd Kc"}, {"Ann": "As 5d", "Bob": "5c Ad", "Cyd": "6s 4s"}]:
        names, hand = winners("Ks Qh 7d 7s 2s", pockets)
        print(" and ".join(names), "with", hand)
    print(Card("Ah") is Card("Ah"), Hand.parse(texts[0]) < Hand.parse("2h 3d 4c 5s 6h"))
    for wrong in ("Ah Ah 2c 3c 4c", "1h 2c 3c 4c 5c"):
        try:
            Hand.parse(wrong)
        except ValueError as error:
            print(error)


if __name__ == "__main__":
    main()
