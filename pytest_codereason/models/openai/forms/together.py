"""Together's form: OpenAI's, without notes. A batch is known by its file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pytest_codereason.core.batches import BatchTerms
from pytest_codereason.models.openai.forms._http import Body
from pytest_codereason.models.openai.forms.openai import OpenAIForm


class TogetherForm(OpenAIForm):
    """The batches of one model."""

    terms = BatchTerms(most_bytes=100 * 10**6)
    uploads = "/files/upload"
    fields: ClassVar[Mapping[str, str]] = {"purpose": "batch-api", "file_name": "{name}.jsonl", "file_type": "jsonl"}
    notes = False
    whole_lines = False
    page = ""

    def follow(self, page: Body, number: int, last: str) -> str:
        """See :meth:`HttpBatching.follow`: the list is one page."""
        return ""
