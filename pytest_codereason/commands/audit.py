"""``codereason audit``: tries to cheat the reward of training tasks, and prints what was paid."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.commands._command_line import read_count, read_whole
from pytest_codereason.commands._tasks import add_task_options, describe_skipped, open_tasks
from pytest_codereason.core.text.wording import one_line, plural

if TYPE_CHECKING:
    from pytest_codereason.harvest.training.auditing import Audit

#: Replies that are shown, and the characters of each.
_SHOWN, _LONGEST = 5, 200


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "audit",
        help="try to cheat the reward of training tasks, and print what was paid",
        description="Sends replies to the reward of training tasks that want to be paid without a right answer: "
        "expressions, several answers, nothing, the prompt, each literal of the prompt, and more. Prints how many of "
        "each kind were paid. The exit code is 1 if one was paid that does not give the right answer.",
    )
    parser.add_argument(
        "suites", nargs="+", type=Path, metavar="SUITE", help="a suite that ships, such as horizon, or a *.suite.toml"
    )
    parser.add_argument("--tries", type=read_count, default=2_000, metavar="N", help="replies for each suite (2,000)")
    parser.add_argument("--eval-seed", type=read_whole, metavar="N", help="the seed of programs and replies (0)")
    add_task_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints a table for each suite; 1 if a reply was paid and wrong."""
    from pytest_codereason.harvest.training.auditing import audit

    wrong = 0
    for suite in args.suites:
        tasks = open_tasks(suite, args, None)
        result = audit(tasks, args.tries, args.eval_seed or 0)
        _show(tasks.name, args.tries, result)
        wrong += result.paid_and_wrong
    return int(wrong > 0)


def _show(name: str, tries: int, result: Audit) -> None:
    print(f"{name}: {plural(tries, 'reply')}, {result.paid_and_wrong:,} paid and wrong")
    width = max(map(len, result.tallies))
    print(f"  {'reply':{width}}  {'tries':>7}  {'paid':>7}  {'paid and wrong':>14}")
    for kind, tally in result.tallies.items():
        print(f"  {kind:{width}}  {tally.tries:>7,}  {tally.paid:>7,}  {tally.wrong:>14,}")
    if result.skipped:
        print(f"  {describe_skipped(result.skipped)}")
    for kind, key, text in result.examples[:_SHOWN]:
        print(f"  paid and wrong, {kind}: {key}: {one_line(repr(text), _LONGEST)}")
