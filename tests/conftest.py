"""What all tests share: how thoroughly Hypothesis searches, one sandbox, garbage, and Ctrl-C for what tests start."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from pytest_codereason.sandbox import Sandbox, open_sandbox
from pytest_codereason.session.running.garbage import collect_seldom
from tests.examples import QUICK

settings.register_profile("quick", max_examples=QUICK, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("slow", parent=settings.get_profile("quick"), max_examples=40)
settings.register_profile("thorough", parent=settings.get_profile("quick"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# CI gives these tests options in a variable that a pytest started by a test would read too.
os.environ.pop("PYTEST_ADDOPTS", None)

# Tests start hundreds of processes. Where bytecode is not kept, each of them compiles the package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Thousands of tests are millions of objects that stay. Python looks through all of them each time that it has made some
# more, which took a twentieth of the time of all tests.
collect_seldom()

# A shell has what it starts in the background ignore Ctrl-C, and so would all that tests start and then interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """One sandbox for all tests of a process: each further one would start and warm up a Java compiler of its own."""
    with open_sandbox() as opened:
        yield opened
