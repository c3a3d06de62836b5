"""A ledger in which every posting balances, and a transaction happens whole or not at all."""

from collections import defaultdict
from contextlib import contextmanager


class Refused(Exception):
    """A posting that the rules of the ledger forbid."""


class Ledger:
    def __init__(self):
        self.balances = defaultdict(int)  # cents
        self.limits = {}
        self.journal = []

    def open(self, account, overdraft=0):
        if account in self.limits:
            raise Refused(f"{account} is open already")
        self.limits[account] = -overdraft

    @contextmanager
    def transaction(self, title):
        """Undoes what was posted inside the block if the block raises ``Refused``."""
        before = dict(self.balances)
        mark = len(self.journal)
        try:
            yield self
            self.check_limits()
        except Refused as reason:
            self.balances = defaultdict(int, before)
            del self.journal[mark:]
            print(f"{title}: refused, {reason}")
        else:
            print(f"{title}: {len(self.journal) - mark} postings")

    def post(self, source, target, cents):
        for account in (source, target):
            if account not in self.limits:
                raise Refused(f"no account {account}")
        if cents <= 0:
            raise Refused("an amount is positive")
        self.balances[source] -= cents
        self.balances[target] += cents
        self.journal.append((source, target, cents))

    def check_limits(self):
        for account in sorted(self.limits):
            if self.balances[account] < self.limits[account]:
                raise Refused(f"{account} would be at {format_cents(self.balances[account])}")

    def split(self, source, targets, cents):
        """Shares an amount; the first targets get the cents that do not divide."""
        share, rest = divmod(cents, len(targets))
        for position, target in enumerate(targets):
            self.post(source, target, share + (1 if position < rest else 0))

    def statement(self, account):
        running = 0
        for source, target, cents in self.journal:
            if account == target:
                running += cents
                yield f"+{format_cents(cents)} from {source}", running
            elif account == source:
                running -= cents
                yield f"-{format_cents(cents)} to {target}", running

    def close(self, account):
        if account not in self.limits:
            raise Refused(f"no account {account}")
        if self.balances[account] != 0:
            raise Refused(f"{account} is not empty")
        del self.limits[account]


def format_cents(cents):
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def main():
    ledger = Ledger()
    ledger.open("cash", overdraft=1_000_000)
    for name in ("ada", "bela", "cleo"):
        ledger.open(name, overdraft=5000 if name == "bela" else 0)
    with ledger.transaction("wages") as book:
        book.post("cash", "ada", 120_050)
        book.post("cash", "cleo", 80_000)
    with ledger.transaction("rent"):
        ledger.post("ada", "cleo", 50_000)
        ledger.post("bela", "cleo", 5_001)
    with ledger.transaction("gift"):
        ledger.split("bela", ["ada", "cleo", "cash"], 5000)
    with ledger.transaction("mistake"):
        ledger.post("ada", "dora", 1)
    for line, running in ledger.statement("ada"):
        print(f"  {line:<22}{format_cents(running):>10}")
    print({name: format_cents(ledger.balances[name]) for name in sorted(ledger.limits)})
    print("sum:", sum(ledger.balances.values()))


main()
