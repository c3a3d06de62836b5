"""Ends a run that cannot begin: the user is told why, also on the page of a CI job."""

from __future__ import annotations

import pytest

from pytest_codereason.core.display import print_command
from pytest_codereason.core.secrets import hide
from pytest_codereason.errors import CodereasonError, explain


def refuse(error: CodereasonError) -> pytest.UsageError:
    """The error that ends pytest with one line. In a job of GitHub Actions the summary of the step says it too."""
    from pytest_codereason.reports.reporters.github import report_refusal  # not needed by a run that begins

    complaint = hide(explain(error))
    for line in report_refusal(complaint):
        print_command(line)
    return pytest.UsageError(complaint)
