"""Tries whether the models of a session can be asked: those at addresses before anything is collected."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_codereason.core import Model
from pytest_codereason.engine.engine import refuse_broken, try_models
from pytest_codereason.errors import PartError
from pytest_codereason.questions.suites.suite import is_question
from pytest_codereason.session.order import Order


class Trial:
    """Tries models, each of them once."""

    def __init__(self) -> None:
        self._errors: dict[Model, PartError | None] = {}

    def try_addresses(self, order: Order) -> None:
        """Tries the models at addresses, if the user names a suite that is to be asked.

        What else a command names may hold no question, and then no model is asked.

        Raises:
            UsageError: a model cannot be asked.
        """
        command = order.command
        if command.collects_only or order.options.dry_run or not any(is_question(each.name) for each in command.files):
            return
        self._try(model for model in order.roster.models.values() if model.takes_url)

    def try_rest(self, models: Iterable[Model]) -> list[PartError]:
        """Tries those of the models that have not been tried. Gives the exceptions that models raised.

        Raises:
            UsageError: a model cannot be asked, or all have raised.
        """
        self._try(models := list(models))
        return refuse_broken([self._errors[model] for model in models])

    def _try(self, models: Iterable[Model]) -> None:
        new = [model for model in dict.fromkeys(models) if model not in self._errors]
        self._errors |= zip(new, try_models(new), strict=True)
