"""Coroutines that push readings of sensors through stages, each stage sending to the next."""

import functools


def stage(function):
    """Runs a coroutine to its first ``yield``, so that it can be sent to at once."""

    @functools.wraps(function)
    def start(*args, **kwargs):
        coroutine = function(*args, **kwargs)
        next(coroutine)
        return coroutine

    return start


@stage
def parse(target, errors):
    while True:
        line = yield
        sensor, _, value = line.partition("=")
        try:
            reading = sensor.strip(), float(value)
        except ValueError:
            errors.send(line)
        else:
            target.send(reading)


@stage
def smooth(target, size=3):
    """The mean of the last readings of a sensor, from the first one on."""
    windows = {}
    while True:
        sensor, value = yield
        window = windows.setdefault(sensor, [])
        window.append(value)
        del window[:-size]
        target.send((sensor, sum(window) / len(window)))


@stage
def on_change(target, step):
    """Passes a value on only if it differs by at least a step from the one passed on before."""
    last = {}
    while True:
        sensor, value = yield
        if sensor not in last or abs(value - last[sensor]) >= step:
            last[sensor] = value
            target.send((sensor, value))


@stage
def route(default, **targets):
    while True:
        item = yield
        targets.get(item[0], default).send(item)


@stage
def broadcast(*targets):
    while True:
        item = yield
        for target in targets:
            target.send(item)


@stage
def collect(title, write):
    """Keeps all items, and writes them when it is closed."""
    items = []
    try:
        while True:
            items.append((yield))
    finally:
        write(f"{title}: {items}")


@stage
def extremes(results):
    while True:
        sensor, value = yield
        low, high = results.get(sensor, (value, value))
        results[sensor] = min(low, value), max(high, value)


@stage
def keep(target, test):
    while True:
        item = yield
        if test(item):
            target.send(item)


@stage
def take(count, target):
    """Passes some items on, and then ends the stream."""
    for _ in range(count):
        target.send((yield))


def feed(source, first):
    """Sends everything into the first stage, until the stream is ended; the number of items sent."""
    sent = 0
    for item in source:
        try:
            first.send(item)
        except StopIteration:
            break
        sent += 1
    return sent


def main():
    lines = "t1=20 t1=21 hum=40 t1=25 door? t1=26 hum=44 t1=x t1=26 co=7 hum=39".split()
    results = {}
    errors, heat, other = collect("errors", print), collect("heat", print), collect("other", print)
    shown = route(other, t1=on_change(heat, step=1.5))
    head = parse(broadcast(smooth(shown, size=2), extremes(results)), errors)
    print("sent", feed(lines, head))
    for sink in (heat, other, errors):
        sink.close()
    print(results)
    few = collect("few", print)
    print("sent", feed("abcdef", take(3, few)), "before the end")
    few.close()


if __name__ == "__main__":
    main()
