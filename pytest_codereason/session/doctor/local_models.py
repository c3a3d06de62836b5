"""Which models can run on this machine, and how long the first suite takes with them."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.models.local.machine import count_cores, estimate_memory, measure_cores, read_free_memory
from pytest_codereason.models.shared import weights
from pytest_codereason.session.doctor.finding import Finding

#: Tokens that the suite ``quickstart`` has a model compute, without those at the beginning of prompts that it shares.
QUICKSTART_TOKENS = 14_000
#: Seconds until the weights are loaded and the report is written.
_AROUND_S = 15


def examine_local_models() -> Iterator[Finding]:
    """What ``--model=local`` is, then every model with a name: whether it fits into the memory that is free, and how
    long ``quickstart`` takes."""
    best = weights.find_best()
    if weights.locate(best).is_file():
        yield Finding("local", "ok", f"--model=local asks local:{best.name}, the best that is here")
    else:
        words = f"no weights are here yet: --model=local fetches local:{best.name}, {best.fetched / 1e6:.0f} MB"
        yield Finding("local", "absent", words, f"codereason fetch {best.name}")
    free, allowed = read_free_memory(), count_cores()
    cores = measure_cores(allowed)
    for pin in weights.PINS.values():
        needed = estimate_memory(pin.size)
        subject = f"local:{pin.name}"
        if free is not None and needed > free:
            words = f"needs {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free"
            yield Finding(subject, "absent", words, "end other programs, or take a smaller model")
            continue
        seconds = _AROUND_S + QUICKSTART_TOKENS / (pin.speed * cores)
        took = f"{cores} of {allowed} cores that are free now" if cores < allowed else f"{cores} cores"
        words = f"quickstart takes about {_describe(seconds)} on {took}, and {needed / 1e9:.1f} GB of memory"
        here = weights.locate(pin).is_file()
        yield Finding(subject, "ok" if here else "absent", words, "" if here else f"codereason fetch {pin.name}")


def _describe(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 100 else f"{seconds / 60:.0f} minutes"
