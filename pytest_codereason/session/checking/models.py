"""The models of a session, made from its options and from the tables of named models.

Nothing is loaded or reached yet.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pytest_codereason.core import Model, digest
from pytest_codereason.core.secrets import hide_urls, read_value
from pytest_codereason.core.text.settings import split_urls
from pytest_codereason.engine.building.authoring import OWN_TEXTS, identify_writer
from pytest_codereason.errors import BadArgument, BadSetting, UnknownArgument, UsageError, blame
from pytest_codereason.models import specs
from pytest_codereason.models.shared import weights
from pytest_codereason.models.shared.arguments import EVERY_MODEL
from pytest_codereason.options import Options
from pytest_codereason.questions.suites.sampling import check_sampling
from pytest_codereason.session.checking.model_tables import OWN_KEYS, ModelSettings, ModelTables, load_tables

#: Addresses of proxies, which may hold a password.
PROXIES = [name for low in ("http_proxy", "https_proxy", "all_proxy") for name in (low, low.upper())]

#: The value of ``--eval-writer`` by which each model writes the texts in its own questions.
SELF = "self"


@dataclass(frozen=True)
class Roster:
    """The models of a session."""

    models: Mapping[str, Model]  #: by label
    sampling: Mapping[str, object]  #: settings of sampling for all of them, which replace those of every suite
    #: who writes hints and other texts in a model's questions, by the model's label; empty if nobody does
    writers: Mapping[str, Model] = field(default_factory=dict)
    #: what identifies the writer in the plan of a suite, the same for all models
    writer: Mapping[str, object] | None = None


#: Stands for the best weights that are on this machine, unless a table has this name.
LOCAL = "local"


def settle_models(options: Options, root: Path) -> Options:
    """The options with a model in place of :data:`LOCAL`, so that records say which it was."""
    if LOCAL not in options.models or LOCAL in load_tables(options.models_file, root):
        return options
    best = f"{LOCAL}:{weights.find_best().name}"
    arguments = tuple(
        (f"{best}:{inner}" if place == LOCAL and ":" not in inner else key, text)
        for key, text in options.model_args
        for place, _, inner in (key.partition(":"),)
    )
    models = tuple(dict.fromkeys(best if label == LOCAL else label for label in options.models))
    return replace(options, models=models, model_args=arguments)


def make_roster(options: Options, root: Path) -> Roster:
    """The models that the options name.

    Args:
        root: pytest's root folder, where ``pyproject.toml`` lies.

    Raises:
        UsageError: a model or a setting cannot be used, or has no effect; says what to do.
    """
    for url in (options.model_url, options.writer_url, *map(os.environ.get, PROXIES)):
        hide_urls(url or "")
    tables = load_tables(options.models_file, root)
    if options.models_file is not None and not any(name in tables for name in _list_labels(options)):
        raise UsageError(f"--eval-models has no effect: no --model is a name of {options.models_file.name}")
    shared, own = _divide_arguments(options)
    maker = ModelMaker(tables, options.model_url, shared, own)
    models = {label: maker.make_model(label) for label in options.models}
    sampling = _read_sampling(shared)
    if options.model_url and not maker.uses_url:
        raise UsageError(
            f"--model-url has no effect: {maker.explain_urls()}; remove it, or write --model-arg MODEL:url=URL"
        )
    for key in sampling:
        _check_effect(f"--model-arg {key}", models.values())
    _check_different(models)
    if options.writer == SELF:
        _refuse_writer_url(options)
        return Roster(models, sampling, models, OWN_TEXTS)
    writer = _make_writer(options, tables, own)
    if writer is None:
        return Roster(models, sampling)
    _refuse_own_texts(models, writer)
    return Roster(models, sampling, dict.fromkeys(models, writer), identify_writer(writer))


def _read_sampling(shared: Mapping[str, str]) -> dict[str, object]:
    """The settings of sampling among the arguments for all models.

    Raises:
        UsageError: a setting cannot have its value; names the option.
    """
    sampling = {}
    for key in (key for key in shared if key in EVERY_MODEL):
        try:
            sampling[key] = check_setting(key, shared[key])
        except BadSetting as error:
            raise UsageError(f"--model-arg {key}: {error}") from error
    return sampling


def _make_writer(options: Options, tables: ModelTables, own: Mapping[str, Mapping[str, str]]) -> Model | None:
    """The model that writes hints, if there is one: a spec or the name of a table, as any other model.

    Arguments for all models are not for the writer: a question's temperature says nothing about hints.

    Raises:
        UsageError: the writer cannot be used, or its address has no effect.
    """
    if options.writer is None:
        _refuse_writer_url(options)
        return None
    return ModelMaker(tables, options.writer_url, {}, own).make_writer(options.writer, "--eval-writer")


def _refuse_own_texts(models: Mapping[str, Model], writer: Model) -> None:
    """Refuses a writer that is asked too: it would know what it wrote.

    Raises:
        UsageError: a model has the spec and address of the writer.
    """
    for label, model in models.items():
        with blame(model):
            same = dict(model.identity) == dict(writer.identity)
        if same and "baseline" not in model.identity:
            raise UsageError(
                f"--eval-writer={writer.label} is --model={label}, which would be asked about what it wrote itself: "
                f"name another writer, or allow it for every model by --eval-writer={SELF}; the report then says so"
            )


def _refuse_writer_url(options: Options) -> None:
    if options.writer_url:
        raise UsageError("--eval-writer-url has no effect: no --eval-writer names the model that writes")


def _list_labels(options: Options) -> tuple[str, ...]:
    """What the user calls the models of a run, the writer last."""
    writers = () if options.writer in (None, SELF) else (options.writer,)
    return tuple(dict.fromkeys((*options.models, *writers)))


def check_setting(key: str, text: str) -> Any:
    """The value of a setting of sampling, from the text of ``--model-arg``.

    Raises:
        BadSetting: the setting cannot have that value.
    """
    for kind in (int, float):
        try:
            return check_sampling(key, kind(text))
        except ValueError:
            continue
    return check_sampling(key, text)


def _divide_arguments(options: Options) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """The ``--model-arg`` for all models, and those for one model by its label: ``small:temperature=0``.

    Raises:
        UsageError: a key is given twice, or is for a model that is not asked.
    """
    shared: dict[str, str] = {}
    own: dict[str, dict[str, str]] = {label: {} for label in _list_labels(options)}
    for key, text in options.model_args:
        label = max((label for label in own if key.startswith(f"{label}:")), key=len, default=None)
        inner = key if label is None else key.removeprefix(f"{label}:")
        if label is None and ":" in key and key.partition(".")[0] not in ("body", "header"):
            named = key.rpartition(":")[0]
            near = get_close_matches(named, own, 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise UsageError(
                f"--model-arg {key}: no model of this run is called {named!r}: {hint}there is {', '.join(own)}"
            )
        place = shared if label is None else own[label]
        if inner in place:
            hint = _explain_form(options.models, inner) if len(own) > 1 else ""
            raise UsageError(f"--model-arg {key} is given twice: keep one{hint}")
        place[inner] = text
    return shared, own


def _explain_form(labels: Sequence[str], key: str) -> str:
    """How to give an argument to one of several models."""
    return f"; for one model write --model-arg {labels[0]}:{key}=VALUE"


class ModelMaker:
    """Makes models one by one.

    Args:
        url: the address for models that have none of their own.
        shared: ``--model-arg`` for all models.
        own: ``--model-arg`` for one model, by label.
        own_option: how a message writes an argument for one model; ``{label}`` stands for its label.
    """

    def __init__(
        self,
        tables: ModelTables,
        url: str | None,
        shared: Mapping[str, str],
        own: Mapping[str, Mapping[str, str]],
        *,
        own_option: str = "--model-arg {label}:",
    ) -> None:
        self._tables = tables
        self._url = url
        self._shared = shared
        self._own = own
        self._own_option = own_option
        self.uses_url = False  #: whether a model is asked at the address for all
        self._idle: list[str] = []  # why models are not

    def make_model(self, label: str) -> Model:
        """The model of a label, which is a spec or the name of a table.

        Raises:
            UsageError: there is no such model, or a setting cannot be used.
        """
        named = label in self._tables
        if not named and ":" not in label and (known := self._tables.explain_unknown(label)):
            raise UsageError(f"unknown model {label!r}: {known}; or write PROVIDER:NAME")
        settings = self._tables.read(label) if named else ModelSettings(spec=label)
        fail = self._name_place(label)
        try:
            kind = specs.find_model(settings.spec)
        except UsageError as error:
            raise (fail("spec", str(error)) if named else error) from error
        settings = self._change(label, settings)
        if not kind.takes_url and settings.url is not None:
            raise fail("url", f"'url' has no effect: {settings.spec} is asked at no address")
        if not kind.takes_sampling and settings.sampling:
            key = min(settings.sampling)
            raise fail(key, f"{key!r} has no effect: {settings.spec} takes no settings of sampling")
        if settings.url is not None:
            self._idle.append(f"{label} has a url of its own")
        elif not kind.takes_url:
            self._idle.append(f"{label} is asked at no address")
        else:
            self.uses_url = True
        url = settings.url or (self._url if kind.takes_url else None)
        hide_urls(url or "")
        if url is not None and len(split_urls(url)) > 1 and not kind.takes_several_urls:
            raise fail("url", f"{settings.spec} is asked at one address: name one url")
        try:
            model = specs.create_model(settings.spec, url=url, args=settings.arguments)
        except BadArgument as error:
            raise self._explain(label, error, fail) from error
        except UsageError as error:
            raise (fail("", str(error)) if named else error) from error
        with blame(model):
            model.label, model.sampling = label, settings.sampling
            if settings.concurrency is not None:
                model.concurrency = settings.concurrency
        return model

    def make_writer(self, label: str, option: str) -> Model:
        """The one model of a label that ``option`` names; ``{option}-url`` gives the address for all.

        Raises:
            UsageError: there is no such model, a setting cannot be used, or the address has no effect.
        """
        try:
            writer = self.make_model(label)
        except UsageError as error:
            raise UsageError(f"{option}: {error}") from error
        if self._url and not self.uses_url:
            raise UsageError(f"{option}-url has no effect: {self.explain_urls()}")
        return writer

    def explain_urls(self) -> str:
        """Why no model uses the address for all."""
        return ", ".join(self._idle)

    def _change(self, label: str, settings: ModelSettings) -> ModelSettings:
        """The settings of a table, changed by ``--model-arg``: first by those for all models, then by the model's own.

        Settings of sampling for all models reach the model through the suite.
        """
        sampling = {key: value for key, value in settings.sampling.items() if key not in self._shared}
        arguments = dict(settings.arguments)
        for key, text in self._shared.items():
            if key not in EVERY_MODEL:
                arguments[key] = read_value("--model-arg", key, text)
        url, concurrency = settings.url, settings.concurrency
        for key, text in self._own[label].items():
            option = self._own_option.format(label=label)
            try:
                if key in EVERY_MODEL:
                    sampling[key] = check_setting(key, text)
                    continue
            except BadSetting as error:
                raise UsageError(f"{option}{key}: {error}") from error
            value = read_value(option, key, text)
            if key == "spec":
                raise UsageError(f"{option}spec cannot be changed: name another model with --model")
            if key == "url":
                url = value
            elif key == "concurrency":
                if not value.isdecimal() or int(value) < 1:
                    raise UsageError(f"{option}concurrency must be a whole number from 1, not {value!r}")
                concurrency = int(value)
            else:
                arguments[key] = value
        return replace(settings, url=url, concurrency=concurrency, sampling=sampling, arguments=arguments)

    def _name_place(self, label: str) -> Callable[[str, str], UsageError]:
        """A function that makes an error about a key of a model: it names the option or the line of the file."""

        def fail(key: str, message: str) -> UsageError:
            if key and key in self._own[label]:
                return UsageError(f"{self._own_option.format(label=label)}{key}: {message}")
            if key and key in self._shared:
                return UsageError(f"--model-arg {key}: {message}")
            return self._tables.fail(message, label, key) if label in self._tables else UsageError(message)

        return fail

    def _explain(self, label: str, error: BadArgument, fail: Callable[[str, str], UsageError]) -> UsageError:
        """An error about an argument, with the place where the user wrote it."""
        key, mine = error.key, self._own[label]
        if key in self._shared and key not in mine:
            others = [other for other in self._own if other != label]
            if isinstance(error, UnknownArgument):
                words = f"{label} has no --model-arg {key!r}: {error.hint}"
            else:
                words = f"{label}: --model-arg {error.complaint}"
            return UsageError(f"{words}{_explain_form(others, key) if others else ''}")
        if key not in mine and label not in self._tables:
            return error
        complaint = error.complaint
        if isinstance(error, UnknownArgument):
            near = get_close_matches(key, OWN_KEYS, 1)
            every = f"{complaint}; every model has {', '.join(OWN_KEYS)}"
            complaint = f"unknown key {key!r}: did you mean {near[0]!r}?" if near else every
        return fail(key, complaint)


def _check_effect(option: str, models: Iterable[Model]) -> None:
    """Checks that a model reads the settings of sampling.

    Raises:
        UsageError: no model does.
    """
    if not any(model.takes_sampling for model in models):
        names = " and ".join(model.label for model in models)
        raise UsageError(f"{option} has no effect: {names} takes no settings of sampling")


def _check_different(models: Mapping[str, Model]) -> None:
    """Checks that no model is asked twice: both would get the same stored answers, and could not differ.

    Raises:
        UsageError: two models have the same weights, address and settings.
    """
    seen: dict[str, str] = {}
    for label, model in models.items():
        with blame(model):
            same = seen.setdefault(digest(dict(model.identity), dict(model.sampling)), label)
        if same != label:
            raise UsageError(
                f"--model={same} and --model={label} are one model: the same spec, address and settings; keep one"
            )
