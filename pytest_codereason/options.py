"""Every option of the plugin, with its ini twin, and the typed value of them all.

Only the standard library and pytest are imported at the top: pytest loads this module in every session.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

from pytest_codereason.errors import UsageError

if TYPE_CHECKING:
    from pytest_codereason.core.text.parts import Part
    from pytest_codereason.sandbox import Mode

FUZZ_REQUESTS, FUZZ_SHRINK = 200, 300  #: the most requests of a search for a counterexample, and of shrinking one
Claim = Literal["generator", "suite"]  #: what a verdict is about: programs like the suite's, or its questions alone
Undecided = Literal["fail", "pass"]  #: what becomes of a run with a gate that too few answers leave open
JUnitMisses = Literal["failures", "properties"]


class Option(NamedTuple):
    """One command-line option and its ini twin."""

    flag: str
    ini: str
    help: str
    ini_type: str = "string"
    attrs: dict[str, Any] = {}  # noqa: RUF012  # a NamedTuple's default, never written to


MANY = {"action": "append", "default": []}
SWITCH = {"action": "store_true", "default": None}

OPTIONS = (
    Option(
        "--codereason-model",
        "codereason_model",
        "a model: PROVIDER:NAME, such as openai:gpt-x or local:smollm2; local, the best that is here; or a name in "
        "[tool.codereason.models.NAME] in pyproject.toml; repeatable; short: --model, unless another plugin has it",
        "linelist",
        MANY | {"metavar": "SPEC"},
    ),
    Option(
        "--codereason-model-url",
        "codereason_model_url",
        "the endpoint of the models that have no url of their own; repeatable, or with commas: servers of the same "
        "model, among which its requests are balanced; short: --model-url",
        "linelist",
        MANY | {"metavar": "URL"},
    ),
    Option(
        "--codereason-model-arg",
        "codereason_model_arg",
        "a setting of sampling (temperature, top_p, max_tokens, reasoning_effort) or of the model's backend; "
        "KEY=env:NAME takes it from the environment; MODEL:KEY=VALUE is for one model; repeatable; short: --model-arg",
        "linelist",
        MANY | {"metavar": "KEY=VALUE"},
    ),
    Option(
        "--eval-models",
        "codereason_models",
        "a TOML file with a table [models.NAME] for each model, instead of pyproject.toml",
        attrs={"metavar": "FILE"},
    ),
    Option(
        "--eval-writer",
        "codereason_writer",
        "the model that writes hints and other texts in questions, PROVIDER:NAME or a name from "
        "[tool.codereason.models.NAME]; 'self': each model writes the texts in its own questions (default: a rule)",
        attrs={"metavar": "SPEC"},
    ),
    Option(
        "--eval-writer-url",
        "codereason_writer_url",
        "the endpoint of a writer that has no url of its own",
        attrs={"metavar": "URL"},
    ),
    Option(
        "--eval-limit",
        "codereason_limit",
        "ask only about a sample of whole programs, the same for every model: at most 200 questions of each suite, "
        "10%%, or 1/8; of a program with more questions a part is asked; -k selects from it",
        attrs={"metavar": "PART"},
    ),
    Option(
        "--eval-repeat",
        "codereason_repeat",
        "ask a part of the questions a second time: 10%%, 1/8, or a number for each suite. How many of these answers "
        "flip stands beside every difference; no score counts them",
        attrs={"metavar": "PART"},
    ),
    Option(
        "--eval-seed",
        "codereason_seed",
        "the seed of generated programs (default: the suite's); programs of data sets do not change",
        attrs={"metavar": "N"},
    ),
    Option(
        "--eval-concurrency",
        "codereason_concurrency",
        "the most requests in flight to each model, over all processes",
        attrs={"metavar": "N"},
    ),
    Option("--eval-batch", "codereason_batch", "ask in batches: for less money, within a day", "bool", SWITCH),
    Option(
        "--eval-max-cost",
        "codereason_max_cost",
        "the most that this run may spend, in US dollars; needs the prices of the model, price_in and price_out",
        attrs={"metavar": "USD"},
    ),
    Option(
        "--eval-max-time",
        "codereason_max_time",
        "ask no more after this time (30m, 2h) since the command began; to go on, run the same command again",
        attrs={"metavar": "TIME"},
    ),
    Option(
        "--eval-fuzz-requests",
        "codereason_fuzz_requests",
        "the most requests of one test that searches for a counterexample (default: 200)",
        attrs={"metavar": "N"},
    ),
    Option(
        "--eval-fuzz-shrink",
        "codereason_fuzz_shrink",
        "the most requests to make a counterexample smaller (default: 300)",
        attrs={"metavar": "N"},
    ),
    Option("--eval-dry-run", "codereason_dry_run", "ask nothing; count questions, tokens and cost", "bool", SWITCH),
    Option(
        "--eval-gate",
        "codereason_gate",
        "fail the run unless this holds: 'semtrace.exact[language=php] >= 80%%', 'semtrace.exact >= baseline - 2%%', "
        "'drop(misleading.exact[perturbation=comments]) <= 5%%'; repeatable",
        "linelist",
        MANY | {"metavar": "EXPR"},
    ),
    Option(
        "--eval-baseline",
        "codereason_baseline",
        "the folder of an earlier run, to which gates with 'baseline' compare this run question by question",
        attrs={"metavar": "RUN"},
    ),
    Option(
        "--eval-claim",
        "codereason_claim",
        "what gates are about: generator (programs like the suite's; default) or suite (this suite's questions alone)",
        attrs={"metavar": "CLAIM"},
    ),
    Option(
        "--eval-undecided",
        "codereason_undecided",
        "whether a gate that too few answers leave open lets the run fail or pass (default: fail)",
        attrs={"metavar": "fail|pass"},
    ),
    Option(
        "--eval-stop-when-decided",
        "codereason_stop_when_decided",
        "ask programs in a random order, and stop as soon as every gate is decided; verdicts are then about this suite",
        "bool",
        SWITCH,
    ),
    Option(
        "--eval-allow-partial",
        "codereason_allow_partial",
        "let gates pass although some questions of a suite were not asked",
        "bool",
        SWITCH,
    ),
    Option(
        "--eval-junit-misses",
        "codereason_junit_misses",
        "how the file of --junitxml has wrong answers: as failures (default), or as cases that pass, with a property",
        attrs={"metavar": "failures|properties"},
    ),
    Option(
        "--eval-strict",
        "codereason_strict",
        "fail the run for any miss, for missing data, and for a suite, language or model of which nothing was asked",
        "bool",
        SWITCH,
    ),
    Option(
        "--eval-shard",
        "codereason_shard",
        "ask only part I of N (1/4 ... 4/4), to divide a run among machines; slurm: the part of this job of an array; "
        "codereason shards writes the commands, codereason merge joins the parts",
        attrs={"metavar": "I/N"},
    ),
    Option(
        "--eval-report",
        "codereason_report",
        "the folder for records and reports of the run (default: reports/DATE-SUITE)",
        attrs={"metavar": "DIR"},
    ),
    Option(
        "--eval-sign",
        "codereason_sign",
        "sign the seal of the run with this private Ed25519 key; codereason judge --verify checks it with the public "
        "key",
        attrs={"metavar": "KEYFILE"},
    ),
    Option(
        "--eval-figure",
        "codereason_figure",
        "a figure of your own, package.module:Name; figures of installed packages need no option; repeatable",
        "linelist",
        MANY | {"metavar": "NAME"},
    ),
    Option(
        "--eval-reporter",
        "codereason_reporter",
        "a reporter of your own, package.module:Name: it writes one more file into the run folder; repeatable",
        "linelist",
        MANY | {"metavar": "NAME"},
    ),
    Option(
        "--eval-published",
        "codereason_published",
        "draw figures of a paper beside those of the run, marked as published: codecrash, fault-localizability, "
        "sense-and-sensitivity, traceeval, or a .toml file of your own; repeatable",
        "linelist",
        MANY | {"metavar": "NAME"},
    ),
    Option(
        "--eval-categories",
        "codereason_categories",
        "a file of categories of models (open, reasoning) and of their versions (default: those that a paper names)",
        attrs={"metavar": "FILE"},
    ),
    Option(
        "--eval-store",
        "codereason_store",
        "the folder of stored answers (default: in your cache folder)",
        attrs={"metavar": "DIR"},
    ),
    Option(
        "--eval-reuse",
        "codereason_reuse",
        "reuse answers of endpoints and texts of writers from earlier runs up to this age: 30m, 12h, 7d; 0 asks every "
        "question again, of local models too (default: reuse only what an interrupted run has)",
        attrs={"metavar": "AGE"},
    ),
    Option(
        "--eval-sandbox",
        "codereason_sandbox",
        "how programs are isolated: auto (default, the best that this machine has), require (namespaces) or off",
        attrs={"metavar": "MODE"},
    ),
)

#: Short names, taken only where they are typed and nobody else has them.
ALIASES = {
    "--model": "--codereason-model",
    "--model-url": "--codereason-model-url",
    "--model-arg": "--codereason-model-arg",
}


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the user asked for, on the command line or in the ini file: every option, parsed."""

    models: tuple[str, ...]  #: specs, and names from a file
    model_url: str | None  #: several addresses have commas between them
    models_file: Path | None  #: names models; ``None`` for ``pyproject.toml``
    model_args: tuple[tuple[str, str], ...]  #: pairs of key and text, as typed
    writer: str | None  #: the model that writes hints
    writer_url: str | None
    limit: Part | None
    repeat: Part | None  #: the questions of each suite that are asked a second time
    seed: int | None
    concurrency: int | None
    batch: bool  #: whether questions are sent in batches
    max_cost: float | None  #: US dollars: of ``--eval-max-cost`` the part of this shard
    max_time_s: float | None  #: seconds from the start of the command
    fuzz_requests: int  #: of one search
    fuzz_shrink: int  #: of one shrinking
    dry_run: bool
    gates: tuple[str, ...]
    baseline: Path | None  #: a run folder
    claim: Claim
    undecided: Undecided
    stop_when_decided: bool
    allow_partial: bool
    junit_misses: JUnitMisses
    strict: bool
    shard: tuple[int, int] | None  #: (part counted from 0, of how many)
    report: Path | None
    sign: Path | None  #: a private key
    figures: tuple[str, ...]  #: of the user's own
    reporters: tuple[str, ...]  #: of the user's own
    categories: Path | None  #: a file of model categories
    published: tuple[str, ...]  #: names of shipped files with figures of papers, paths of the user's own
    store: Path
    reuse_s: float | None
    sandbox: Mode


