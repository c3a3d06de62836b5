"""The models of a session, made from its options. Nothing is loaded or reached yet."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from pytest_codereason import registry
from pytest_codereason.core import Model, Sampling
from pytest_codereason.errors import UsageError
from pytest_codereason.options import Options
from pytest_codereason.secrets import hide_url, read_value
from pytest_codereason.suites.suite import check_sampling

#: Addresses of proxies, which may hold a password.
PROXIES = [name for low in ("http_proxy", "https_proxy", "all_proxy") for name in (low, low.upper())]


def split_arguments(pairs: Iterable[tuple[str, str]]) -> tuple[dict[str, Any], dict[str, str]]:
    """Splits ``--model-arg KEY=VALUE`` into settings of sampling and arguments of the model.

    ``KEY=env:NAME`` takes the value from the environment.

    Raises:
        UsageError: there is no such environment variable.
        BadSetting: a setting of sampling has a value that it cannot have.
    """
    names = {field.name for field in fields(Sampling)}
    sampling: dict[str, Any] = {}
    rest: dict[str, str] = {}
    for key, text in pairs:
        if key in names:
            sampling[key] = check_sampling(key, _parse_number(text))
        else:
            rest[key] = read_value("--model-arg", key, text)
    return sampling, rest


def make_models(options: Options) -> dict[str, Model]:
    """The models by their spec.

    Raises:
        UsageError: a spec or an argument cannot be used.
    """
    _, arguments = split_arguments(options.model_args)
    for url in (options.model_url, options.writer_url, *map(os.environ.get, PROXIES)):
        hide_url(url or "")
    return {spec: registry.create_model(spec, url=options.model_url, args=arguments) for spec in options.models}


def make_writer(options: Options) -> Model | None:
    """The model that writes hints, if there is one.

    Raises:
        UsageError: its spec cannot be used.
    """
    if options.writer is None:
        return None
    try:
        return registry.create_model(options.writer, url=options.writer_url, args={})
    except UsageError as error:
        raise UsageError(f"--eval-writer: {error}") from error


def _parse_number(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
