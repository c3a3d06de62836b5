"""What tells a picture from the figure of the study that it repeats: other programs, other distractors.

Example: the study hides programs among functions of CodeSearchNet. A run whose functions come from installed code
repeats the figure, but its numbers are not the paper's: ``on the pool installed, median 96 tokens``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.run_info import SuiteInfo
from pytest_codereason.text.wording import count


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """The conditions of a paper's figures."""

    title: str  #: how :attr:`Picture.after` begins
    sources: frozenset[str]
    pool: str = ""  #: where its distractors come from; empty if its programs stand alone


STUDIES = (
    Study(
        title="Sense and Sensitivity",
        sources=frozenset({"semtrace", "cruxeval", "cruxeval-x"}),
        pool="code-search-net",
    ),
    Study(title="CodeCrash", sources=frozenset({"cruxeval", "livecodebench"})),
)


def find_departures(picture: Picture, suites: Mapping[str, SuiteInfo]) -> tuple[str, ...]:
    """In what the picture departs from its study: ``("on programs of jsonl",)``; empty if in nothing.

    A picture without ``suite`` or ``language`` in ``of`` is about all of them. One whose ``of`` has ``distractors`` 0
    shows programs that stand alone, whatever the suite asks besides.
    """
    study = next((study for study in STUDIES if picture.after.startswith(study.title)), None)
    if study is None:
        return ()
    named = picture.of.get("suite", "").split(", ")
    about = [suite for name, suite in suites.items() if name in named] or list(suites.values())
    departures = [
        departure
        for suite in about
        for departure in _list_departures(study, suite, picture.of.get("language", ""), picture.of.get("distractors"))
    ]
    return tuple(dict.fromkeys(departures))


def _list_departures(study: Study, suite: SuiteInfo, language: str, distractors: str | None) -> Iterator[str]:
    source = suite.resolved.get("source", {}).get("name", "")
    if source and source not in study.sources:
        yield f"on programs of {source}"
    if distractors == "0":
        return
    for stage in suite.resolved.get("stages", ()):
        for name in [language] if language else map(str, suite.axes["language"]):
            if pool := stage.get(f"pool_{name}"):
                yield from _judge_pool(study, pool, stage.get(f"pool_{name}_tokens"))


def _judge_pool(study: Study, pool: str, tokens: Any) -> Iterator[str]:
    if not study.pool:
        yield "among distractors"
    elif pool != study.pool:
        yield f"on the pool {pool}" + (f", median {count(tokens)} tokens" if isinstance(tokens, int) else "")
