"""What batches may cost, and what they cost."""

from __future__ import annotations

import os
import signal
from collections import Counter

import pytest

from tests.batch_servers import BatchServer, Plan
from tests.servers import (
    Disruption,
)
from tests.session.background import Waiter, args, background
from tests.session.batched import BATCH, FORMS, PRICED
from tests.session.conftest import Project

pytestmark = pytest.mark.usefixtures("quick_batches")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.slow
def test_a_cap_cuts_batches_and_what_is_left_is_spent_by_the_next(project: Project, form: str) -> None:
    """Each request may cost ten cents, and costs 3. Of 35 cents three are sent, of the 26 that are left two ..."""
    project.suite(count=5)
    cents = Disruption(edit=lambda body: body.update(usage={"prompt_tokens": 5, "completion_tokens": 60}))
    with BatchServer(plans=[Plan(disrupt=lambda n, _: cents)] * 20, form=form) as server:
        result = project.run(*args(server, *PRICED, BATCH, "--eval-max-cost=0.35"))
        assert result.ret == 1
        sizes = [batch["request_counts"]["total"] for batch in server.batches.values()]
        assert sizes[:3] == [3, 2, 2]
        sent = sum(sizes)
        assert 0.25 <= sent * 0.03 <= 0.35
        assert project.run_json()["spent"] == pytest.approx(sent * 0.03)
        assert "the next question may cost $0.1000, more than the $0." in " ".join(result.stdout.str().split())
        assert project.run(*args(server, *PRICED, BATCH)).ret == 0
        assert set(server.charged.values()) == {1}
    assert Counter(row["reused"] for row in project.records()) == {True: sent, False: 10 - sent}


@pytest.mark.slow
def test_what_is_under_way_counts_for_the_cap_of_the_session_that_goes_on(project: Project) -> None:
    """Six requests of an earlier session may cost 60 cents, so a cap of 70 has room for one more."""
    project.suite(count=3)
    with BatchServer(plans=[Plan(held=True)]) as server:
        process = background(project, *args(server, *PRICED, BATCH))
        Waiter().until(lambda: "look" in server.steps)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        other = project.suite("other", count=2)
        other.write_text(other.read_text().replace("seed = 7", "seed = 8"))
        process = background(project, *args(server, *PRICED, BATCH, "--eval-max-cost=0.7"))
        Waiter().until(lambda: len(server.batches) == 2)
        (_, second) = server.batches.values()
        assert second["request_counts"]["total"] == 1
        server.finish()
        process.communicate()
        assert process.returncode == 0
        assert set(server.charged.values()) == {1}


def test_a_dry_run_counts_half_the_price_and_reaches_nobody(project: Project) -> None:
    project.suite(count=4)
    with BatchServer() as server:
        whole = project.run(*args(server, *PRICED, "--eval-dry-run"))
        half = project.run(*args(server, *PRICED, BATCH, "--eval-dry-run"))
        whole.stdout.fnmatch_lines(["  cost * $1.60"])
        half.stdout.fnmatch_lines(["  cost * $0.80  (in batches, at 0.5 of the price)"])
        assert server.steps == []
