"""Prints every attack in every tier, as root and as nobody: ``python -m tests.sandbox.table``.

A row is an attack, a column a tier and a user. ``ok`` says that the attack was stopped, ``BROKEN`` that it was not, and
``-`` that the tier does not claim to stop it. The exit status is 1 if anything is broken. It takes ten minutes or more.
``python -m tests.sandbox.table php nobody`` prints the rows of one language and the columns of one user.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pytest_codereason.sandbox.tiers import TIERS
from tests.sandbox import commons, hostile

TIMEOUT = 900
#: What went wrong with each attack, by user and tier; a text where the tier did not start.
Columns = dict[tuple[str, str], dict[str, str] | str]


def run_attacks(tier: str, language: str, copy: commons.Commons | None) -> dict[str, str] | str:
    """Runs the attacks of a language in one tier: as ``nobody`` in a copy, or as the present user."""
    module = ("tests.sandbox.hostile", tier, language, "verdicts")
    try:
        if copy:
            came, verdicts = copy.run(*module)
        else:
            done = subprocess.run([sys.executable, "-m", *module], capture_output=True, check=True, timeout=TIMEOUT)
            came, verdicts = json.loads(done.stdout)
    except (AssertionError, subprocess.SubprocessError) as error:
        return f"does not start: {error}"
    return dict(verdicts) if came == tier else f"{came} instead"


@contextmanager
def open_users(wanted: list[str]) -> Iterator[dict[str, commons.Commons | None]]:
    """The users as whom the attacks run, with the copy of the project that each needs."""
    if os.geteuid() != 0:
        yield {"you": None}
        return
    folder = Path(tempfile.gettempdir(), f"codereason-table-{os.getpid()}")
    try:
        users = [user for user in ("root", "nobody") if user in wanted or not {"root", "nobody"} & {*wanted}]
        yield {user: commons.Commons(folder) if user == "nobody" else None for user in users}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def print_table(language: str, columns: Columns) -> tuple[int, int]:
    """Prints the table of a language. How many attacks were stopped, and how many were not."""
    names = dict.fromkeys(name for column in columns.values() if isinstance(column, dict) for name in column)
    short = {
        (user, tier): f"{user} {tier}".replace("namespaces", "n").replace("landlock", "l").replace("seccomp", "s")
        for user, tier in columns
    }
    print(f"\n| {language} | {' | '.join(short.values())} |\n|---{'|---' * len(columns)}|")
    stopped = broken = 0
    for name in names:
        cells = []
        for column in columns.values():
            wrong = column.get(name) if isinstance(column, dict) else None
            cells.append("-" if wrong is None else "BROKEN" if wrong else "ok")
        stopped, broken = stopped + cells.count("ok"), broken + cells.count("BROKEN")
        print(f"| {name} | {' | '.join(cells)} |")
    for key, column in columns.items():
        if isinstance(column, str):
            print(f"{short[key]}: {column}")
        else:
            print("".join(f"{short[key]}, {name}: {wrong}\n" for name, wrong in column.items() if wrong), end="")
    sys.stdout.flush()
    return stopped, broken


def main(arguments: list[str]) -> int:
    """Prints the tables of the languages named, or of all. The exit status."""
    stopped = broken = 0
    with open_users(arguments) as users:
        for language in [name for name in hostile.ALL if name in arguments] or hostile.ALL:
            columns: Columns = {}
            for user, copy in users.items():
                for layers in TIERS:
                    tier = "+".join(layers) or "processes"
                    columns[user, tier] = run_attacks(tier, language, copy)
            counts = print_table(language, columns)
            stopped, broken = stopped + counts[0], broken + counts[1]
    print(f"\n{stopped} stopped, {broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
