"""Plots of land, as their owners describe them, ranked by area."""

import math
from abc import ABC, abstractmethod


class Plot(ABC):
    """A piece of land; kinds differ in how they are described."""

    word = ""

    def __init__(self, owner):
        self.owner = owner

    @abstractmethod
    def area(self):
        """Square metres."""

    @abstractmethod
    def fence(self):
        """Metres around the plot."""

    @classmethod
    @abstractmethod
    def from_numbers(cls, owner, numbers):
        """A plot from the numbers after its word."""

    @classmethod
    def from_text(cls, text):
        owner, word, *numbers = text.split()
        for kind in cls.__subclasses__():
            if kind.word == word:
                return kind.from_numbers(owner, [float(number) for number in numbers])
        raise ValueError(f"no kind of plot is called {word}")

    def __lt__(self, other):
        if self.area() == other.area():
            return self.owner < other.owner
        return self.area() > other.area()

    def __str__(self):
        return f"{self.owner:<6} {self.describe():<16} {self.area():8.1f} m2, fence {self.fence():.1f} m"

    def describe(self):
        return self.word


class Round(Plot):
    word = "round"

    def __init__(self, owner, radius):
        super().__init__(owner)
        self.radius = radius

    @classmethod
    def from_numbers(cls, owner, numbers):
        (radius,) = numbers
        return cls(owner, radius)

    def area(self):
        return math.pi * self.radius**2

    def fence(self):
        return 2 * math.pi * self.radius


class Polygon(Plot):
    """Corners in order around the plot, given as x1 y1 x2 y2 ..."""

    word = "corners"

    def __init__(self, owner, corners):
        super().__init__(owner)
        self.corners = corners

    @classmethod
    def from_numbers(cls, owner, numbers):
        if len(numbers) < 6 or len(numbers) % 2:
            raise ValueError("a polygon has at least three corners")
        return cls(owner, list(zip(numbers[::2], numbers[1::2])))

    def sides(self):
        return zip(self.corners, self.corners[1:] + self.corners[:1])

    def area(self):
        doubled = sum(ax * by - bx * ay for (ax, ay), (bx, by) in self.sides())
        return abs(doubled) / 2

    def fence(self):
        return sum(math.dist(a, b) for a, b in self.sides())


class Strip(Plot):
    """A rectangle between a road and a river; no fence is needed along the river."""

    word = "strip"

    def __init__(self, owner, depth, frontage):
        super().__init__(owner)
        self.depth, self.frontage = depth, frontage

    @classmethod
    def from_numbers(cls, owner, numbers):
        return cls(owner, *numbers)

    @classmethod
    def square(cls, owner, side):
        return cls(owner, side, side)

    def area(self):
        return self.depth * self.frontage

    def fence(self):
        return 2 * self.depth + self.frontage

    def describe(self):
        return "square strip" if self.depth == self.frontage else super().describe()


if __name__ == "__main__":
    texts = ["ann round 10", "bob corners 0 0 30 0 30 10 15 20 0 10", "cyd strip 20 15", "dee strip 12 12"]
    plots = sorted(map(Plot.from_text, texts))
    print(*plots, sep="\n")
    print("smallest:", max(plots).owner)
    print("fence in all:", round(sum(plot.fence() for plot in plots), 2))
    try:
        Plot.from_text("eve star 1 2")
    except ValueError as error:
        print(error)
