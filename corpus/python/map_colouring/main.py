"""A solver for problems of the form "give each variable a value so that all rules hold"."""

from itertools import combinations

BORDERS = "WA:NT,SA NT:WA,SA,QLD SA:WA,NT,QLD,NSW,VIC QLD:NT,SA,NSW NSW:QLD,SA,VIC VIC:SA,NSW TAS:"


class Problem:
    def __init__(self):
        self.domains = {}
        self.rules = []
        self.rules_of = {}
        self.tries = 0

    def add_variable(self, name, values):
        if name in self.domains:
            raise ValueError(f"{name} is a variable already")
        self.domains[name] = list(values)
        self.rules_of[name] = []

    def add_rule(self, names, test):
        """``test`` gets the values of the variables, in the order of their names, once all have one."""
        if not names:
            raise ValueError("a rule about nothing")
        rule = (tuple(names), test)
        self.rules.append(rule)
        for name in set(names):
            self.rules_of[name].append(rule)

    def solutions(self, on_dead_end=lambda assigned: None):
        self.tries = 0
        yield from self._extend({}, on_dead_end)

    def _extend(self, assigned, on_dead_end):
        if len(assigned) == len(self.domains):
            yield dict(assigned)
            return
        name = self._choose(assigned)
        values = self._possible(name, assigned)
        if not values:
            on_dead_end(assigned)
        for value in values:
            self.tries += 1
            assigned[name] = value
            yield from self._extend(assigned, on_dead_end)
            del assigned[name]

    def _choose(self, assigned):
        """The variable with the fewest possible values; of equals the one with the most rules."""
        waiting = [name for name in self.domains if name not in assigned]
        return min(waiting, key=lambda name: (len(self._possible(name, assigned)), -len(self.rules_of[name])))

    def _possible(self, name, assigned):
        return [value for value in self.domains[name] if self._allows(name, value, assigned)]

    def _allows(self, name, value, assigned):
        trial = {**assigned, name: value}
        for names, test in self.rules_of[name]:
            if all(other in trial for other in names) and not test(*(trial[other] for other in names)):
                return False
        return True

    def check(self, assigned):
        return all(test(*(assigned[name] for name in names)) for names, test in self.rules)


def differ(*values):
    return len(set(values)) == len(values)


def colour_map(colours):
    problem = Problem()
    regions = dict(entry.split(":") for entry in BORDERS.split())
    for region in regions:
        problem.add_variable(region, colours)
    for region, neighbours in regions.items():
        for neighbour in filter(None, neighbours.split(",")):
            if region < neighbour:
                problem.add_rule([region, neighbour], differ)
    return problem


def dinner():
    """Who sits where, numbered along one side of a table."""
    problem = Problem()
    guests = ["Ana", "Ben", "Cai", "Dot"]
    for guest in guests:
        problem.add_variable(guest, range(1, 5))
    for pair in combinations(guests, 2):
        problem.add_rule(pair, differ)
    problem.add_rule(["Ana", "Ben"], lambda ana, ben: abs(ana - ben) > 1)
    problem.add_rule(["Cai", "Dot"], lambda cai, dot: cai < dot)
    problem.add_rule(["Dot"], lambda dot: dot != 4)
    return problem


def main():
    australia = colour_map(["red", "green", "blue"])
    first = next(australia.solutions())
    print(first)
    print("tried", australia.tries, "values; all:", sum(1 for _ in australia.solutions()))
    ends = []
    two = colour_map(["red", "green"])
    print("two colours:", list(two.solutions(on_dead_end=lambda assigned: ends.append(len(assigned)))), ends)
    for seats in dinner().solutions():
        print(" ".join(sorted(seats, key=seats.get)))


if __name__ == "__main__":
    main()
