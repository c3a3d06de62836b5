"""Rooms, things and doors of the lighthouse."""

ROOMS = {
    "beach": ("Sand, and a rusty boat.", {"north": "hall"}),
    "hall": ("Stairs go up. The floor has a trapdoor.", {"south": "beach", "up": "lamp", "down": "cellar"}),
    "lamp": ("The great lamp is dark.", {"down": "hall"}),
    "cellar": ("It is wet here.", {"up": "hall"}),
}
THINGS = {"oil": "cellar", "match": "beach", "stone": "beach", "crowbar": "lamp"}
LOCKED = {("hall", "down"): "crowbar"}


class World:
    """Where everything is. The player carries things in the place called ``bag``."""

    ROOM_IN_BAG = 2

    def __init__(self):
        self.here = "beach"
        self.places = dict(THINGS)
        self.opened = set()
        self.lit = False

    def things_at(self, place):
        return sorted(thing for thing, where in self.places.items() if where == place)

    @property
    def bag(self):
        return self.things_at("bag")

    def exits(self):
        return ROOMS[self.here][1]

    def is_locked(self, direction):
        door = (self.here, direction)
        return door in LOCKED and door not in self.opened

    def describe(self):
        text, exits = ROOMS[self.here]
        if self.here == "lamp" and self.lit:
            text = "Light sweeps over the sea."
        seen = self.things_at(self.here)
        return text + (f" You see: {', '.join(seen)}." if seen else "") + f" Ways: {', '.join(exits)}."
