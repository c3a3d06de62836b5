"""What is said of a run as a whole, the same in terminal, Markdown and HTML: what was left out, reused and paid."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core.display import visible
from pytest_codereason.core.text import wording
from pytest_codereason.reports.words.formatting import format_dollars, format_duration
from pytest_codereason.results.runs.account import Account
from pytest_codereason.results.runs.run_info import RunInfo, SuiteInfo
from pytest_codereason.results.runs.servers import ServerLoad

_REASONS = 5  # why programs were left out; the report has the number of others


def list_left_out(run: RunInfo) -> list[str]:
    """What was not asked: suites without data, then the programs that each suite's source left out, a text each."""
    return [*wording.group_reasons(run.left_out), *filter(None, map(_describe_left_out, run.suites.items()))]


def _describe_left_out(named: tuple[str, SuiteInfo]) -> str:
    """``mine: mine.jsonl: 2 left out: no 'call' (the first: line 5)``; of many reasons the first ones."""
    name, suite = named
    more = len(suite.left_out) - _REASONS
    reasons = [*suite.left_out[:_REASONS], *([f"and for {wording.plural(more, 'more reason')}"] if more > 0 else [])]
    return f"{name}: {'; '.join(reasons)}" if reasons else ""


def format_unchanged(reasons: Mapping[str, int]) -> str:
    """``273 questions about unchanged programs: there is no condition to rewrite``; empty if there is none."""
    parts = [f"{wording.plural(n, 'question')} about unchanged programs: {reason}" for reason, n in reasons.items()]
    return "; ".join(parts)


def format_forms(forms: Mapping[str, Mapping[str, int]]) -> str:
    """``places changed: conditions: 1,204 published, 37 safe``, as :attr:`Record.forms` counts; empty if none is."""
    parts = [
        f"{name}: {', '.join(f'{wording.count(many)} {form}' for form, many in counts.items())}"
        for name, counts in sorted(forms.items())
    ]
    return f"places changed by templates: {'; '.join(parts)}" if parts else ""


def format_rejections(rejections: Mapping[str, Mapping[str, int]]) -> str:
    """``left out while a fault was chosen: 1,204 equivalent, 37 never ends``; empty if nothing was."""
    parts = [
        f"left out while a {visible(place)} was chosen: {_format_reasons(reasons)}"
        for place, reasons in rejections.items()
    ]
    return "; ".join(parts)


def _format_reasons(reasons: Mapping[str, int]) -> str:
    return ", ".join(f"{wording.count(many)} {visible(reason)}" for reason, many in reasons.items())


def format_reused(run: RunInfo) -> str:
    """``24 answers are reused from the store; the oldest is 3 days old``; empty if nothing is.

    Texts that a writer wrote before the run, such as hints, follow in a second sentence.
    """
    reused = [
        _format_reused("answer", run.reused, run.reused_oldest_s),
        _format_reused("text", run.texts_reused, run.texts_reused_oldest_s, " by the writer"),
    ]
    return ". ".join(filter(None, reused))


def format_shared(run: RunInfo) -> str:
    """``48 answers are shared: their questions equal others of this run, which were asked once``; empty if none is.

    Two questions may be equal, such as one about a program that a perturbation leaves as it is.
    """
    if run.shared == 1:
        return "1 answer is shared: its question equals another of this run, which was asked once"
    shared = f"{wording.plural(run.shared, 'answer')} are shared: their questions equal others of this run"
    return f"{shared}, which were asked once" if run.shared else ""


def _format_reused(noun: str, count: int, age: float | None, more: str = "") -> str:
    if not count:
        return ""
    oldest = "" if age is None else f"; the oldest is {format_duration(age)} old"
    return f"{wording.plural(count, noun)}{more} {'is' if count == 1 else 'are'} reused from the store{oldest}"


def format_requests(run: RunInfo) -> str:
    """``up to 32 requests at a time``; ``up to 8 (alpha) and 32 (beta) requests at a time`` if the models differ."""
    limits = {label: model.concurrency or run.concurrency for label, model in run.models.items()}
    if len(set(limits.values())) < 2:
        return f"up to {run.concurrency:,} requests at a time{' to each model' if len(limits) > 1 else ''}"
    *others, last = (f"{limit:,} ({visible(label)})" for label, limit in limits.items())
    return f"up to {', '.join(others)} and {last} requests at a time"


def list_costs(accounts: Mapping[str, Account], spent: float | None) -> list[str]:
    """A sentence about each model that was paid for, ``cost of openai:gpt-x: $1.20 ...``; then what else was paid."""
    lines = [
        f"cost of {label}: {format_account(account)}" for label, account in accounts.items() if not account.is_free
    ]
    recorded = sum(account.cost or 0.0 for account in accounts.values())
    if spent is not None and spent - recorded > max(0.005, 0.001 * recorded):
        others = "a writer's texts, and for replies that got lost or stand in no record"
        lines.append(f"besides, at most {format_dollars(spent - recorded)} for {others}")
    return lines


def list_servers(servers: Mapping[str, Mapping[str, ServerLoad]]) -> list[str]:
    """A line about each address of a model with several: ``server http://a of openai:x: 900 replies, 1.20 s each``."""
    lines = []
    for label, loads in servers.items():
        for url, load in loads.items():
            took = "" if load.mean_s is None else f", {format_duration(load.mean_s)} each"
            failed = f", {wording.plural(load.failures, 'failure')}" if load.failures else ""
            lines.append(f"server {url} of {label}: {wording.plural(load.replies, 'reply')}{took}{failed}")
    return lines


def format_account(account: Account) -> str:
    """``$1.20 (at most $4.00 were expected) for 900 answers: 1,204,330 prompt tokens, 900,000 of them cached; ...``."""
    cost = "unknown" if account.cost is None else format_dollars(account.cost)
    expected = "" if account.expected is None else f" (at most {format_dollars(account.expected)} were expected)"
    tokens = []
    for whole, title, part, kind in (
        (account.prompt, "prompt", account.cached, "cached"),
        (account.completion, "reply", account.reasoning, "reasoning"),
    ):
        if whole is not None:
            of_them = "" if part is None else f", {part:,} of them {kind}"
            tokens.append(f"{whole:,} {title} tokens{of_them}")
    spent = "; ".join(tokens) or "no tokens are reported"
    others = [(account.shared, "shared"), (account.reused, "reused")]
    unpaid = [f"{wording.count(many)} {word}" for many, word in others if many]
    more = f" (besides, {' and '.join(unpaid)})" if unpaid else ""
    return f"{cost}{expected} for {wording.plural(account.answers, 'answer')}{more}: {spent}"
