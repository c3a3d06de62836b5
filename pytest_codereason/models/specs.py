"""The model of a spec, such as ``openai:gpt-x``, ``baseline:chance`` or ``package.module:Name``."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping

from pytest_codereason.core import Model, Price
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError, blame
from pytest_codereason.models import providers
from pytest_codereason.models.openai.endpoint import FOLDER
from pytest_codereason.registry import find, has_name, is_shipped, list_names


def create_model(spec: str, *, url: str | None, args: Mapping[str, str]) -> Model:
    """The model of a spec such as ``openai:gpt-x``, ``baseline:chance`` or ``package.module:Name``.

    Raises:
        UsageError: the spec names no model, or holds control characters; says which models there are.
        PartError: the class of the model raised an exception.
    """
    kind = find_model(spec)
    prefix, _, name = spec.partition(":")
    model: Model
    if preset := providers.find_preset(prefix):
        from pytest_codereason.models.openai import OpenAIModel
        from pytest_codereason.models.openai.offline import OfflineModel

        chosen = OfflineModel if url and url.startswith(FOLDER) else OpenAIModel
        model = chosen.create(name, url=url, args=args, preset=preset)
    else:
        model = _create(kind, name if _is_provider(prefix) else spec, url, args)
    with blame(kind):
        if not preset and not is_shipped(Model, prefix):
            model.label = spec  # by any other its records would not be found
        model.spec = spec
    return model


def find_model(spec: str) -> type[Model]:
    """The class that answers for a spec.

    Raises:
        UsageError: as :func:`create_model`.
    """
    if not spec.isprintable():  # it stands in the terminal, in ids and in reports
        raise UsageError(f"the model {spec!r}: a name holds no control characters")
    prefix, colon, name = spec.partition(":")
    if providers.find_preset(prefix):
        return find(Model, "openai")
    if "." in prefix and colon:
        return find(Model, spec)
    if _is_provider(prefix) and name:
        return find(Model, prefix)
    every = dict.fromkeys((*list_names(Model), *providers.PRESETS))
    if not _is_provider(prefix) and name.isidentifier() and _is_module(prefix):
        try:
            return find(Model, spec)
        except UsageError as error:
            raise UsageError(f"{error}; there is no provider {prefix!r}{suggest_name(prefix, every)}") from error
    raise UsageError(
        f"unknown model {spec!r}{suggest_name(prefix, every)}: write PROVIDER:NAME with one of "
        f"{', '.join(every)}, or package.module:Name"
    )


def _is_provider(prefix: str) -> bool:
    """Whether a part of this name gives models."""
    return bool(prefix) and "." not in prefix and has_name(Model, prefix)


def _is_module(name: str) -> bool:
    """Whether Python finds a module of this name, which has no dot. Imports nothing."""
    try:
        return importlib.util.find_spec(name) is not None
    except ValueError:  # a module of the running program, such as __main__
        return True


def _create(kind: type[Model], name: str, url: str | None, args: Mapping[str, str]) -> Model:
    with blame(kind):
        model = kind.create(name, url=url, args=args)
        # A run reads these at many places, so an exception there comes here.
        _ = model.identity, model.pinned, model.stored, Price.of(model.price), model.concurrency, model.executes
        return model
