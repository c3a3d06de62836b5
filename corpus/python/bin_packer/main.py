"""Packs parcels into vans by several rules of thumb, and says how far each is from the best."""

import math
from bisect import insort
from operator import attrgetter, itemgetter


class Van:
    count = 0

    def __init__(self, capacity):
        if capacity <= 0:
            raise ValueError("a van without room")
        Van.count += 1
        self.number = Van.count
        self.capacity = capacity
        self.parcels = []

    @property
    def room(self):
        return self.capacity - sum(self.parcels)

    def __lt__(self, other):
        return (self.room, self.number) < (other.room, other.number)

    def load(self, parcel):
        if parcel > self.room:
            raise OverflowError(f"{parcel} does not fit van {self.number}")
        self.parcels.append(parcel)


def pack(parcels, capacity, choose):
    vans = []
    for parcel in parcels:
        van = choose([van for van in vans if van.room >= parcel], vans)
        if van is None:
            van = Van(capacity)
            vans.append(van)
        van.load(parcel)
    return vans


def next_fit(fitting, vans):
    """Only the newest van is still at the ramp."""
    return vans[-1] if vans and vans[-1] in fitting else None


def first_fit(fitting, vans):
    return next(iter(fitting), None)


def best_fit(fitting, vans):
    return min(fitting, default=None)


def worst_fit(fitting, vans):
    return max(fitting, key=attrgetter("room"), default=None)


def decreasing(choose):
    """A rule of thumb that takes the parcels from the largest to the smallest."""

    def packer(parcels, capacity):
        return pack(sorted(parcels, reverse=True), capacity, choose)

    packer.__name__ = f"decreasing {choose.__name__}"
    return packer


def in_order(choose):
    def packer(parcels, capacity):
        return pack(parcels, capacity, choose)

    packer.__name__ = choose.__name__
    return packer


def lower_bound(parcels, capacity):
    """No packing needs fewer: the volume counts, and parcels above half a van cannot share one."""
    large = sum(2 * parcel > capacity for parcel in parcels)
    return max(large, math.ceil(sum(parcels) / capacity))


def smallest_fleet(parcels, capacity):
    """The least number of vans, by trying all ways that can matter."""
    if any(parcel > capacity for parcel in parcels):
        raise ValueError("a parcel is larger than a van")
    best = len(parcels)

    def place(rest, loads):
        nonlocal best
        if len(loads) >= best:
            return
        if not rest:
            best = len(loads)
            return
        parcel, *later = rest
        for load in sorted(set(loads)):
            if load + parcel <= capacity:
                others = list(loads)
                others.remove(load)
                insort(others, load + parcel)
                place(later, others)
        place(later, sorted([*loads, parcel]))

    place(sorted(parcels, reverse=True), [])
    return best


def compare(parcels, capacity, packers):
    results = []
    for packer in packers:
        Van.count = 0
        vans = packer(parcels, capacity)
        results.append((packer.__name__, len(vans), [van.parcels for van in vans]))
    return sorted(results, key=itemgetter(1))


def main():
    parcels = [4, 8, 5, 1, 7, 6, 1, 4, 2, 2]
    choosers = (next_fit, first_fit, best_fit)
    packers = [*map(in_order, choosers), *map(decreasing, choosers[1:])]
    for name, count, vans in compare(parcels, 10, packers):
        print(f"{name:<20} {count} vans: {vans}")
    print("bound:", lower_bound(parcels, 10), "best:", smallest_fleet(parcels, 10))
    hard = [6, 5, 5, 4, 4, 4, 3, 3, 2]
    print("hard:", [count for _, count, _ in compare(hard, 12, packers)], smallest_fleet(hard, 12))
    try:
        Van(10).load(11)
    except OverflowError as error:
        print(error)


if __name__ == "__main__":
    main()
