"""A short adventure; a walkthrough plays it."""

from functools import partial

from world import LOCKED, World

WALKTHROUGH = """
take match
take stone
take boat
north
down
u
take crowbar
drop stone
take crowbar
d; down
pry trapdoor
take oil; drop crowbar
down; get oil
up
up
dance
light lamp
look
quit
north
"""


class GameOver(Exception):
    pass


class Game:
    def __init__(self):
        self.world = World()
        self.score = 0
        self.commands = {
            "look": self.look,
            "take": self.take,
            "drop": self.drop,
            "pry": self.pry,
            "light": self.light,
            "bag": lambda *_: ", ".join(self.world.bag) or "nothing",
            "quit": self.quit,
        }
        for direction in ("north", "south", "up", "down"):
            self.commands[direction] = partial(self.go, direction)
        # Some words are only other names of commands.
        for alias, name in {"get": "take", "u": "up", "d": "down", "l": "look"}.items():
            self.commands[alias] = self.commands[name]

    def do(self, line):
        verb, *words = line.split()
        command = self.commands.get(verb)
        if command is None:
            return f"You cannot {verb} here."
        return command(*words[:1])

    def look(self, *_):
        return self.world.describe()

    def go(self, direction, *_):
        world = self.world
        if direction not in world.exits():
            return "There is no way."
        if world.is_locked(direction):
            return "It is stuck."
        world.here = world.exits()[direction]
        return self.look()

    def take(self, thing=""):
        world = self.world
        if world.places.get(thing) != world.here:
            return f"There is no {thing or 'thing like that'}."
        if len(world.bag) == world.ROOM_IN_BAG:
            return "Your hands are full."
        world.places[thing] = "bag"
        self.score += 1
        return "Taken."

    def drop(self, thing=""):
        if thing not in self.world.bag:
            return "You do not have that."
        self.world.places[thing] = self.world.here
        self.score -= 1
        return "Dropped."

    def pry(self, *_):
        stuck = [door for door in LOCKED if door[0] == self.world.here and door not in self.world.opened]
        if not stuck:
            return "Nothing is stuck."
        if LOCKED[stuck[0]] not in self.world.bag:
            return "Not with bare hands."
        self.world.opened.add(stuck[0])
        self.score += 5
        return "It gives way."

    def light(self, *_):
        needed = {"match", "oil"}
        if self.world.here != "lamp" or not needed <= set(self.world.bag):
            return "Nothing happens."
        self.world.lit = True
        for thing in needed:
            self.world.places[thing] = "used"
        self.score += 10
        return "The lamp burns!"

    def quit(self, *_):
        ending = "the ships are safe" if self.world.lit else "it stays dark"
        raise GameOver(f"{self.score} points, {ending}")


def play(game, script):
    yield game.look()
    for number, line in enumerate(script.strip().splitlines(), start=1):
        try:
            answers = [game.do(part.strip()) for part in line.split(";") if part.strip()]
        except GameOver as end:
            yield f"The end after {number} lines: {end}"
            return
        yield f"> {line}: {' '.join(answers)}"
    yield "You fall asleep."


if __name__ == "__main__":
    for line in play(Game(), WALKTHROUGH):
        print(line)
