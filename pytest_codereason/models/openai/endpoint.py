"""Reads a user's settings of an endpoint: its address and the ``--model-arg`` pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from pytest_codereason.core import Price
from pytest_codereason.core.secrets import Secret, hide_url
from pytest_codereason.core.text.settings import split_urls
from pytest_codereason.errors import BadArgument, UsageError
from pytest_codereason.models.providers import Prefill
from pytest_codereason.models.shared.arguments import ModelArguments

#: What an address begins with that is a folder of files.
FOLDER = "file:"
#: What is added to an address to ask a question.
CHAT = "/chat/completions"
TOKENS_FIELDS = ("max_tokens", "max_completion_tokens")
#: Fields of a request that shape an answer. A field is left out only if the user says so.
OPTIONAL_FIELDS = ("temperature", "top_p", "reasoning_effort", "stop")
#: Fields of a request that ``body.KEY`` may not set, because other settings do; with what to use instead.
TAKEN_FIELDS = {
    "model": "name another model with --model",
    "messages": "questions come from the suite",
    "temperature": "write temperature",
    "top_p": "write top_p",
    "reasoning_effort": "write reasoning_effort",
    "max_tokens": "write max_tokens",
    "max_completion_tokens": "write max_tokens, and max_tokens_field=max_completion_tokens",
    "seed": "write seed",
    "stop": "the task sets it; omit=stop leaves it out",
    "continue_final_message": "write prefill=continue",
    "add_generation_prompt": "write prefill=continue",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """The settings that ``--model-arg`` can change."""

    timeout_s: float
    idle_timeout_s: float
    tokens_field: str | None
    prefill: Prefill
    omit: tuple[str, ...]
    key_env: str | None
    #: stands for the addresses in what identifies the model, so that its answers outlive a change of addresses
    endpoint_name: str | None
    headers: Mapping[str, Secret]
    body: dict[str, object]
    price: Price | None

    @classmethod
    def read(cls, label: str, pairs: Mapping[str, str]) -> EndpointSettings:
        """The settings in the ``--model-arg`` pairs of a model.

        Raises:
            UsageError: a key is unknown, or its value is not allowed.
        """
        args = ModelArguments(label, pairs)
        timeout_s = args.number("timeout", 600.0, low=0.001)
        price = _read_price(label, args)
        prefill = args.text("prefill", "auto", choices=("auto", "continue", "prefix", "assistant", "never"))
        body = {key: _parse_json(value) for key, value in args.pairs_under("body.", "KEY").items()}
        if taken := next((key for key in body if key in TAKEN_FIELDS), None):
            complaint = f"body.{taken} cannot be set, because every request has its own {taken}: {TAKEN_FIELDS[taken]}"
            raise BadArgument(f"{label}: --model-arg {complaint}", key=f"body.{taken}", complaint=complaint)
        if (seed := args.integer("seed")) is not None:
            body["seed"] = seed
        settings = cls(
            timeout_s=timeout_s,
            idle_timeout_s=args.number("idle_timeout", timeout_s, low=0.001),
            tokens_field=args.text("max_tokens_field", choices=TOKENS_FIELDS),
            prefill=cast(Prefill, prefill),
            omit=args.words("omit"),
            key_env=args.text("key_env"),
            endpoint_name=args.text("endpoint_name"),
            headers={name: Secret(value) for name, value in args.pairs_under("header.", "NAME").items()},
            body=body,
            price=price,
        )
        args.check_rest()
        if unknown_fields := set(settings.omit) - {*OPTIONAL_FIELDS}:
            raise args.make_error("omit", unknown_fields.pop(), f"some of {', '.join(OPTIONAL_FIELDS)}")
        return settings


def _read_price(label: str, args: ModelArguments) -> Price | None:
    keys = ("price_in", "price_out", "price_cached", "price_reasoning")
    price_in, price_out, cached, reasoning = map(args.number, keys)
    if price_in is not None and price_out is not None:
        return Price(price_in, price_out, cached, reasoning)
    if any(price is not None for price in (price_in, price_out, cached, reasoning)):
        raise UsageError(f"{label}: give both --model-arg price_in and price_out (US dollars per million tokens)")
    return None


def _parse_json(value: str) -> Any:
    """The value of ``body.KEY``: parsed as JSON if possible, else the text itself."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def read_urls(text: str, named: str) -> tuple[str, ...]:
    """The addresses of an option, one or several with commas between them, as :func:`check_url` gives each.

    Raises:
        UsageError: as :func:`check_url`.
    """
    return tuple(dict.fromkeys(check_url(url, named) for url in split_urls(text)))


def check_url(url: str, named: str) -> str:
    """An endpoint's address without a slash at its end.

    Raises:
        UsageError: the text is not an address, goes on behind it, or holds a user, a password or a query.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        demand = f"{hide_url(url)!r} must be an address such as http://localhost:8000/v1"
        if "=http" in url:
            demand += "; a model gets an address of its own by url in a table [tool.codereason.models.NAME]"
        raise BadArgument(f"{named} {demand}", key="url", complaint=f"url = {demand}")
    if parts.username or parts.password or parts.query or parts.fragment:
        demand = f"for {parts.hostname} must not hold a user, a password or a query: send those with"
        raise BadArgument(
            f"{named} {demand} --model-arg header.NAME=env:VARIABLE",
            key="url",
            complaint=f"url {demand} header.NAME = 'env:VARIABLE'",
        )
    if (stem := url.rstrip("/")).endswith(CHAT):
        demand = f"{url!r} must end before {CHAT}: write {stem.removesuffix(CHAT)}"
        raise BadArgument(f"{named} {demand}", key="url", complaint=f"url = {demand}")
    return stem
