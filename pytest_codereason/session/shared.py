"""What the collectors and items of a session share: the suites, the models, and the interviewer that asks."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pytest_codereason.core.text.parts import Part
from pytest_codereason.session.collecting.suites import Suites
from pytest_codereason.session.interviewer import Interviewer


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The suites and models of a session, and what asks the questions."""

    models: tuple[str, ...]
    limit: Part | None  #: ``--eval-limit``
    shard: tuple[int, int] | None  #: ``--eval-shard``
    suites: Suites
    interviewer: Interviewer


#: Where a pytest run keeps it. Nothing is there unless a model is given.
SHARED: pytest.StashKey[Shared] = pytest.StashKey()
