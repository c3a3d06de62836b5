"""Finds out that an address lacks ``/v1``, before every question gets a 404."""

from __future__ import annotations

import re

from pytest_codereason.models.openai import replies
from pytest_codereason.models.openai.client import Client
from pytest_codereason.models.openai.endpoint import CHAT

VERSION = "/v1"


async def lacks_version(url: str, client: Client, *, timeout_s: float) -> bool:
    """Whether a server without a list of models has one below ``/v1``, and no chat at its address.

    Some providers have a list below ``/v1`` and chat above it. An empty request costs nothing.

    Raises:
        TransientModelError: the server does not answer.
    """
    if re.search(r"/v\d", url):
        return False
    below = await client.get(f"{VERSION}/models", timeout_s=timeout_s)
    if not below.succeeded or not replies.list_models(below.content):
        return False
    return (await client.post(CHAT, b"{}", timeout_s=timeout_s)).status in (404, 405)
