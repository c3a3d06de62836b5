"""The shipped suites ask what they asked.

``questions.json`` holds, by suite, how many questions a fixed sample has and the digest of their prompts and right
answers. A suite over the corpus, which grows, is asked about a few programs of the tests, and some of them also about
the corpus itself. A change on purpose raises the version of what it changes, says so in CHANGELOG.md, and writes the
file anew: ``python -m tests.questions.suites.test_shipped``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason import registry
from pytest_codereason.commands.export import list_rows
from pytest_codereason.core import Language, digest
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.questions.suites.reading import load
from tests.examples import mostly_slow

STORED = Path(__file__).with_name("questions.json")
SUITES = Path(__file__).parents[3] / "suites"
#: Programs that hold a place for each fault.
FAULT_PROGRAMS = Path(__file__).with_name("fault_programs")
SAMPLE = 300
FILES = ("files", "original_files", "entry")
CORPUS = 'name = "corpus"'
#: Questions that depend on runs, by what their suite has, and how many of them are looked for.
MOMENT = 'task = "moment"'
LOOKED_FOR = {MOMENT: 60, 'task = "equivalence"': 12, 'task = "meaning"': 30, 'task = "twins"': 12}
#: The program of CRUXEval-X that a suite is asked about alone. It has such moments, which few have, and to look at one
#: ``moment-inverse`` tries hundreds of calls.
RICH = {
    "moment-cruxeval-x.suite.toml": 31,
    "moment-inverse.suite.toml": 284,
    "moment-misleading-js.suite.toml": 201,
}
#: A program of the corpus that raises if a line of it is wrong.
RAISING = Path("python", "checked_fields")
#: Suites that are also asked about the shipped corpus, and how many questions: its call graphs are committed with it.
OVER_CORPUS = {"call-graph.suite.toml": 1_000, "call-graph-perturbed.suite.toml": 60}
#: What a suite needs besides the project, by the word that its text has; suites with distractors depend on a pool.
CRUXEVAL_X = 'name = "cruxeval-x"'
NEEDS = {'name = "cruxeval"': "cruxeval.jsonl", CRUXEVAL_X: "cruxeval-x/js.json"}


def digest_questions(path: Path) -> tuple[int, str]:
    with tempfile.TemporaryDirectory() as folder:
        if path.name in RICH:
            path = write_rich_suite(path, Path(folder))
        elif CORPUS in path.read_text():
            path = write_example_suite(path, Path(folder))
        sample = next((count for task, count in LOOKED_FOR.items() if task in path.read_text()), 0)
        if not sample:
            rows = list(list_rows(load(path), SAMPLE))
            return len(rows), digest_rows(rows)
        executor = Executor("auto")
        rows = list(list_rows(load(path), sample, execute=executor.execute))
        executor.close()
    return len(rows), digest_rows(rows)


def digest_corpus(suite: str) -> tuple[int, str]:
    rows = list(list_rows(load(SUITES / suite), OVER_CORPUS[suite]))
    return len(rows), digest_rows(rows)


def digest_rows(rows: list[dict[str, Any]]) -> str:
    """The digest of exported questions; of a program the entry file is enough, as the messages show all files."""
    return digest(*({key: value for key, value in row.items() if key not in FILES} for row in rows))


def write_example_suite(path: Path, folder: Path) -> Path:
    """A suite over the corpus, which grows, as a suite over the worked examples of call graphs, or of faults."""
    if '"raise"' in path.read_text():
        shutil.copytree(SUITES.parent / "corpus" / RAISING, folder / "programs" / RAISING)
        text = re.sub(r"^languages = .*", 'languages = ["python"]', path.read_text(), flags=re.MULTILINE)
        suite = folder / path.name
        suite.write_text(text.replace(CORPUS, f'{CORPUS}\npath = "programs"'))
        return suite
    if 'task = "fault-' in path.read_text() or MOMENT in path.read_text():
        suite = folder / path.name
        suite.write_text(path.read_text().replace(CORPUS, f'{CORPUS}\npath = "{FAULT_PROGRAMS}"'))
        return suite
    for name in registry.list_shipped(Language):
        lang = registry.language(name)
        if lang.has("naming"):
            program = folder / "programs" / name / "example"
            program.mkdir(parents=True)
            for file, text in lang.naming.example.files.items():
                (program / file).write_text(text)
            (program / "callgraph.json").write_text(json.dumps(dict(lang.naming.example.edges)))
    suite = folder / path.name
    suite.write_text(path.read_text().replace(CORPUS, f'{CORPUS}\npath = "programs"'))
    return suite


def write_rich_suite(path: Path, folder: Path) -> Path:
    """A suite over CRUXEval-X as a suite over one of its programs."""
    (folder / "cruxeval-x").mkdir()
    for name in ("cruxeval.jsonl", "cruxeval-x/js.json", "cruxeval-x/php.json", "cruxeval-x/java.json"):
        file = find_data(name)
        assert file is not None
        is_array, text = name.endswith(".json"), file.read_text()
        rows = json.loads(text) if is_array else map(json.loads, text.splitlines())
        mine = [row for row in rows if row["id"] in (RICH[path.name], f"sample_{RICH[path.name]}")]
        (folder / name).write_text(json.dumps(mine if is_array else mine[0]))
    suite = folder / path.name
    suite.write_text(path.read_text().replace(CRUXEVAL_X, f'{CRUXEVAL_X}\npath = "{folder}"'))
    return suite


def find_data(name: str) -> Path | None:
    """A file of the folders that ``CODEREASON_DATA`` names."""
    folders = os.environ.get("CODEREASON_DATA", "").split(os.pathsep)
    return next((file for folder in folders if folder and (file := Path(folder, name)).exists()), None)


def suites_without_pools() -> list[Path]:
    unfit = re.compile(r"livecodebench|^(distractors|tokens) =", re.MULTILINE)
    return [path for path in sorted(SUITES.glob("*.suite.toml")) if not unfit.search(path.read_text())]


def mark_runs(path: Path) -> Any:
    """A suite as a parameter: one whose questions need runs, or long programs, is slow."""
    is_slow = any(word in path.read_text() for word in (*LOOKED_FOR, 'name = "horizon"'))
    marks = [pytest.mark.slow] if is_slow else []
    return pytest.param(path, id=path.name.partition(".")[0], marks=marks)


@pytest.mark.parametrize("path", mostly_slow([mark_runs(path) for path in suites_without_pools()], 3))
def test_a_shipped_suite_asks_what_it_asked(path: Path) -> None:
    for word, file in NEEDS.items():
        if word in path.read_text() and find_data(file) is None:
            pytest.skip(f"CODEREASON_DATA names no folder with {file}")
    assert [*digest_questions(path)] == json.loads(STORED.read_text())[path.name]


@pytest.mark.slow
@pytest.mark.parametrize("suite", OVER_CORPUS, ids=lambda suite: suite.partition(".")[0])
def test_a_shipped_suite_asks_about_the_corpus_what_it_asked(suite: str) -> None:
    assert [*digest_corpus(suite)] == json.loads(STORED.read_text())[f"{suite} over the corpus"]


if __name__ == "__main__":
    stored = {path.name: digest_questions(path) for path in suites_without_pools()}
    stored |= {f"{suite} over the corpus": digest_corpus(suite) for suite in OVER_CORPUS}
    STORED.write_text(json.dumps(stored, indent=2) + "\n")
