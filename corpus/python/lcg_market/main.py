"""A market of fish: buyers and sellers meet in an order book, day after day."""

import heapq
from abc import ABC, abstractmethod

from chance import Chance


class Trader(ABC):
    def __init__(self, name, money=100, fish=0):
        self.name, self.money, self.fish = name, money, fish

    @abstractmethod
    def wish(self, last_price, chance):
        """An order as ("buy" or "sell", price for one fish), or None."""

    def settle(self, fish, price):
        self.fish += fish
        self.money -= fish * price


class Fisher(Trader):
    """Catches fish every day, and asks for less the more is in the boat."""

    def wish(self, last_price, chance):
        self.fish += 1 + chance.below(3)
        return "sell", max(1, last_price + 2 - self.fish)


class Cook(Trader):
    """Eats up the fish of the day before, and pays up to a limit."""

    limit = 12

    def wish(self, last_price, chance):
        self.fish = 0
        offer = min(self.limit, last_price + chance.below(4))
        return ("buy", offer) if offer <= self.money else None


class Hotel(Cook):
    limit = 20

    def wish(self, last_price, chance):
        order = super().wish(last_price, chance)
        if order and self.money > 80:
            return "buy", min(order[1] + 3, self.limit)
        return order


class Dealer(Trader):
    """Buys below the mean of the last prices, and sells above it."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.seen = []

    def wish(self, last_price, chance):
        self.seen = [*self.seen[-4:], last_price]
        mean = sum(self.seen) / len(self.seen)
        if last_price < mean and self.money >= last_price + 1:
            return "buy", last_price + 1
        if last_price > mean and self.fish:
            return "sell", last_price - 1
        return None


class Book:
    """Open orders of one day: the best bid and the best ask meet first, of equals the older."""

    def __init__(self):
        self.bids, self.asks = [], []
        self.count = 0
        self.prices = []

    def place(self, side, price, trader):
        self.count += 1
        if side == "buy":
            heapq.heappush(self.bids, (-price, self.count, trader))
        else:
            heapq.heappush(self.asks, (price, self.count, trader))
        self.match()

    def match(self):
        while self.bids and self.asks and -self.bids[0][0] >= self.asks[0][0]:
            bid, bid_number, buyer = heapq.heappop(self.bids)
            ask, ask_number, seller = heapq.heappop(self.asks)
            # The order that waited in the book sets the price.
            price = -bid if bid_number < ask_number else ask
            buyer.settle(1, price)
            seller.settle(-1, price)
            self.prices.append(price)

    def spread(self):
        return self.asks[0][0] + self.bids[0][0] if self.bids and self.asks else None


def run_day(traders, last_price, chance):
    book = Book()
    for trader in chance.shuffled(traders):
        order = trader.wish(last_price, chance)
        if order:
            book.place(*order, trader)
    return book


def simulate(traders, days, seed, price=10):
    chance = Chance(seed)
    for day in range(1, days + 1):
        book = run_day(traders, price, chance)
        if book.prices:
            price = round(sum(book.prices) / len(book.prices))
        elif book.asks:
            price = max(1, price - 1)
        yield day, price, len(book.prices)


def main():
    traders = [Fisher("Finn", 0), Fisher("Fay", 0), Cook("Cleo"), Cook("Carl", 40)]
    traders += [Hotel("Ritz", 150), Dealer("Dot", fish=2)]
    money = sum(trader.money for trader in traders)
    history = list(simulate(traders, 14, seed=7))
    for day, price, sold in history[::3]:
        print(f"day {day:>2}: price {price:>2}, {sold} sold")
    for trader in sorted(traders, key=lambda trader: -trader.money):
        print(f"{type(trader).__name__} {trader.name}: {trader.money} coins, {trader.fish} fish")
    print("money kept:", sum(trader.money for trader in traders) == money)


if __name__ == "__main__":
    main()
