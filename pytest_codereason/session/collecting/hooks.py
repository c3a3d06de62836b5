"""The hooks of the collection: what is selected, what looks like a suite and is none, and what mistakes users make."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from pytest_codereason.core.secrets import hide
from pytest_codereason.errors import UsageError
from pytest_codereason.fuzzing.hooks import FIXTURE
from pytest_codereason.questions.suites.suite import explain_ending
from pytest_codereason.session.checking.batches import refuse_searches
from pytest_codereason.session.checking.idle_options import check_search_options
from pytest_codereason.session.collecting.items import Placeholder, Question
from pytest_codereason.session.collecting.misnamed import is_in_folder, looks_like_suite
from pytest_codereason.session.collecting.ordering import drop_repeated, order_programs
from pytest_codereason.session.collecting.selectors import check_markers, explain_keyword
from pytest_codereason.session.controller import Controller
from pytest_codereason.session.order import Order

#: The attribute of a report that holds what a worker says of a mistake of the user.
_MISTAKE = "codereason_mistake"


class CollectionHooks:
    """Watches a collection, and has the controller check the run once it is over.

    Args:
        controller: ``None`` in a worker.
    """

    def __init__(self, config: pytest.Config, order: Order, controller: Controller | None) -> None:
        self._config = config
        self._order = order
        self._controller = controller
        self._misnamed: list[Path] = []  # files that look like suites
        self._empty = ""  # why -k has selected nothing

    def pytest_report_header(self) -> str:
        """Says which models will be asked."""
        return self._controller.format_header() if self._controller else ""

    def pytest_sessionstart(self) -> None:
        """Tries the models before xdist starts workers, which it does last: they would have to be ended again."""
        if self._controller is not None:
            self._controller.try_models()

    def pytest_collect_file(self, file_path: Path) -> None:
        """Remembers files that look like suites and are not collected, in the folders that the user names."""
        if is_in_folder(file_path, self._config) and looks_like_suite(file_path):
            self._misnamed.append(file_path)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> Generator[None, None, None]:
        """Checks the run once all plugins have deselected what they deselect."""
        collected, option, options = list(items), self._config.option, self._order.options
        searches = any(FIXTURE in getattr(item, "fixturenames", ()) for item in collected)
        try:
            if option.markexpr:
                check_markers(option.markexpr, collected, self._config.getini("markers"))
            if collected and not session.testsfailed:  # else a file with fuzz tests may be broken
                check_search_options(self._order.command.typed, searches=searches)
            refuse_searches(options, searches=searches)
        except UsageError as error:
            self._refuse(hide(str(error)))
        yield
        if repeated := drop_repeated(items):
            self._config.hook.pytest_deselected(items=repeated)
        if option.keyword and not any(isinstance(item, Question) for item in items):
            self._empty = explain_keyword(option.keyword, collected)
        if options.stop_when_decided:
            order_programs(items, options.seed or 0)
        if self._controller is not None:
            questions = (item for item in items if isinstance(item, (Question, Placeholder)))
            self._controller.prepare([(item.path, str(item.nodeid)) for item in questions], searches=searches)
            self._controller.watch((item.path, str(item.nodeid)) for item in items if isinstance(item, Question))

    def _refuse(self, mistake: str) -> None:
        """Ends the run for a mistake of the user. A worker tells the controller, by a report of its collection.

        Raises:
            pytest.UsageError: in the controller.
        """
        if self._controller is not None:
            raise pytest.UsageError(mistake)
        report = pytest.CollectReport("", "failed", mistake, [])
        setattr(report, _MISTAKE, mistake)
        self._config.hook.pytest_collectreport(report=report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Ends the run for the mistake that a worker reports."""
        if self._controller is not None and hasattr(report, _MISTAKE):
            raise pytest.UsageError(getattr(report, _MISTAKE))

    def pytest_report_collectionfinish(self) -> list[str]:
        """Says how many questions will be asked and where the report goes."""
        notes = [f"codereason: not asked: {explain_ending(path)}" for path in self._misnamed]
        notes += [f"codereason: {self._empty}"] if self._empty else []
        return [*self._controller.format_collected(), *notes] if self._controller else []
