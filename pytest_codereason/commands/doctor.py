"""``codereason doctor``: what this machine can do for a run, what is missing, and how to mend it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_codereason.session.doctor.finding import Finding


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "doctor",
        help="say what this machine can do, what is missing, and how to mend it",
        description="Says what this machine can do: the sandbox, an example run of each language, data sets, weights, "
        "which models fit and how long the suite quickstart takes with them, extras, endpoints. Below each thing that "
        "is missing stands the command that mends it. Nothing is installed. "
        "The exit code is 1 if programs cannot be run, or can read your files.",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line instead of a table")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the findings as they come; the exit code is 1 if the sandbox does not do its work."""
    from pytest_codereason.session.doctor.finding import SANDBOX

    found: list[Finding] = []
    for title, examine in _list_examinations():
        if not args.json:
            print(title, flush=True)
        for finding in examine():
            found.append(finding)
            print(json.dumps(asdict(finding)) if args.json else _format(finding), flush=True)
    return int(any(finding.subject == SANDBOX and finding.state != "ok" for finding in found))


def _list_examinations() -> list[tuple[str, Callable[[], Iterable[Finding]]]]:
    from pytest_codereason.session.doctor.data import examine_data
    from pytest_codereason.session.doctor.endpoints import examine_endpoints
    from pytest_codereason.session.doctor.local_models import examine_local_models
    from pytest_codereason.session.doctor.packages import examine_packages
    from pytest_codereason.session.doctor.running import examine_running

    return [
        ("running programs", examine_running),
        ("data", examine_data),
        ("models on this machine", examine_local_models),
        ("extras", examine_packages),
        ("endpoints", examine_endpoints),
    ]


def _format(finding: Finding) -> str:
    line = f"  {finding.subject:<24} {finding.state:<8} {finding.words}"
    return line + (f"\n{'':36}{finding.remedy}" if finding.remedy else "")
