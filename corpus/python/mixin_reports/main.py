"""Reports built from mixins: every mixin adds one thing and passes the rest on with super()."""


class Report:
    """The end of every chain: a title and rows of (label, amount)."""

    def __init__(self, title, **options):
        if options:
            raise TypeError(f"no mixin takes {', '.join(sorted(options))}")
        self.title = title
        self.rows = []

    def add(self, label, amount):
        self.rows.append((label, amount))
        return self

    def body(self):
        return list(self.rows)

    def header(self):
        return [self.title]

    def footer(self):
        return []

    def line(self, label, amount):
        return f"{label:<10}{amount:>8}"

    def render(self):
        return [*self.header(), *(self.line(*row) for row in self.body()), *self.footer()]


class Totals:
    def footer(self):
        total = sum(amount for _, amount in self.body())
        return [*super().footer(), self.line("total", total)]


class Averages:
    def footer(self):
        amounts = [amount for _, amount in self.body()]
        lines = super().footer()
        return [*lines, self.line("average", sum(amounts) // len(amounts))] if amounts else lines


class Merged:
    """Rows with one label become one row, in the place of the first of them."""

    def body(self):
        merged = {}
        for label, amount in super().body():
            merged[label] = merged.get(label, 0) + amount
        return list(merged.items())


class Largest:
    def __init__(self, *args, largest=3, **options):
        super().__init__(*args, **options)
        self.largest = largest

    def body(self):
        rows = sorted(super().body(), key=lambda row: -row[1])
        kept, rest = rows[: self.largest], rows[self.largest :]
        if rest:
            kept.append((f"{len(rest)} others", sum(amount for _, amount in rest)))
        return kept


class Ruled:
    mark = "-"

    def header(self):
        return self.rule_off(super().header())

    def footer(self):
        lines = super().footer()
        return [self.mark * 18, *lines] if lines else lines

    def rule_off(self, lines):
        return [*lines, self.mark * max(map(len, lines))]


class DoubleRuled(Ruled):
    mark = "="


class Shares:
    """Adds to each line how many percent of the whole its amount is."""

    def line(self, label, amount):
        whole = sum(amount for _, amount in self.body())
        share = f"{100 * amount / whole:>5.0f}%" if whole else "    -"
        return super().line(label, amount) + share


class Shouting:
    def header(self):
        return [line.upper() for line in super().header()]

    def line(self, label, amount):
        return super().line(label.capitalize(), amount)


class Guarded:
    """Refuses amounts below zero before they reach the report."""

    def add(self, label, amount):
        if amount < 0:
            raise ValueError(f"{label}: {amount} is negative")
        return super().add(label, amount)


class Expenses(Shouting, Ruled, Totals, Merged, Report):
    pass


class Votes(Guarded, DoubleRuled, Shares, Largest, Report):
    pass


class Summary(Shares, Totals, Largest, Merged, Report):
    def __init__(self, *args, **options):
        options.setdefault("largest", 1)
        super().__init__(*args, **options)

    def footer(self):
        return [*super().footer(), f"({' > '.join(base.__name__ for base in type(self).__mro__[1:-1])})"]


def main():
    expenses = [("rent", 700), ("food", 31), ("train", 88), ("food", 54)]
    votes = [("ant", 5), ("bee", 9), ("cat", 0)]
    for make, rows in [(Expenses, expenses), (Summary, expenses), (Votes, votes)]:
        report = make(make.__name__.lower())
        for row in rows:
            report.add(*row)
        print("\n".join(report.render()))
    print(*Votes("nobody", largest=1).render(), sep="\n")
    try:
        Votes("wrong", smallest=2)
    except TypeError as error:
        print(error)


if __name__ == "__main__":
    main()
