"""What stands around a program is refused by tasks that show it alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason.changes.stages.layout import LayoutStage
from pytest_codereason.core import Context
from pytest_codereason.errors import Skip
from pytest_codereason.questions.tasks.shared.alone import require_alone
from tests.questions.tasks.input_answers import make_instance


def test_a_program_alone_passes() -> None:
    require_alone(make_instance(), "a pair is shown")


def test_a_context_and_labels_are_refused() -> None:
    surrounded = replace(make_instance(), context=Context(distractors=("def g():\n    return 1\n",), place=0))
    labelled = LayoutStage().apply(make_instance(layout="numbers"), lambda _: None)
    for instance in (surrounded, labelled):
        with pytest.raises(Skip, match=r"^a pair is shown, without other functions or labels of lines$"):
            require_alone(instance, "a pair is shown")
