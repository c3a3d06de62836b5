"""Shortest ways through a maze with keys and doors, by breadth-first search."""

from collections import deque
from itertools import pairwise
from string import ascii_lowercase

MAZE = """
#########
#S.#a..E#
#..#.##.#
#.bA..#.#
#.#####B#
#.......#
#########
"""
DIRECTIONS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Maze:
    def __init__(self, picture):
        self.rows = picture.strip().splitlines()
        if len(set(map(len, self.rows))) != 1:
            raise ValueError("rows of different length")
        self.start = self.find("S")
        self.end = self.find("E")

    def find(self, mark):
        for y, row in enumerate(self.rows):
            x = row.find(mark)
            if x >= 0:
                return y, x
        raise ValueError(f"the maze has no {mark}")

    def __getitem__(self, place):
        y, x = place
        return self.rows[y][x]

    def can_enter(self, place, keys):
        mark = self[place]
        return mark != "#" and (not mark.isupper() or mark in "SE" or mark.lower() in keys)

    def steps(self, place, keys):
        """The places beside one, and the keys that one holds there."""
        y, x = place
        for dy, dx in DIRECTIONS.values():
            there = y + dy, x + dx
            if self.can_enter(there, keys):
                mark = self[there]
                yield there, keys | {mark} if mark.islower() else keys


class Walk:
    """An iterator over all situations in the order of their distance: (distance, place, keys)."""

    def __init__(self, maze, start=None, keys=frozenset()):
        self.maze = maze
        if start and maze[start] == "#":
            raise ValueError("nobody walks out of a wall")
        first = (start or maze.start, frozenset(keys))
        self.came_from = {first: None}
        self.queue = deque([(0, first)])

    def __iter__(self):
        return self

    def __next__(self):
        if not self.queue:
            raise StopIteration
        distance, situation = self.queue.popleft()
        for following in self.maze.steps(*situation):
            if following not in self.came_from:
                self.came_from[following] = situation
                self.queue.append((distance + 1, following))
        return distance, *situation

    def way_to(self, situation):
        way = []
        while situation is not None:
            way.append(situation[0])
            situation = self.came_from[situation]
        return way[::-1]


def shortest(maze, keys=frozenset()):
    walk = Walk(maze, keys=keys)
    for distance, place, held in walk:
        if place == maze.end:
            return distance, walk.way_to((place, held))
    return None


def directions(way):
    """Runs of equal steps: ``down 2, right 1``."""
    names = {delta: name for name, delta in DIRECTIONS.items()}
    runs = []
    for (y1, x1), (y2, x2) in pairwise(way):
        name = names[y2 - y1, x2 - x1]
        if runs and runs[-1][0] == name:
            runs[-1][1] += 1
        else:
            runs.append([name, 1])
    return ", ".join(f"{name} {count}" for name, count in runs)


def dead_ends(maze):
    keys = frozenset(ascii_lowercase)
    places = {place for _, place, _ in Walk(maze, keys=keys)}
    return sorted(place for place in places if sum(1 for _ in maze.steps(place, keys)) == 1)


def draw(maze, way):
    marked = set(way)
    return [
        "".join("*" if (y, x) in marked and mark == "." else mark for x, mark in enumerate(row))
        for y, row in enumerate(maze.rows)
    ]


def main():
    maze = Maze(MAZE)
    distance, way = shortest(maze)
    print(distance, "steps:", directions(way))
    print("with both keys:", shortest(maze, keys={"a", "b"})[0])
    farthest = max(Walk(maze))
    print("farthest:", farthest[0], "at", farthest[1], "with", "".join(sorted(farthest[2])))
    print("reached:", len({place for _, place, _ in Walk(maze)}), "dead ends:", dead_ends(maze))
    closed = Maze(MAZE.replace("b", "."))
    print(shortest(closed) or "no way out without b")
    print(next(Walk(closed, start=closed.end)))
    try:
        Maze("###")
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    main()
