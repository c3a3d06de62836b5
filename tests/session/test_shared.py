"""What the items of a session share is there where a model is given, and nowhere else."""

from __future__ import annotations

import pytest

from tests.session.conftest import Project

#: Says what the session shares once its items are there.
SAYS = """
from pytest_codereason.session.shared import SHARED

def pytest_report_collectionfinish(config):
    shared = config.stash.get(SHARED, None)
    return f"shared: {shared and (*shared.models, shared.limit, shared.shard)}"
"""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--model=baseline:truth", "--model=baseline:chance"), "('baseline:truth', 'baseline:chance', None, None)"),
        (("--model=baseline:truth", "--eval-limit=3", "--eval-shard=1/2"), "('baseline:truth', 3, (0, 2))"),
        ((), "None"),
    ],
)
def test_all_items_of_a_session_share_its_models_and_its_parts(
    project: Project, options: tuple[str, ...], said: str
) -> None:
    project.pytester.makeconftest(SAYS)
    project.pytester.makepyfile("def test_own(): pass")
    project.suite(count=1)
    project.run("--collect-only", *options).stdout.fnmatch_lines_random([f"shared: {said}"])
