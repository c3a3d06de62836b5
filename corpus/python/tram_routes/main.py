import heapq

LINES = {
    "red": [("Harbour", 4), ("Market", 3), ("Theatre", 5), ("Zoo", 0)],
    "blue": [("Mill", 2), ("Market", 6), ("Station", 4), ("Airport", 0)],
    "green": [("Theatre", 2), ("Station", 9), ("Park", 0)],
    "night": [("Quarry", 7), ("Depot", 0)],
}
CHANGE = 3  # minutes to walk from one line to another


class NoWay(LookupError):
    pass


class Network:
    """Trams run both ways; a place in the search is a stop together with the line one sits in."""

    def __init__(self, lines):
        self._rides = {}
        for line, stops in lines.items():
            if len(stops) < 2:
                raise ValueError(f"the {line} line goes nowhere")
            for (here, minutes), (there, _) in zip(stops, stops[1:]):
                self._link(here, there, line, minutes)
                self._link(there, here, line, minutes)

    def _link(self, here, there, line, minutes):
        if minutes <= 0:
            raise ValueError(f"no tram gets to {there} in {minutes} minutes")
        self._rides.setdefault(here, []).append((there, line, minutes))

    def __contains__(self, stop):
        return stop in self._rides

    def lines_at(self, stop):
        return {line for _, line, _ in self._rides[stop]}

    def search(self, start, goal):
        """The quickest legs from start to goal: (minutes, [(line, stop), ...])."""
        for stop in (start, goal):
            if stop not in self:
                raise NoWay(f"no stop {stop}")
        queue = [(0, 0, start, "", ())]
        settled = set()
        while queue:
            minutes, changes, stop, line, legs = heapq.heappop(queue)
            if stop == goal:
                return minutes, list(legs)
            if (stop, line) in settled:
                continue
            settled.add((stop, line))
            for there, next_line, ride in self._rides[stop]:
                change = bool(line) and line != next_line
                cost = minutes + ride + (CHANGE if change else 0)
                place = (cost, changes + change, there, next_line, (*legs, (next_line, there)))
                heapq.heappush(queue, place)
        raise NoWay(f"no tram from {start} to {goal}")

    def reachable(self, start):
        seen, waiting = {start}, [start]
        while waiting:
            for there, _, _ in self._rides[waiting.pop()]:
                if there not in seen:
                    seen.add(there)
                    waiting.append(there)
        return seen


def shorten(legs):
    """Leaves only the last stop of each run on one line."""
    kept = []
    for line, stop in legs:
        if kept and kept[-1][0] == line:
            kept.pop()
        kept.append((line, stop))
    return kept


def advise(network, start, goal):
    try:
        minutes, legs = network.search(start, goal)
    except NoWay as reason:
        return str(reason)
    if not legs:
        return f"{start}: you are there"
    ride = ", ".join(f"{line} to {stop}" for line, stop in shorten(legs))
    return f"{start} - {goal}: {minutes} min, {ride}"


def busiest(network, stops):
    return max(sorted(stops), key=lambda stop: len(network.lines_at(stop)))


def main():
    network = Network(LINES)
    for start, goal in [("Harbour", "Zoo"), ("Mill", "Park"), ("Zoo", "Airport"), ("Park", "Park")]:
        print(advise(network, start, goal))
    print(advise(network, "Zoo", "Depot"))
    print(advise(network, "Zoo", "Moon"))
    print(sorted(network.reachable("Depot")))


if __name__ == "__main__":
    main()
