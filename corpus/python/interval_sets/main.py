"""Sets of numbers as unions of intervals, for opening hours."""

from itertools import chain


class Interval:
    """From ``start``, included, to ``end``, not included."""

    __slots__ = ("end", "start")

    def __init__(self, start, end):
        if end < start:
            raise ValueError(f"an interval cannot end at {end} before it starts at {start}")
        self.start, self.end = start, end

    def __len__(self):
        return self.end - self.start

    def __repr__(self):
        return f"{clock(self.start)}-{clock(self.end)}"

    def clip(self, start, end):
        start, end = max(self.start, start), min(self.end, end)
        return Interval(start, end) if start < end else None


class Times:
    """Never holds empty intervals, nor two that touch or overlap."""

    def __init__(self, *intervals):
        self.intervals = []
        for interval in sorted((each for each in intervals if len(each)), key=lambda each: each.start):
            if self.intervals and interval.start <= self.intervals[-1].end:
                last = self.intervals.pop()
                interval = Interval(last.start, max(last.end, interval.end))
            self.intervals.append(interval)

    @classmethod
    def parse(cls, text):
        """``9:00-12:30, 14-18``; what goes past midnight is cut in two."""
        parts = []
        for part in filter(None, map(str.strip, text.split(","))):
            if part.count("-") != 1:
                raise ValueError(f"no interval: {part}")
            start, end = map(minutes, part.split("-"))
            parts += [Interval(start, end)] if start <= end else [Interval(start, DAY), Interval(0, end)]
        return cls(*parts)

    def __or__(self, other):
        return Times(*self, *other)

    def __and__(self, other):
        clipped = (one.clip(two.start, two.end) for one in self for two in other)
        return Times(*filter(None, clipped))

    def __invert__(self):
        edges = [0, *chain.from_iterable((each.start, each.end) for each in self), DAY]
        return Times(*map(Interval, edges[::2], edges[1::2]))

    def __sub__(self, other):
        return self & ~other

    def __xor__(self, other):
        return (self | other) - (self & other)

    def __contains__(self, minute):
        low, high = 0, len(self.intervals)
        while low < high:
            middle = (low + high) // 2
            if self.intervals[middle].end <= minute:
                low = middle + 1
            else:
                high = middle
        return low < len(self.intervals) and self.intervals[low].start <= minute

    def __iter__(self):
        return iter(self.intervals)

    def __bool__(self):
        return bool(self.intervals)

    def __eq__(self, other):
        return repr(self) == repr(other)

    def __le__(self, other):
        return not self - other

    def __lshift__(self, minutes_earlier):
        """Everything earlier; what would begin before midnight is cut off."""
        moved = (Interval(each.start - minutes_earlier, each.end - minutes_earlier) for each in self)
        return Times(*filter(None, (each.clip(0, DAY) for each in moved)))

    def __repr__(self):
        return ", ".join(map(repr, self)) or "closed"

    @property
    def total(self):
        return sum(map(len, self))

    def next_open(self, minute):
        """The first minute at or after one that belongs to the times, or None."""
        if minute in self:
            return minute
        return next((each.start for each in self if each.start > minute), None)


DAY = 24 * 60


def minutes(text):
    hours, _, rest = text.strip().partition(":")
    result = int(hours) * 60 + int(rest or 0)
    if not 0 <= result <= DAY or int(rest or 0) > 59:
        raise ValueError(f"no time of day: {text.strip()}")
    return result


def clock(minute):
    return "{}:{:02}".format(*divmod(minute, 60))


def main():
    shop = Times.parse("9-12:30, 14:00-18:30, 12:15-13")
    bar = Times.parse("17:00-2:00")
    print("shop:", shop, "| bar:", bar)
    for sign, times in {"or": shop | bar, "and": shop & bar, "minus": bar - shop, "xor": shop ^ bar}.items():
        print(f"{sign:>6}: {times} ({times.total} minutes)")
    print("closed:", ~shop, "| never:", ~Times(Interval(0, DAY)))
    checks = [minutes(text) in shop for text in ("8:59", "9:00", "12:59", "13:00", "18:30")]
    print(checks, clock(shop.next_open(minutes("13:00"))), shop.next_open(minutes("18:30")))
    print(Times.parse("10-11") <= shop, Times.parse("8-10") <= shop, ~~shop == shop)
    for text in ("25-26", "7-9-11"):
        try:
            print(Times.parse(text))
        except ValueError as error:
            print("error:", error)


if __name__ == "__main__":
    main()
