"""Policies around unreliable calls: retries with pauses, a breaker, a fallback, a limit."""

import functools
import inspect


class Timeout(Exception):
    pass


class Broken(Exception):
    """A failure that no repetition will mend."""


class Time:
    """A clock that moves only when somebody pauses."""

    def __init__(self):
        self.now = 0

    def pause(self, seconds):
        self.now += seconds


TIME = Time()


def retry(times=3, on=(Timeout,), pauses=None):
    """Decorates a function; also usable bare, as ``@retry``."""
    if inspect.isfunction(times):
        return retry()(times)

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            waits = (pauses or constant)()
            for attempt in range(1, times + 1):
                try:
                    return function(*args, **kwargs)
                except on as error:
                    wrapper.failures += 1
                    if attempt == times:
                        error.add_note(f"after {times} attempts")
                        raise
                    TIME.pause(next(waits))

        wrapper.failures = 0
        return wrapper

    return decorate


def constant(seconds=1):
    while True:
        yield seconds


def doubling(first=1, most=8):
    def pauses():
        seconds = first
        while True:
            yield min(seconds, most)
            seconds *= 2

    return pauses


def rising(step=1):
    """A second more each time, say."""

    def pauses():
        seconds = 0
        while True:
            seconds += step
            yield seconds

    return pauses


class Breaker:
    """Decorates a function: after some failures in a row it refuses calls for a while."""

    def __init__(self, failures, rest):
        self.allowed, self.rest = failures, rest
        self.row = 0
        self.open_until = 0

    def __call__(self, function):
        self.function = function
        return self.run

    def run(self, *args):
        if TIME.now < self.open_until:
            raise Timeout("breaker open")
        try:
            result = self.function(*args)
        except Timeout:
            self.row += 1
            if self.row >= self.allowed:
                self.open_until = TIME.now + self.rest
                self.row = 0
            raise
        self.row = 0
        return result


def fallback(value, *kinds):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            try:
                return function(*args)
            except kinds:
                return value(*args) if callable(value) else value

        return wrapper

    return decorate


def at_most(calls, seconds):
    """Pauses until fewer than some calls lie within the last seconds."""

    def decorate(function):
        starts = []

        def wrapper(*args):
            recent = [start for start in starts if TIME.now - start < seconds]
            if len(recent) >= calls:
                TIME.pause(recent[-calls] + seconds - TIME.now)
            starts[:] = [*recent, TIME.now][-calls:]
            return function(*args)

        return wrapper

    return decorate


def flaky(answers):
    """A service that gives its answers in turn; errors among them are raised."""
    rest = iter(answers)

    def service(question="?"):
        answer = next(rest, Broken("no more answers"))
        if isinstance(answer, Exception):
            raise answer
        return f"{question} {answer}"

    return service


def attempt(function, *args):
    began = TIME.now
    try:
        outcome = function(*args)
    except (Timeout, Broken) as error:
        notes = ", ".join(getattr(error, "__notes__", ["no note"]))
        outcome = f"{type(error).__name__} {error} ({notes})"
    print(f"{TIME.now - began:>2} s: {outcome}")


@retry
def plain(service):
    return service()


@fallback(lambda service, city: f"{city} unknown", Broken)
@retry(times=5, pauses=doubling(2, most=5))
def weather(service, city):
    return service(city)


def main():
    attempt(plain, flaky([Timeout("slow"), Timeout("slow"), 42]))
    attempt(plain, flaky([Timeout(str(number)) for number in range(9)]))
    attempt(weather, flaky([Timeout()] * 4 + ["sunny"]), "Oslo")
    attempt(weather, flaky([Broken("gone"), "sunny"]), "Rome")
    print("failures:", plain.failures, weather.__wrapped__.failures)
    guarded = Breaker(failures=2, rest=10)(flaky([Timeout("a"), 1, Timeout("b"), Timeout("c"), 2, 3]))
    for pause in (0, 0, 0, 0, 9, 1, 0):
        TIME.pause(pause)
        attempt(guarded)
    limited = at_most(2, seconds=6)(lambda: f"called at {TIME.now}")
    for _ in range(4):
        attempt(limited)


if __name__ == "__main__":
    main()
