"""What the engine is given to ask."""

from __future__ import annotations

from pathlib import Path

from pytest_codereason.engine.jobs import Job
from tests.engine.tellers import make_suite


def test_a_job_is_about_all_samples_and_asked_once_unless_it_says_so(tmp_path: Path) -> None:
    suite = make_suite(tmp_path, count=1, samples=2)
    (spec,) = suite.specs()
    job = Job("m", suite, spec)
    assert (job.samples, job.repeats) == ((), 0)
    assert Job("m", suite, spec, (1,), 2) == job._replace(samples=(1,), repeats=2)
