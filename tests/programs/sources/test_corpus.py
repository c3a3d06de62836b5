"""The source ``corpus``: folders of programs with their call graphs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.errors import BadSetting, UsageError
from pytest_codereason.programs.sources.corpus import Corpus

GRAPH = {"main": ["main.f"], "main.f": []}


def write_program(folder: Path, graph: Any = GRAPH, file: str = "main.py", **others: str) -> None:
    folder.mkdir(parents=True)
    (folder / file).write_text("def f(): pass\nf()\n")
    if graph is not None:
        (folder / "callgraph.json").write_text(graph if isinstance(graph, str) else json.dumps(graph))
    for name, text in others.items():
        (folder / name.replace("__", ".")).write_text(text)


def make_source(path: Path, **settings: Any) -> Corpus:
    return Corpus.create({"path": str(path), **settings}, seed=0)


def test_programs_are_folders_of_a_language(tmp_path: Path) -> None:
    write_program(tmp_path / "python" / "b", output__txt="3\n", specification__md="Prints 3.\n")
    write_program(tmp_path / "python" / "a", None)
    write_program(tmp_path / "java" / "a", {}, "Main.java")
    source = make_source(tmp_path)
    assert source.languages == ("java", "python")
    assert list(source.names("python")) == ["a", "b"]
    program = source.program("python", "b", {})
    assert (program.entry, program.call, program.facts.edges) == ("main.py", "", GRAPH)
    assert (program.facts.output, program.facts.specification) == ("3\n", "Prints 3.\n")
    assert "edges" not in source.program("python", "a", {}).facts
    assert list(make_source(tmp_path, count=1).names("python")) == ["a"]
    with pytest.raises(UsageError, match="has no python program 'c'"):
        source.program("python", "c", {})
    with pytest.raises(UsageError, match="no worked examples"):
        source.shots("python", "a", {}, 1)


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "a call graph is an object"),
        ({"nodes": [], "edges": [["main", "main.f"]]}, "the callees of 'edges' are no list of names"),
        ({"main": {"main.f": 1}}, "the callees of 'main' are no list of names"),
        ({"main": "main.f"}, "the callees of 'main' are no list of names"),
    ],
)
def test_a_graph_of_another_form_is_left_out_and_the_rest_goes_on(tmp_path: Path, graph: Any, reason: str) -> None:
    write_program(tmp_path / "python" / "bad", graph)
    write_program(tmp_path / "python" / "good")
    (tmp_path / "python" / "empty").mkdir()
    source = make_source(tmp_path)
    assert list(source.names("python")) == ["good"]
    (note,) = source.notes("python")
    assert "2 left out (the first: " in note
    assert "bad/callgraph.json" in note
    assert reason in note


def test_the_layout_and_the_splits_of_the_study(tmp_path: Path) -> None:
    for name in ("flexsearch_0003", "flexsearch_0004", "tool_0001", "other_0001"):
        write_program(tmp_path / "benchmark" / "python" / name)
    (tmp_path / "benchmark/python/tool_0001/README.md").write_text(
        "From https://github.com/owner/tool/blob/main/a.py\n"
    )
    splits = tmp_path / "traceeval_split"
    splits.mkdir()
    (splits / "test_ids.json").write_text(json.dumps({"python": ["flexsearch_0003", "tool_0001", "other_0001", "x"]}))
    (splits / "python_repo_assignment.json").write_text(json.dumps({"nextapps/flexsearch": "test"}))
    source = make_source(tmp_path, split="test")
    repositories = {name: source.program("python", name, {}).repository for name in source.names("python")}
    assert repositories == {"flexsearch_0003": "nextapps/flexsearch", "other_0001": "", "tool_0001": "owner/tool"}
    assert len(list(make_source(tmp_path).names("python"))) == 4
    with pytest.raises(UsageError, match=r"has no split: there is no split/train_ids\.json"):
        list(make_source(tmp_path, split="train").names("python"))


def test_where_a_program_comes_from(tmp_path: Path) -> None:
    origin = {"repository": "owner/name", "licence": "MIT", "stars": 60}
    write_program(tmp_path / "python" / "a", program__json=json.dumps(origin))
    write_program(tmp_path / "python" / "b", program__json="[1]")
    write_program(tmp_path / "python" / "c", program__json='{"entry": "app.py"}')
    (tmp_path / "split").mkdir()
    (tmp_path / "split" / "train_ids.json").write_text('{"python": ["a"]}')
    source = make_source(tmp_path)
    program = source.program("python", "a", {})
    assert (program.repository, program.licence) == ("owner/name", "MIT")
    assert list(source.names("python")) == ["a"]
    assert (
        "no file 'app.py', which program.json names as the entry"
        in Corpus.create({"path": str(tmp_path), "count": 9}, seed=0)._list_language("python").left_out[-1]
    )
    assert list(make_source(tmp_path, split="train").names("python")) == ["a"]


def test_the_place_of_a_program_is_its_file_and_the_part_of_it(tmp_path: Path) -> None:
    for name, about in {
        "a": {},
        "b": {"origin": "shop/tax.py", "part": ""},
        "c": {"origin": "x/y.py", "part": "f"},
    }.items():
        write_program(tmp_path / "python" / name, program__json=json.dumps(about))
    source = make_source(tmp_path)
    places = [source.program("python", name, {}).origin for name in "abc"]
    assert places == ["corpus/a", "shop/tax.py", "x/y.py:f"]


def test_the_identity_is_that_of_the_files(tmp_path: Path) -> None:
    write_program(tmp_path / "python" / "a")
    before = make_source(tmp_path).identity
    assert make_source(tmp_path).identity == before
    (tmp_path / "python/a/callgraph.json").write_text(json.dumps({"main": ["main.f", "main.g"]}))
    assert make_source(tmp_path).identity != before


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"path": 3}, "'path' must be a folder"),
        ({"path": "/nowhere"}, "/nowhere is no folder"),
        ({"split": "dev"}, "'split' must be train or test"),
        ({"count": 0}, "'count' must be a whole number from 1"),
        ({"paths": "x"}, "paths"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    write_program(tmp_path / "python" / "a")
    with pytest.raises(UsageError, match=message):
        Corpus.create({"path": str(tmp_path), **settings}, seed=0)


def test_a_folder_without_a_language_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="has no folder of a language"):
        make_source(tmp_path)


def test_programs_are_chosen_by_specification_and_lines(tmp_path: Path) -> None:
    write_program(tmp_path / "python" / "a")
    write_program(tmp_path / "python" / "b", specification__md="Does something.\n")
    source = make_source(tmp_path)
    assert source.with_facts(frozenset({"edges"}), "call-graph") is source
    specified = source.with_facts(frozenset({"specification"}), "t")
    assert list(specified.names("python")) == ["b"]
    assert "no specification.md, which the task t needs" in specified.notes("python")[0]
    assert list(make_source(tmp_path, min_lines=3).names("python")) == []
    assert make_source(tmp_path, min_lines=1).identity != source.identity
