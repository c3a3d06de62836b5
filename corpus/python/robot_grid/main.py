from commands import Macro, Push, Turn, TurnLeft, Walk
from world import Blocked, Floor, Robot

LETTERS = {"R": Turn, "L": TurnLeft, "W": Walk, "P": Push}


class Control:
    def __init__(self, robot):
        self.robot = robot
        self.past = []

    def run(self, program):
        """One word is one command; a word of several letters is done whole or not at all."""
        for word in program.split():
            if word == "undo":
                self.undo()
                continue
            parts = [LETTERS[letter](self.robot) for letter in word]
            command = parts[0] if len(parts) == 1 else Macro(self.robot, parts)
            try:
                command.do()
            except Blocked as reason:
                print(f"{word}: {reason}")
            else:
                self.past.append(command)

    def undo(self):
        if not self.past:
            print("nothing to undo")
            return
        self.past.pop().undo()


def main():
    robot = Robot(Floor(5, 3, crates=[(2, 1), (3, 0)]))
    control = Control(robot)
    for program in ["W R W P", "P WLW", "WW", "undo undo RW", "undo undo undo undo undo"]:
        control.run(program)
        print(" / ".join(robot.floor.draw(robot)), f"battery {robot.battery}")


if __name__ == "__main__":
    main()
