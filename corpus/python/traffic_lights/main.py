"""Lights at a crossing with a button for pedestrians and a night mode, as a table of transitions."""

from collections import namedtuple
from enum import Enum


class Light(Enum):
    RED = "R"
    RED_AMBER = "r"
    GREEN = "G"
    AMBER = "A"
    FLASH = "f"


class State(Enum):
    MAIN_GREEN = ("main", Light.GREEN, Light.RED, 8)
    MAIN_AMBER = ("to side", Light.AMBER, Light.RED, 2)
    SIDE_READY = ("to side", Light.RED, Light.RED_AMBER, 1)
    SIDE_GREEN = ("side", Light.RED, Light.GREEN, 5)
    SIDE_AMBER = ("to main", Light.RED, Light.AMBER, 2)
    ALL_RED = ("walk", Light.RED, Light.RED, 6)
    MAIN_READY = ("to main", Light.RED_AMBER, Light.RED, 1)
    NIGHT = ("night", Light.FLASH, Light.FLASH, 0)

    def __init__(self, phase, main, side, seconds):
        self.phase = phase
        self.main, self.side = main, side
        self.seconds = seconds

    @property
    def is_safe(self):
        """Whether at most one of the roads may drive."""
        moving = {Light.GREEN, Light.AMBER}
        return not (self.main in moving and self.side in moving)


Rule = namedtuple("Rule", "event guard target")


class Crossing:
    def __init__(self):
        self.state = State.ALL_RED
        self.clock = 0
        self.entered = 0
        self.button = False
        self.cars_waiting = 0
        self.history = [(0, self.state)]

    # Guards and actions look at the crossing only, so that the table below reads as the rules do.

    def button_pressed(self):
        return self.button

    def side_wants(self):
        return self.cars_waiting > 0

    def always(self):
        return True

    def clear_button(self):
        self.button = False

    def release_side(self):
        self.cars_waiting = max(0, self.cars_waiting - 3)

    TABLE = {
        State.MAIN_GREEN: [
            Rule("time", button_pressed, State.MAIN_AMBER),
            Rule("time", side_wants, State.MAIN_AMBER),
            Rule("night", always, State.NIGHT),
        ],
        State.MAIN_AMBER: [
            Rule("time", side_wants, State.SIDE_READY),
            Rule("time", always, State.ALL_RED),
        ],
        State.SIDE_READY: [Rule("time", always, State.SIDE_GREEN)],
        State.SIDE_GREEN: [Rule("time", always, State.SIDE_AMBER)],
        State.SIDE_AMBER: [
            Rule("time", button_pressed, State.ALL_RED),
            Rule("time", always, State.MAIN_READY),
        ],
        State.ALL_RED: [
            Rule("time", always, State.MAIN_READY),
            Rule("night", always, State.NIGHT),
        ],
        State.MAIN_READY: [Rule("time", always, State.MAIN_GREEN)],
        State.NIGHT: [Rule("day", always, State.ALL_RED)],
    }
    ON_EXIT = {State.ALL_RED: clear_button, State.SIDE_GREEN: release_side}

    def handle(self, event):
        if event not in ("time", "night", "day"):
            raise ValueError(f"no event {event}")
        for rule in self.TABLE[self.state]:
            if rule.event == event and rule.guard(self):
                self.enter(rule.target)
                return True
        return False

    def enter(self, target):
        leave = self.ON_EXIT.get(self.state)
        if leave:
            leave(self)
        self.state = target
        self.entered = self.clock
        self.history.append((self.clock, target))

    def tick(self):
        self.clock += 1
        if self.state.seconds and self.clock - self.entered >= self.state.seconds:
            self.handle("time")

    def push(self):
        self.button = True

    def arrive(self, cars=1):
        if cars < 1:
            raise ValueError(f"{cars} cars cannot arrive")
        self.cars_waiting += cars


def drive(crossing, script, until):
    ignored = []
    while crossing.clock < until:
        for event in script.get(crossing.clock, "").split():
            if event == "push":
                crossing.push()
            elif event.startswith("car"):
                crossing.arrive(int(event[3:] or 1))
            elif not crossing.handle(event):
                ignored.append((crossing.clock, event))
        crossing.tick()
    return ignored


def main():
    crossing = Crossing()
    ignored = drive(crossing, {3: "push", 9: "car4", 16: "push", 18: "night", 60: "night", 66: "day"}, 80)
    for second, state in crossing.history:
        print(f"{second:>3} {state.main.value}{state.side.value} {state.phase}")
    print("ignored:", ignored, "waiting:", crossing.cars_waiting, "button:", crossing.button)


if __name__ == "__main__":
    main()
