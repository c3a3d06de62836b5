"""A kitchen in which cooks share a stove; time is a counter, so that every evening is the same."""

import asyncio
import heapq
from dataclasses import dataclass, field


class Clock:
    """Minutes that pass only when everybody waits."""

    def __init__(self):
        self.now = 0
        self._alarms = []
        self._count = 0

    async def sleep(self, minutes):
        if minutes < 0:
            raise ValueError("nobody can sleep backwards")
        alarm = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._alarms, (self.now + minutes, self._count, alarm))
        await alarm

    async def run(self, workers):
        while not all(worker.done() for worker in workers):
            for _ in range(20):  # lets everybody go on as far as possible
                await asyncio.sleep(0)
            if self._alarms:
                self.now, _, alarm = heapq.heappop(self._alarms)
                alarm.set_result(None)


@dataclass(order=True)
class Order:
    priority: int
    number: int
    dish: str = field(compare=False)


class Kitchen:
    MENU = {
        "soup": [("cut", 4), ("boil", 10)],
        "egg": [("boil", 6)],
        "salad": [("cut", 7)],
        "toast": [("cut", 1), ("burn", 2)],
    }

    def __init__(self, plates):
        self.clock = Clock()
        self.orders = asyncio.PriorityQueue()
        self.stove = asyncio.Lock()
        self.plates = asyncio.Semaphore(plates)
        self.served = []
        self.log = []

    def note(self, who, what):
        self.log.append(f"{self.clock.now:>3} {who} {what}")

    def take(self, *dishes, priority=5):
        for dish in dishes:
            if dish not in self.MENU:
                raise LookupError(f"there is no {dish} today")
            self.orders.put_nowait(Order(priority, self.orders.qsize(), dish))

    async def cook(self, name):
        while True:
            try:
                order = self.orders.get_nowait()
            except asyncio.QueueEmpty:
                self.note(name, "goes home")
                return name
            try:
                async with self.plates:
                    await self.prepare(name, order.dish)
            except ValueError as problem:
                self.note(name, f"gives up: {problem}")
            else:
                self.served.append(order.dish)

    async def prepare(self, name, dish):
        for step, minutes in self.MENU[dish]:
            work = getattr(self, f"step_{step}", None)
            if work is None:
                raise ValueError(f"nobody can {step} a {dish}")
            await work(name, dish, minutes)
        self.note(name, f"serves {dish}")

    async def step_cut(self, name, dish, minutes):
        await self.clock.sleep(minutes)

    async def step_boil(self, name, dish, minutes):
        if self.stove.locked():
            self.note(name, f"waits to boil {dish}")
        async with self.stove:
            await self.clock.sleep(minutes)

    async def step_fry(self, name, dish, minutes):
        async with self.stove:
            await self.clock.sleep(minutes + 1)


async def evening(cooks, plates):
    kitchen = Kitchen(plates)
    kitchen.take("soup", "egg", "salad", "toast")
    kitchen.take("egg", priority=1)
    workers = [asyncio.create_task(kitchen.cook(name)) for name in cooks]
    await kitchen.clock.run(workers)
    print(*kitchen.log, sep="\n")
    print("served:", ", ".join(kitchen.served))
    return kitchen.clock.now


def main():
    print("closed after", asyncio.run(evening(["Ann", "Bob"], plates=2)))
    print("closed after", asyncio.run(evening(["Cy", "Di"], plates=1)))


if __name__ == "__main__":
    main()
