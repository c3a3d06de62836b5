"""What the user asked for on the command line and in the ini file, checked and in one value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Model, Sampling
from pytest_codereason.errors import UsageError
from pytest_codereason.files.locations import cache_folder
from pytest_codereason.plugin import option_values
from pytest_codereason.sandbox import Mode
from pytest_codereason.suites.suite import check_sampling

#: The most requests of one search for a counterexample, and of the shrinking of one.
FUZZ_REQUESTS, FUZZ_SHRINK = 200, 300
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every option of the plugin, parsed."""

    models: tuple[str, ...]
    model_url: str | None
    model_args: Mapping[str, str]  #: for the backend
    sampling: Mapping[str, Any]  #: for all suites, before what they say
    writer: str | None  #: the model that writes hints
    writer_url: str | None
    limit: int | None
    seed: int | None
    concurrency: int | None
    max_cost: float | None
    fuzz_requests: int  #: of one search
    fuzz_shrink: int  #: of one shrinking
    dry_run: bool
    gates: tuple[str, ...]
    allow_partial: bool
    strict: bool
    shard: tuple[int, int] | None  #: (part counted from 0, of how many)
    report: Path | None
    store: Path
    reuse_s: float
    sandbox: Mode

    @classmethod
    def of(cls, config: pytest.Config) -> Settings:
        """Reads the options of a pytest run.

        Raises:
            UsageError: a value cannot be; names the option.
        """
        raw = {option.ini.removeprefix("codereason_"): value for option, value in option_values(config)}
        here = config.invocation_params.dir
        sampling, backend = _model_args(raw["model_arg"] or ())
        models = tuple(raw["model"] or ())
        if len(set(models)) < len(models):
            raise UsageError("--model: the same model is named twice")
        return cls(
            models=models,
            model_url=raw["model_url"] or None,
            model_args=backend,
            sampling=sampling,
            writer=raw["writer"] or None,
            writer_url=raw["writer_url"] or None,
            limit=_whole("--eval-limit", raw["limit"], least=1),
            seed=_whole("--eval-seed", raw["seed"], least=0),
            concurrency=_whole("--eval-concurrency", raw["concurrency"], least=1),
            max_cost=_money(raw["max_cost"]),
            fuzz_requests=_whole("--eval-fuzz-requests", raw["fuzz_requests"], least=1) or FUZZ_REQUESTS,
            fuzz_shrink=_whole("--eval-fuzz-shrink", raw["fuzz_shrink"], least=1) or FUZZ_SHRINK,
            dry_run=bool(raw["dry_run"]),
            gates=tuple(raw["gate"] or ()),
            allow_partial=bool(raw["allow_partial"]),
            strict=bool(raw["strict"]),
            shard=_shard(raw["shard"]),
            report=here / Path(raw["report"]).expanduser() if raw["report"] else None,
            store=here / Path(raw["store"]).expanduser() if raw["store"] else cache_folder() / "store",
            reuse_s=_age(raw["reuse"]),
            sandbox=_mode(raw["sandbox"]),
        )

    def build_models(self) -> dict[str, Model]:
        """The models by their spec; nothing is loaded or reached yet.

        Raises:
            UsageError: a spec or an argument cannot be.
        """
        return {spec: registry.create_model(spec, url=self.model_url, args=self.model_args) for spec in self.models}

    def build_writer(self) -> Model | None:
        """The model that writes hints, if there is one.

        Raises:
            UsageError: its spec cannot be.
        """
        if self.writer is None:
            return None
        try:
            return registry.create_model(self.writer, url=self.writer_url, args={})
        except UsageError as error:
            raise UsageError(f"--eval-writer: {error}") from error


def _model_args(pairs: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, str]]:
    names = {f.name for f in fields(Sampling)}
    sampling: dict[str, Any] = {}
    backend: dict[str, str] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            raise UsageError(f"--model-arg {pair!r}: write KEY=VALUE")
        if key in names:
            sampling[key] = check_sampling(key, _number(text))
        else:
            backend[key] = text
    return sampling, backend


def _number(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _whole(flag: str, text: str | None, *, least: int) -> int | None:
    if not text:
        return None
    if not re.fullmatch(r"\d{1,18}", text) or int(text) < least:
        raise UsageError(f"{flag} {text}: must be a whole number from {least}")
    return int(text)


def _money(text: str | None) -> float | None:
    if not text:
        return None
    if not re.fullmatch(r"\$?\d+(\.\d+)?", text):
        raise UsageError(f"--eval-max-cost {text}: must be an amount in US dollars, such as 2.50")
    return float(text.removeprefix("$"))


def _shard(text: str | None) -> tuple[int, int] | None:
    if not text:
        return None
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError(f"--eval-shard {text}: must be I/N with I from 1 to N, such as 2/4")
    return int(found[1]) - 1, int(found[2])


def _mode(text: str | None) -> Mode:
    for mode in get_args(Mode):
        if (text or "auto") == mode:
            found: Mode = mode
            return found
    raise UsageError(f"--eval-sandbox {text}: must be one of {', '.join(get_args(Mode))}")


def _age(text: str | None) -> float:
    if not text:
        return 0.0
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", text)
    if not found:
        raise UsageError(f"--eval-reuse {text}: must be an age such as 30m, 12h or 7d")
    return float(found[1]) * UNITS[found[2]]
