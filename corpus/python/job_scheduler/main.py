"""Plans jobs that wait for each other onto a few workers."""

from collections import namedtuple

Job = namedtuple("Job", "name minutes needs")
Slot = namedtuple("Slot", "start end worker job")

RECIPE = """
flour 2
yeast 3
water 1
dough 10: flour yeast water
rest 30: dough
oven 20
fillings 12
shape 6: rest fillings
bake 25: shape oven
"""


class Cycle(Exception):
    def __init__(self, names):
        super().__init__(" -> ".join(names))


def parse_jobs(text):
    jobs = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        head, _, needs = line.partition(":")
        name, minutes = head.split()
        if name in jobs:
            raise ValueError(f"two jobs are called {name}")
        jobs[name] = Job(name, int(minutes), tuple(needs.split()))
    return jobs


def in_order(jobs):
    """Yields each job after the jobs that it needs."""
    state = {}

    def visit(name, path):
        if state.get(name) == "done":
            return
        if state.get(name) == "open":
            raise Cycle([*path[path.index(name) :], name])
        state[name] = "open"
        for need in jobs[name].needs:
            yield from visit(need, [*path, name])
        state[name] = "done"
        yield jobs[name]

    for name in jobs:
        yield from visit(name, [])


def urgency(jobs):
    """The minutes from the start of each job to the end of all that waits for it."""
    longest = {name: 0 for name in jobs}
    for job in reversed(list(in_order(jobs))):
        longest[job.name] += job.minutes
        for need in job.needs:
            longest[need] = max(longest[need], longest[job.name])
    return longest


def plan(jobs, workers):
    if workers < 1:
        raise ValueError("somebody has to work")
    weight = urgency(jobs)
    free_at = [0] * workers
    finished = {}
    waiting = dict(jobs)
    while waiting:
        ready = [job for job in waiting.values() if all(need in finished for need in job.needs)]
        job = min(ready, key=lambda job: (-weight[job.name], job.name))
        del waiting[job.name]
        worker = min(range(workers), key=free_at.__getitem__)
        start = max([free_at[worker], *(finished[need] for need in job.needs)])
        free_at[worker] = finished[job.name] = start + job.minutes
        yield Slot(start, start + job.minutes, worker, job)


def idle_share(slots, workers):
    slots = list(slots)
    end = max(slot.end for slot in slots)
    busy = sum(slot.job.minutes for slot in slots)
    return 1 - busy / (end * workers)


def main():
    jobs = parse_jobs(RECIPE)
    print("order:", *(job.name for job in in_order(jobs)))
    print("critical:", max(urgency(jobs).values()), "minutes")
    for slot in sorted(plan(jobs, 2)):
        print(f"{slot.start:>3}-{slot.end:<3} worker {slot.worker}: {slot.job.name}")
    for workers in (1, 3):
        print(workers, "workers:", max(slot.end for slot in plan(jobs, workers)), "minutes")
    try:
        list(in_order(parse_jobs("egg 1: hen\nhen 9: chick\nchick 5: egg\n")))
    except Cycle as cycle:
        print("impossible:", cycle)


if __name__ == "__main__":
    main()
