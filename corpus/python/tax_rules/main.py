"""Prices an order: rules hand a receipt on to each other and may end the chain."""

from bisect import bisect_right
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from functools import reduce

CENT = Decimal("0.01")


class Receipt:
    def __init__(self, lines):
        self.lines = tuple(lines)
        self.notes = []
        self.entries = []

    @property
    def goods(self):
        return sum((price * count for _, count, price, _ in self.lines), Decimal(0))

    @property
    def total(self):
        return self.goods + sum((amount for _, amount in self.entries), Decimal(0))

    def enter(self, title, amount):
        if amount:
            self.entries.append((title, amount))


class Rule:
    """One link of the chain."""

    def __init__(self):
        self.following = None

    def then(self, rule):
        self.following = rule
        return rule

    def handle(self, receipt):
        if self.apply(receipt) is not False and self.following:
            return self.following.handle(receipt)
        return receipt

    def apply(self, receipt):
        """Changes the receipt; returning False ends the chain."""
        raise NotImplementedError


class Minimum(Rule):
    def __init__(self, least):
        super().__init__()
        self.least = Decimal(least)

    def apply(self, receipt):
        if receipt.goods < self.least:
            receipt.notes.append(f"orders begin at {self.least}")
            return False
        return True


class QuantityDiscount(Rule):
    """Percent off a line by the number of pieces."""

    def __init__(self, steps):
        super().__init__()
        if not all(0 <= percent <= 100 for percent in steps.values()):
            raise ValueError("a discount is 0 to 100 percent")
        self.bounds, self.percents = zip(*sorted(steps.items()))

    def percent(self, count):
        position = bisect_right(self.bounds, count)
        return self.percents[position - 1] if position else 0

    def apply(self, receipt):
        for name, count, price, _ in receipt.lines:
            off = count * price * self.percent(count) / 100
            receipt.enter(f"discount on {name}", -off.quantize(CENT, ROUND_HALF_UP))


class Coupon(Rule):
    def __init__(self, amount, from_goods):
        super().__init__()
        self.amount, self.from_goods = Decimal(amount), Decimal(from_goods)

    def apply(self, receipt):
        if receipt.goods >= self.from_goods:
            receipt.enter("coupon", -min(self.amount, receipt.total))
        else:
            receipt.notes.append(f"the coupon needs {self.from_goods}")


class Postage(Rule):
    FREE_FROM = Decimal(100)

    def apply(self, receipt):
        if receipt.total >= self.FREE_FROM:
            receipt.notes.append("free delivery")
            return
        pieces = sum(count for _, count, _, _ in receipt.lines)
        receipt.enter("postage", Decimal("4.90") + Decimal("0.35") * max(0, pieces - 10))


class SalesTax(Rule):
    RATES = {"food": Decimal("0.07"), "other": Decimal("0.19")}

    def apply(self, receipt):
        """The tax contained in the total, shared among the kinds of goods by their value."""
        if not receipt.goods:
            return
        shares = {}
        for _, count, price, kind in receipt.lines:
            shares[kind] = shares.get(kind, 0) + count * price
        for kind in sorted(shares):
            gross = receipt.total * shares[kind] / receipt.goods
            tax = gross - gross / (1 + self.RATES[kind])
            cents = tax.quantize(CENT, ROUND_HALF_UP)
            receipt.notes.append(f"contains {cents} tax at {self.RATES[kind]:.0%}")


class CashRounding(Rule):
    """To five cents; exactly between two steps, to the even number of steps."""

    def apply(self, receipt):
        steps = (receipt.total / Decimal("0.05")).quantize(Decimal(1), ROUND_HALF_EVEN)
        receipt.enter("rounding", steps * Decimal("0.05") - receipt.total)


def build_chain(first, *rules):
    reduce(Rule.then, rules, first)
    return first


def price_order(chain, text):
    lines = []
    for part in text.split(","):
        name, count, price, *kind = part.split()
        if int(count) < 1:
            raise ValueError(f"{count} pieces of {name}")
        lines.append((name, int(count), Decimal(price), kind[0] if kind else "other"))
    return chain.handle(Receipt(lines))


def main():
    discounts = QuantityDiscount({5: 5, 20: 12})
    chain = build_chain(Minimum("10"), discounts, Coupon("7.50", "40"), Postage(), SalesTax())
    for order in ["lamp 1 39.99", "tea 20 3.15 food, cup 5 4.25", "pen 4 1.20", "desk 1 107.50"]:
        receipt = price_order(chain, order)
        print(f"{order}: {receipt.total:.2f}")
        for title, amount in receipt.entries:
            print(f"   {title} {amount:+.2f}")
        print("  ", "; ".join(receipt.notes))
    print(discounts.percent(4), discounts.percent(19), discounts.percent(500))


if __name__ == "__main__":
    main()
