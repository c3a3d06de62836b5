from collections import Counter

COINS = (200, 100, 50, 20, 10)
SCRIPT = """
refill A1 crisps 120 2
refill B2 tea 90 9
coin 100
select A1
coin 50
select A1
coin 200
coin 7
select B2
coin 50
coin 20
coin 20
select B2
coin 20
cancel
select C3
coin 200
select A1
coin 100
select A1
select A1
refund please
"""


class Machine:
    """Sells from slots; changes nothing when it cannot give the right change."""

    def __init__(self, float_coins):
        self.coins = Counter(float_coins)
        self.inserted = Counter()
        self.slots = {}
        self.earned = 0

    @property
    def credit(self):
        return total(self.inserted)

    def run(self, line):
        match line.split():
            case ["coin", amount]:
                return self.insert(int(amount))
            case ["select", slot] if slot in self.slots:
                return self.sell(slot)
            case ["select", slot]:
                return f"no slot {slot}"
            case ["refill", slot, name, price, count]:
                return self.refill(slot, name, int(price), int(count))
            case ["cancel"]:
                return self.cancel()
            case ["report" | "status"]:
                return self.report()
            case [word, *rest]:
                return f"{word}? ({len(rest)} words ignored)"

    def insert(self, amount):
        if amount not in COINS:
            return f"coin {amount} returned"
        self.inserted[amount] += 1
        return f"credit {self.credit}"

    def refill(self, slot, name, price, count):
        old_name, _, old_count = self.slots.get(slot, (name, price, 0))
        kept = old_count if old_name == name else 0
        self.slots[slot] = (name, price, kept + count)
        return f"{slot}: {kept + count} {name}"

    def sell(self, slot):
        name, price, count = self.slots[slot]
        if not count:
            return f"{name} is sold out"
        if self.credit < price:
            return f"{name} costs {price}, {price - self.credit} more"
        till = self.coins + self.inserted
        change = make_change(self.credit - price, till)
        if change is None:
            return "no change, pay exactly"
        self.coins = till - change
        self.inserted.clear()
        self.slots[slot] = (name, price, count - 1)
        self.earned += price
        return f"{name}, change {show(change)}"

    def cancel(self):
        returned = show(self.inserted)
        self.inserted.clear()
        return f"returned {returned}"

    def report(self):
        empty = [slot for slot, (_, _, count) in self.slots.items() if count == 0]
        return f"earned {self.earned}, coins {show(self.coins)}, empty {empty}"


def total(coins):
    return sum(coin * count for coin, count in coins.items())


def make_change(amount, till, coins=COINS):
    """The coins for an amount, as many large ones as possible; None if the till cannot pay it."""
    if amount == 0:
        return Counter()
    if not coins:
        return None
    coin, *smaller = coins
    for count in range(min(till[coin], amount // coin), -1, -1):
        rest = make_change(amount - coin * count, till, smaller)
        if rest is not None:
            return rest + Counter({coin: count})
    return None


def show(coins):
    parts = [f"{coins[coin]}x{coin}" for coin in COINS if coins[coin]]
    return "+".join(parts) if parts else "nothing"


def main():
    machine = Machine({50: 1, 20: 4})
    for line in SCRIPT.strip().splitlines():
        print(f"{line}: {machine.run(line)}")


if __name__ == "__main__":
    main()