#: The options by their full names.
FLAGS = {option.flag: option for option in OPTIONS}


def register_options(parser: pytest.Parser) -> None:
    """Registers every option and its ini twin."""
    group = parser.getgroup("codereason", "evaluating language models on code (pytest-codereason)")
    for option in OPTIONS:
        group.addoption(option.flag, dest=option.ini, help=option.help, **option.attrs)
        parser.addini(option.ini, f"the same as {option.flag}", type=option.ini_type, default=None)  # type: ignore[arg-type]


def list_values(config: pytest.Config) -> Iterator[tuple[Option, Any]]:
    """Each option with its value: from the command line, else from the ini file, else ``None``."""
    for option in OPTIONS:
        value = config.getoption(option.ini)
        yield option, value if value not in (None, []) else config.getini(option.ini)


def read_options(config: pytest.Config) -> Options:
    """The options of a pytest run.

    Raises:
        UsageError: an option has a value that it cannot have; names the option.
    """
    from pytest_codereason.core.files.locations import cache_folder
    from pytest_codereason.core.text import settings
    from pytest_codereason.core.text.parts import parse_part
    from pytest_codereason.sandbox import Mode

    raw = {option.ini.removeprefix("codereason_"): value for option, value in list_values(config)}
    here = config.invocation_params.dir
    models = tuple(raw["model"] or ())
    if len(set(models)) < len(models):
        raise UsageError("--model: the same model is named twice")
    shard = settings.parse_shard(raw["shard"])
    return Options(
        models=models,
        model_url=",".join(raw["model_url"] or ()) or None,
        models_file=_find_file(config, here, raw["models"], "codereason_models"),
        model_args=tuple(settings.parse_pair(text) for text in raw["model_arg"] or ()),
        writer=raw["writer"] or None,
        writer_url=raw["writer_url"] or None,
        limit=parse_part("--eval-limit", raw["limit"]),
        repeat=parse_part("--eval-repeat", raw["repeat"]),
        seed=settings.parse_whole("--eval-seed", raw["seed"], least=0),
        concurrency=settings.parse_whole("--eval-concurrency", raw["concurrency"], least=1),
        batch=bool(raw["batch"]),
        max_cost=settings.parse_dollars(raw["max_cost"], shards=shard[1] if shard else 1),
        max_time_s=settings.parse_duration("--eval-max-time", raw["max_time"]),
        fuzz_requests=settings.parse_whole("--eval-fuzz-requests", raw["fuzz_requests"], least=1) or FUZZ_REQUESTS,
        fuzz_shrink=settings.parse_whole("--eval-fuzz-shrink", raw["fuzz_shrink"], least=1) or FUZZ_SHRINK,
        dry_run=bool(raw["dry_run"]),
        gates=tuple(raw["gate"] or ()),
        # The folder itself where the user names a link, such as reports/latest, that this run will turn elsewhere.
        baseline=path.resolve() if (path := _find_file(config, here, raw["baseline"], "codereason_baseline")) else None,
        claim=_read_claim(raw["claim"], stops=bool(raw["stop_when_decided"])),
        undecided=settings.parse_choice("--eval-undecided", raw["undecided"] or "fail", Undecided),
        stop_when_decided=bool(raw["stop_when_decided"]),
        allow_partial=bool(raw["allow_partial"]),
        junit_misses=settings.parse_choice("--eval-junit-misses", raw["junit_misses"] or "failures", JUnitMisses),
        strict=bool(raw["strict"]),
        shard=shard,
        report=here / Path(raw["report"]).expanduser() if raw["report"] else None,
        sign=_find_file(config, here, raw["sign"], "codereason_sign"),
        figures=tuple(raw["figure"] or ()),
        reporters=tuple(raw["reporter"] or ()),
        categories=_find_file(config, here, raw["categories"], "codereason_categories"),
        published=tuple(
            str(_find_file(config, here, name, "codereason_published")) if name.endswith(".toml") else name
            for name in raw["published"] or ()
        ),
        store=here / Path(raw["store"]).expanduser() if raw["store"] else cache_folder() / "store",
        reuse_s=settings.parse_age(raw["reuse"]),
        sandbox=settings.parse_choice("--eval-sandbox", raw["sandbox"] or "auto", Mode),
    )


def _read_claim(text: str | None, *, stops: bool) -> Claim:
    from pytest_codereason.core.text.settings import parse_choice

    claim: Claim = parse_choice("--eval-claim", text or ("suite" if stops else "generator"), Claim)
    if stops and claim != "suite":
        raise UsageError(f"--eval-claim={claim}: --eval-stop-when-decided decides gates about this suite alone")
    return claim


def _find_file(config: pytest.Config, here: Path, name: str | None, option: str) -> Path | None:
    """A file of the command line lies in the current folder, one of the ini file in pytest's root folder."""
    if not name:
        return None
    return (here if config.getoption(option) else config.rootpath) / Path(name).expanduser()
