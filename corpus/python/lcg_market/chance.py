"""Numbers that look like chance and are the same each time."""


class Chance:
    """A linear congruential generator."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return (self.state >> 8) % limit

    def pick(self, items):
        return items[self.below(len(items))]

    def shuffled(self, items):
        mixed = list(items)
        for place in range(len(mixed) - 1, 0, -1):
            other = self.below(place + 1)
            mixed[place], mixed[other] = mixed[other], mixed[place]
        return mixed

    def fork(self):
        return Chance(self.below(2**20))
