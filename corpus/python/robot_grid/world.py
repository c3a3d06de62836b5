"""The floor on which the robot walks, and the robot itself."""

COMPASS = "NESW"
STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}


class Blocked(Exception):
    pass


class Floor:
    def __init__(self, width, depth, crates=()):
        self.width, self.depth = width, depth
        self.crates = set(crates)

    def is_inside(self, place):
        x, y = place
        return 0 <= x < self.width and 0 <= y < self.depth

    def is_free(self, place):
        return self.is_inside(place) and place not in self.crates

    def draw(self, robot):
        rows = []
        for y in reversed(range(self.depth)):
            row = [self.mark((x, y), robot) for x in range(self.width)]
            rows.append("".join(row))
        return rows

    def mark(self, place, robot):
        if place == robot.place:
            return "^>v<"[COMPASS.index(robot.heading)]
        return "#" if place in self.crates else "."


class Robot:
    def __init__(self, floor, place=(0, 0), heading="N"):
        self.floor, self.place, self.heading = floor, place, heading
        self.battery = 20

    def neighbour(self, steps=1):
        dx, dy = STEPS[self.heading]
        x, y = self.place
        return x + steps * dx, y + steps * dy

    def turn(self, quarters):
        self.heading = COMPASS[(COMPASS.index(self.heading) + quarters) % 4]

    def use(self, charge):
        if charge > self.battery:
            raise Blocked("the battery is empty")
        self.battery -= charge
