"""OpenRouter's form: OpenAI's lines, all in one message, and the results in what it says of a batch that has ended."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pytest_codereason.core.batches import BatchState, BatchTerms
from pytest_codereason.errors import FatalModelError
from pytest_codereason.models.openai.forms._http import Body
from pytest_codereason.models.openai.forms._inline import InlineBatching
from pytest_codereason.models.openai.forms.openai import OpenAIForm

#: How the names of models end whose price in the list is that of batches.
VARIANT = ":batch"


class OpenRouterForm(InlineBatching, OpenAIForm):
    """The batches of one model."""

    whole_lines = False

    @property
    def terms(self) -> BatchTerms:  # type: ignore[override]
        """See :attr:`Batching.terms`."""
        return BatchTerms(most_lines=5_000, discount=1.0 if self._model.endswith(VARIANT) else 0.5)

    def write_batch(self, lines: Sequence[bytes]) -> bytes:
        """See :meth:`InlineBatching.write_batch`. The provider wants the requests last."""
        about: Mapping[str, object] = {"endpoint": self.chat, "model": self._model, **self.list_options()}
        return json.dumps(about).encode()[:-1] + b', "requests": [' + b",".join(lines) + b"]}"

    def count_requests(self, row: Body) -> int:
        """See :meth:`InlineBatching.count_requests`."""
        return int(row["request_counts"]["total"])

    def read_state(self, row: Body) -> BatchState:
        """See :meth:`HttpBatching.read_state`."""
        results = row.get("results")
        rows = tuple(each for each in results if isinstance(each, dict)) if isinstance(results, list) else ()
        return super().read_state(row)._replace(results=rows)

    async def cancel(self, id: str) -> None:
        """See :meth:`Batching.cancel`."""
        raise FatalModelError(f"OpenRouter cancels no batches: {id} goes on")
