"""Commands that can be undone. Each knows how to do itself, and what it changed."""

from world import Blocked


class Command:
    cost = 1

    def __init__(self, robot):
        self.robot = robot

    def do(self):
        self.robot.use(self.cost)
        try:
            self.apply()
        except Blocked:
            self.robot.battery += self.cost
            raise

    def undo(self):
        self.revert()
        self.robot.battery += self.cost

    def apply(self):
        raise NotImplementedError

    def revert(self):
        raise NotImplementedError


class Turn(Command):
    quarters = 1

    def apply(self):
        self.robot.turn(self.quarters)

    def revert(self):
        self.robot.turn(-self.quarters)


class TurnLeft(Turn):
    quarters = -1


class Walk(Command):
    def apply(self):
        self.before = self.robot.place
        target = self.robot.neighbour()
        if not self.robot.floor.is_free(target):
            raise Blocked(f"cannot walk to {target}")
        self.robot.place = target

    def revert(self):
        self.robot.place = self.before


class Push(Walk):
    """Walks onto the place of a crate and shoves the crate one further."""

    cost = 3

    def apply(self):
        crates = self.robot.floor.crates
        near, far = self.robot.neighbour(), self.robot.neighbour(2)
        if near not in crates:
            raise Blocked("nothing to push")
        if not self.robot.floor.is_free(far):
            raise Blocked(f"no room for the crate at {far}")
        crates.remove(near)
        crates.add(far)
        self.moved = near, far
        super().apply()

    def revert(self):
        super().revert()
        near, far = self.moved
        self.robot.floor.crates.remove(far)
        self.robot.floor.crates.add(near)


class Macro(Command):
    cost = 0

    def __init__(self, robot, parts):
        super().__init__(robot)
        self.parts = parts

    def apply(self):
        done = []
        for part in self.parts:
            try:
                part.do()
            except Blocked:
                for earlier in reversed(done):
                    earlier.undo()
                raise
            done.append(part)

    def revert(self):
        for part in reversed(self.parts):
            part.undo()
