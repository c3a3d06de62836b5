"""Azure's form: OpenAI's, with another name of the address."""

from __future__ import annotations

from pytest_codereason.models.openai.forms.openai import OpenAIForm


class AzureForm(OpenAIForm):
    """The batches of one model."""

    chat = "/chat/completions"
