"""How many faults programs have room for, and how many of them a suite would plant.

For each fault and language: the places in the shipped corpus, and in other programs: CRUXEval-X and the programs with
call graphs, where CODEREASON_DATA names them. Of a sample of each, the rule that chooses faults says which compile,
which can be observed by the driver or by other arguments, and which never end. Prints a table and never fails on a
share.

    CODEREASON_FAULTS=30 pytest tests/benchmarks/test_faults.py -m benchmark -s    # 30 of the corpus and 30 others
    CODEREASON_FAULTS_OF="off-by-one" ...                                          # of this kind alone
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Program, Rejected, Source, TextRequest
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.planting import ChosenFault, WantedFault
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.errors import Skip
from pytest_codereason.questions.authoring.fault import ENDLESS, EQUIVALENT, NO_PROGRAM, FaultText
from tests.benchmarks.extent import limit
from tests.changes.faults import programs as shipped
from tests.changes.faults.programs import LANGUAGES, list_corpus

pytestmark = pytest.mark.benchmark

SAMPLE = int(os.environ.get("CODEREASON_FAULTS", limit(2, 1)))
SEED = 15
AT_ONCE = 4
OPERATORS = os.environ.get("CODEREASON_FAULTS_OF", "").split() or shipped.OPERATORS[:: limit(1, 4)]
#: The sets of programs, and what becomes of a fault besides the reasons of the rule.
CORPUS, OTHER = SETS = ("corpus", "other")
PLANTED, NOT_RUN = "planted", "the program cannot be run"


class Site(NamedTuple):
    """One fault that may be planted in a program."""

    name: str
    request: TextRequest
    text: str


@dataclass
class Row:
    """What is known of one fault in one language and one set of programs."""

    sites: list[Site] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)

    @property
    def lines(self) -> int:
        """The number of lines that could be made wrong."""
        faults = ((site.request.program.sha, ChosenFault.read(site.text)) for site in self.sites)
        return len({(sha, fault.file, fault.line) for sha, fault in faults})

    @property
    def words(self) -> str:
        """The cells of a table; shares are of the programs that can be run."""
        tried = self.endings.total() - self.endings[NOT_RUN]
        wanted = (tried - self.endings[NO_PROGRAM], self.endings[PLANTED], self.endings[EQUIVALENT])
        shares = [f"{count / max(1, tried):.0%}" for count in (*wanted, self.endings[ENDLESS])]
        return " | ".join([f"{len(self.sites):,}", f"{self.lines:,}", str(tried), *shares])


def list_programs(language: str) -> Iterator[tuple[str, str, Program]]:
    """Programs with the set that they belong to and their names."""
    for name, program in list_corpus(language):
        yield CORPUS, name, program
    if "CODEREASON_DATA" not in os.environ:
        return
    translated = registry.find(Source, "cruxeval-x").create({}, seed=0)
    for name in translated.names(language) if language in translated.languages else ():
        yield OTHER, name, translated.program(language, name, {})
    file = Path(os.environ["CODEREASON_DATA"], "callgraph", f"{language}.jsonl")
    for line in file.read_text().splitlines() if file.exists() else ():
        row = json.loads(line)
        if row["entry"] in [*row["files"]]:  # elsewhere the entry is the name of a class
            yield OTHER, row["id"], Program(language=language, files=row["files"], entry=row["entry"])


def list_sites(name: str, program: Program, operator: str) -> list[Site]:
    request = TextRequest("fault", program, WantedFault(operator).of, place="fault")
    try:
        return [Site(name, request, text) for text in FaultText().candidates(request, Draws(0))]
    except Skip:
        return []


async def find_endings(sites: list[Site], executor: Executor) -> list[str]:
    """What becomes of each fault, by the rule that plants faults."""
    turn = asyncio.Semaphore(AT_ONCE)

    async def find_ending(site: Site) -> str:
        async with turn:
            try:
                await FaultText().check(site.text, site.request, executor.run)
            except Rejected as rejected:
                return rejected.reason
            except Skip:
                return NOT_RUN
        return PLANTED

    return await asyncio.gather(*map(find_ending, sites))


@pytest.mark.parametrize("language", LANGUAGES)
def test_shares(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {(name, where): Row() for name in OPERATORS for where in SETS}
    for where, title, program in islice(list_programs(language), None, None, limit(1, 200)):
        for name in OPERATORS:
            rows[name, where].sites += list_sites(title, program, name)
    rng = random.Random(SEED)
    drawn = {key: rng.sample(row.sites, min(SAMPLE, len(row.sites))) for key, row in rows.items()}
    tried = sorted(
        ((key, site) for key, sample in drawn.items() for site in sample), key=lambda pair: pair[1].request.program.sha
    )  # program by program, so that the correct one is run once
    executor = Executor("auto")
    try:
        endings = asyncio.run(find_endings([site for _, site in tried], executor))
    finally:
        executor.close()
    for (key, _), ending in zip(tried, endings, strict=True):
        rows[key].endings[ending] += 1
    with capsys.disabled():
        cells = "places | lines | tried | compile | observed | equivalent | never end"
        print(f"\n{language} | corpus: {cells} | other: {cells} | would do")
        for name in OPERATORS:
            row = [rows[name, where] for where in SETS]
            usable = sum(len(r.sites) * r.endings[PLANTED] / max(1, r.endings.total()) for r in row)
            print(f"{name} | {row[0].words} | {row[1].words} | {usable:,.0f}")
    if target := os.environ.get("CODEREASON_FAULTS_LIST"):
        listed = [(ending, key, site.name, site.text) for (key, site), ending in zip(tried, endings, strict=True)]
        Path(target, f"{language}.json").write_text(json.dumps(listed))
    assert any(row.sites for row in rows.values())
