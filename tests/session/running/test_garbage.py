"""How often a run looks for garbage, and that it leaves the process as it found it."""

from __future__ import annotations

import gc

import pytest

from pytest_codereason.session.running.garbage import CONTAINERS, collect_seldom
from tests.session.conftest import Project

USER = """
import gc

def test_during():
    assert gc.get_threshold()[0] == {during}
"""


@pytest.mark.parametrize(("own", "during"), [(700, CONTAINERS), (CONTAINERS * 2, CONTAINERS * 2), (0, 0)])
def test_a_run_leaves_what_the_user_chose(own: int, during: int, project: Project) -> None:
    before = gc.get_threshold()
    gc.set_threshold(own, 5, 5)
    try:
        project.suite(count=1)
        (project.path / "test_user.py").write_text(USER.format(during=during))
        result = project.run("--model=baseline:truth", "test_user.py")
        assert result.ret == 0, result.stdout.str()
        assert gc.get_threshold() == (own, 5, 5)
    finally:
        gc.set_threshold(*before)


def test_what_was_frozen_is_let_go() -> None:
    frozen = gc.get_freeze_count()
    restore = collect_seldom()
    gc.freeze()
    assert gc.get_freeze_count() > frozen
    restore()
    assert gc.get_freeze_count() == 0
