"""Parts found by name: shipped ones, those of installed packages, and ``package.module:Name``."""

from __future__ import annotations

import subprocess
import sys
from abc import ABC
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Language, Model, Perturbation, Source, Stage, Task
from pytest_codereason.errors import PartError, UsageError
from pytest_codereason.models import specs

KINDS: list[type[ABC]] = [Language, Model, Perturbation, Source, Stage, Task]

PARTS = """
from pytest_codereason.core import Completion, Language, Metric, Model, Perturbation, Task, Values

class Shout(Perturbation):
    name = "shout"
    version = 1
    def apply(self, program, draws, dose, asks):
        return program

class Rename(Shout):
    name = "rename"

class Unfinished(Task):
    name = "unfinished"
    version = 1

class Whisper(Shout):
    name = "whisper"

class Echo(Model):
    label = "echo"
    @classmethod
    def create(cls, name, *, url, args):
        return cls()
    identity = {}
    pinned = True
    async def answer(self, request):
        return Completion(text="")

class Single(Task):
    name = "single"
    version = 1
    needs = "output"
    metrics = Metric(name="exact", title="Exact")
    def steps(self, instance):
        yield

class Worded(Single):
    needs = frozenset()
    metrics = ("exact",)

class Forgetful(Language):
    name = fence = title = "forgetful"
    suffixes = (".forgetful")
    values = Values

def function():
    pass
"""

ENTRY_POINTS = """
[codereason.perturbations]
shout = my_parts.parts:Shout
rename = my_parts.parts:Rename
quiet = my_parts.parts:Whisper
gone = my_parts.missing:Gone
broken = my_parts.broken:Broken

[codereason.tasks]
unfinished = my_parts.parts:Unfinished
function = my_parts.parts:function
wrong = my_parts.parts:Shout

[codereason.models]
echo = my_parts.parts:Echo
"""


def install(folder: Path, name: str, entry_points: str) -> None:
    """Makes what pip leaves of a distribution."""
    info = folder / f"{name}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(entry_points)


def forget() -> None:
    """Lets the registry read everything anew."""
    for function in vars(registry).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the import path with the installed package ``my-parts``."""
    package = tmp_path / "my_parts"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "parts.py").write_text(PARTS)
    (package / "broken.py").write_text("x = 1\n\ny = x / 0\n")
    install(tmp_path, "my-parts", ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    forget()
    yield tmp_path
    for name in [name for name in sys.modules if name.split(".")[0] == "my_parts"]:
        del sys.modules[name]
    forget()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_shipped_part_is_found_and_complete(kind: type[ABC]) -> None:
    names = registry.list_shipped(kind)
    assert names
    for name in names:
        part = registry.find(kind, name)
        assert issubclass(part, kind)
        assert registry._list_missing_members(part) == []


def test_an_installed_part_has_a_plain_name(installed: Path) -> None:
    assert "my_parts.parts" not in sys.modules
    names = registry.list_names(Perturbation)
    assert {"shout", "rename", "vanilla"} <= set(names)
    assert "my_parts.parts" not in sys.modules  # listing imports no installed package
    shout = registry.find(Perturbation, "shout")
    assert shout.__module__ == "my_parts.parts"
    assert shout is registry.find(Perturbation, "my_parts.parts:Shout")


def test_an_installed_model_is_a_provider(installed: Path) -> None:
    model = specs.create_model("echo:any", url=None, args={})
    assert (type(model).__name__, model.label) == ("Echo", "echo:any")


def test_a_shipped_name_wins_and_says_so(installed: Path) -> None:
    with pytest.warns(registry.NameClash) as warned:
        rename = registry.find(Perturbation, "rename")
    assert rename.__module__ == "pytest_codereason.changes.perturbations.rename"
    assert str(warned[0].message) == (
        "the shipped perturbation 'rename' is used; to use that of my-parts 1.2, write my_parts.parts:Rename"
    )


def test_two_packages_of_one_name_must_be_told_apart(installed: Path) -> None:
    install(installed, "other", "[codereason.perturbations]\nshout = other.parts:Shout\n")
    with pytest.raises(UsageError) as error:
        registry.find(Perturbation, "shout")
    assert sorted(word for word in str(error.value).split() if word.startswith("(")) == [
        "(my_parts.parts:Shout)",
        "(other.parts:Shout)",
    ]
    assert "both offer the perturbation 'shout': write package.module:Name to choose" in str(error.value)


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [
        (
            Perturbation,
            "quiet",
            "the perturbation 'quiet' of my-parts 1.2 (my_parts.parts:Whisper) calls itself 'whisper': "
            "give the entry point and the class's `name` the same name",
        ),
        (
            Perturbation,
            "gone",
            "perturbation 'gone' of my-parts 1.2 (my_parts.missing:Gone) cannot be imported: "
            "No module named 'my_parts.missing'",
        ),
        (
            Task,
            "unfinished",
            "task 'unfinished' of my-parts 1.2 (my_parts.parts:Unfinished) is incomplete: "
            "add the method steps(self, instance), the attribute needs, the attribute metrics",
        ),
        (Task, "my_parts.parts:Nothing", "cannot be imported: module 'my_parts.parts' has no attribute 'Nothing'"),
        (
            Perturbation,
            "my_parts.parts:Wisper",
            "module 'my_parts.parts' has no attribute 'Wisper' (did you mean 'Whisper'?)",
        ),
        (
            Task,
            "wrong",
            "is not derived from Task: write a class derived from pytest_codereason.core.Task",
        ),
        (
            Task,
            "my_parts.parts:Single",
            "cannot be used: needs must be a frozenset, not 'output', metrics must be a tuple, not Metric(name='exact'",
        ),
        (Task, "my_parts.parts:Worded", "cannot be used: metrics must be a tuple of Metric, not ('exact',)"),
        (
            Language,
            "my_parts.parts:Forgetful",
            "suffixes must be a tuple, not '.forgetful', values must be an object, not a class: write Values()",
        ),
        (Task, "function", "is not a class but <function function at "),
        (Task, "nothing", "unknown task 'nothing': choose one of call-graph, equivalence, fault-localization, "),
        (Task, "nothing", ", unfinished, wrong, or package.module:Name"),
    ],
)
def test_a_part_that_cannot_be_used_is_told_what_to_add(
    kind: type[ABC], name: str, message: str, installed: Path
) -> None:
    with pytest.raises(UsageError) as error:
        registry.find(kind, name)
    assert message in str(error.value)


def test_a_module_that_raises_is_shown_with_its_traceback(installed: Path) -> None:
    with pytest.raises(PartError) as error:
        registry.find(Perturbation, "broken")
    assert str(error.value) == (
        "the perturbation 'broken' of my-parts 1.2 (my_parts.broken:Broken) raised "
        "ZeroDivisionError: division by zero (broken.py, line 3)"
    )
    assert "y = x / 0" in error.value.trace


def test_entry_points_are_read_when_a_part_is_looked_for() -> None:
    script = """
import importlib.metadata
import pytest_codereason.registry
from pytest_codereason.core import Task
def refuse(**_): raise SystemExit("read")
importlib.metadata.entry_points = refuse
print("idle")
pytest_codereason.registry.find(Task, "output-prediction")
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (process.stdout, process.stderr) == ("idle\n", "read\n")
