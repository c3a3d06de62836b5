"""Mistral's form: OpenAI's files, and batches that are called jobs and name the model."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core.batches import BatchTerms
from pytest_codereason.models.openai.forms._http import Body
from pytest_codereason.models.openai.forms.openai import OpenAIForm


class MistralForm(OpenAIForm):
    """The batches of one model."""

    terms = BatchTerms(most_bytes=500 * 10**6)
    batches = "/batch/jobs"
    page = "?page_size=100"
    input_file, output_file, error_file = "input_files", "output_file", "error_file"
    whole_lines = False

    def list_options(self) -> Mapping[str, object]:
        """See :meth:`OpenAIForm.list_options`."""
        return {"model": self._model, "timeout_hours": 24}

    def name_input(self, file: str) -> object:
        """See :meth:`OpenAIForm.name_input`."""
        return [file]

    def follow(self, page: Body, number: int, last: str) -> str:
        """See :meth:`HttpBatching.follow`."""
        return f"&page={number}"
