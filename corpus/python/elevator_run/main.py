"""One lift, second by second: it goes on in its direction while anybody ahead wants it."""

from enum import Enum, auto


class Mode(Enum):
    IDLE = auto()
    MOVING = auto()
    DOORS = auto()


UP, DOWN = 1, -1


class Lift:
    FLOOR_SECONDS = 2
    DOOR_SECONDS = 3

    def __init__(self, floors, floor=0):
        self.floors = floors
        self.floor = floor
        self.mode = Mode.IDLE
        self.direction = UP
        self.cabin = set()
        self.calls = {UP: set(), DOWN: set()}
        self.timer = 0
        self.log = []
        # What a second does depends on the mode.
        self._steps = {Mode.IDLE: self._wait, Mode.MOVING: self._move, Mode.DOORS: self._hold}

    def press(self, floor):
        """A button inside the cabin."""
        self._check(floor)
        self.cabin.add(floor)

    def take_back(self, floor):
        """Pressing a lit button twice."""
        self.cabin.discard(floor)

    def call(self, floor, direction):
        """A button on a floor."""
        self._check(floor)
        self.calls[direction].add(floor)

    def _check(self, floor):
        if floor not in self.floors:
            raise ValueError(f"no floor {floor}")

    def wanted(self):
        return self.cabin | self.calls[UP] | self.calls[DOWN]

    def ahead(self, direction):
        return {floor for floor in self.wanted() if (floor - self.floor) * direction > 0}

    def should_stop(self):
        """Whether somebody gets out, or somebody gets in who goes the same way."""
        if self.floor in self.cabin or self.floor in self.calls[self.direction]:
            return True
        return self.floor in self.calls[-self.direction] and not self.ahead(self.direction)

    def tick(self, second):
        self._steps[self.mode](second)

    def _wait(self, second):
        if self.floor in self.wanted():
            self._open(second)
        elif self.wanted():
            self._start()

    def _start(self):
        if not self.ahead(self.direction):
            self.direction = -self.direction
        if self.ahead(self.direction):
            self.mode, self.timer = Mode.MOVING, self.FLOOR_SECONDS
        else:
            self.mode = Mode.IDLE

    def _move(self, second):
        self.timer -= 1
        if self.timer:
            return
        self.floor += self.direction
        if self.should_stop():
            self._open(second)
        else:
            self.timer = self.FLOOR_SECONDS

    def _open(self, second):
        if self.floor not in self.calls[self.direction] and not self.ahead(self.direction):
            self.direction = -self.direction
        self.mode, self.timer = Mode.DOORS, self.DOOR_SECONDS
        self.cabin.discard(self.floor)
        self.calls[self.direction].discard(self.floor)
        self.log.append((second, self.floor))

    def _hold(self, second):
        self.timer -= 1
        if self.timer == 0:
            self._start()


def simulate(lift, script, seconds):
    for second in range(seconds):
        for action, *args in script.get(second, ()):
            getattr(lift, action)(*args)
        lift.tick(second)
        if lift.mode is Mode.IDLE and second > max(script, default=-1):
            return second
    return None


def main():
    lift = Lift(range(-1, 9))
    script = {
        0: [("call", 3, UP), ("call", 5, DOWN)],
        7: [("press", 7)],
        9: [("call", 1, UP), ("call", 4, UP)],
        30: [("press", -1)],
    }
    quiet = simulate(lift, script, 200)
    for second, floor in lift.log:
        print(f"{second:>3} s: doors open at floor {floor}")
    print("quiet after", quiet, "s at floor", lift.floor)
    print("too short:", simulate(Lift(range(3)), {0: [("press", 2)]}, 4))
    try:
        lift.press(9)
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    main()
