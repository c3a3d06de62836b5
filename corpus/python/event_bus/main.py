"""A bus that carries events from a thermostat to whoever listens."""

import itertools


class Stop(Exception):
    """Raised by a listener that has dealt with an event, so that no other listener gets it."""


class Bus:
    def __init__(self):
        self._listeners = []
        self._numbers = itertools.count()
        self.undelivered = []

    def on(self, pattern, priority=0, once=False):
        """Registers the decorated function for the events that a pattern names."""
        if "" in pattern.split("."):
            raise ValueError(f"an empty word in {pattern!r}")

        def register(function):
            entry = (-priority, next(self._numbers), pattern, function, once)
            self._listeners.append(entry)
            return function

        return register

    def off(self, function):
        self._listeners = [entry for entry in self._listeners if entry[3] is not function]

    def emit(self, topic, **details):
        if "*" in topic:
            raise ValueError("a topic is no pattern")
        delivered = 0
        for entry in sorted(self._listeners, key=lambda entry: entry[:2]):
            _, _, pattern, function, once = entry
            if not matches(pattern, topic):
                continue
            if once:
                self._listeners = [other for other in self._listeners if other is not entry]
            delivered += 1
            try:
                function(topic, **details)
            except Stop:
                break
        if not delivered:
            self.undelivered.append(topic)
        return delivered


def matches(pattern, topic):
    """``room.*`` matches ``room.hot`` and not ``room.hot.very``; ``**`` matches any rest."""
    wanted, given = pattern.split("."), topic.split(".")
    for position, word in enumerate(wanted):
        if word == "**":
            return True
        if position >= len(given) or word not in ("*", given[position]):
            return False
    return len(wanted) == len(given)


def build_house(bus):
    heating = {"on": False, "switches": 0}

    @bus.on("room.cold", priority=5)
    def heat(topic, degrees):
        if not heating["on"]:
            heating.update(on=True, switches=heating["switches"] + 1)
            bus.emit("heating.on", cause=topic)

    @bus.on("room.hot", priority=5)
    def cool(topic, degrees):
        heating["on"] = False
        if degrees > 40:
            alarm(topic, degrees)

    def alarm(topic, degrees):
        print("  FIRE?", topic, degrees)
        raise Stop

    bus.on("room.*")(lambda topic, degrees: print(f"  {topic}: {degrees} degrees"))
    return heating


def main():
    bus = Bus()
    heating = build_house(bus)

    @bus.on("heating.**", once=True)
    def congratulate(topic, cause):
        print("  first heating of the year, because of", cause)

    for degrees in (15, 18, 16, 40, 14, 45):
        topic = "room.cold" if degrees < 18 else "room.hot" if degrees > 30 else "room"
        print(topic, "->", bus.emit(topic, degrees=degrees))
    print("switched on", heating["switches"], "times; nobody heard", bus.undelivered)


if __name__ == "__main__":
    main()
