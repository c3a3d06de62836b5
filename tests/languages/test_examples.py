"""The small programs that languages carry."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Example, Language
from pytest_codereason.core.execution import Execution, Limits
from pytest_codereason.sandbox import Sandbox, outcome
from tests.examples import mostly_slow
from tests.languages.layout_map_cases import check

NAMES = (*registry.list_shipped(Language), "tests.toy:Toy")
EXAMPLES = [(name, example) for name in NAMES for example in registry.language(name).examples()]


def run(sandbox: Sandbox, name: str, files: Mapping[str, str], example: Example) -> Execution:
    """How an example ends."""
    lang, binaries = registry.language(name), {}
    harness = lang.runner.harness(files, example.entry, example.call)
    if harness.compiler is not None:
        binaries = sandbox._find_compiler(harness.compiler).compile(harness.files)["files"]
    job = sandbox.execute(harness, binaries, "", Limits())
    return outcome.judge_job(job, Limits(), lang.values.decode, sandbox.tier, harness.exhausted)


@pytest.mark.parametrize("name", NAMES)
def test_a_language_has_examples(name: str) -> None:
    assert registry.language(name).examples()


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_an_example_can_be_read(name: str, example: Example) -> None:
    lang = registry.language(name)
    for path, source in example.files.items():
        if path.endswith(lang.suffixes):
            assert lang.syntax.parse(source).statements
            assert lang.syntax.check(source) == ""
            check(lang.syntax.normalise(source))
    lang.syntax.parse(example.files[example.entry], example.call)


@pytest.mark.parametrize("laid_out", [False, True], ids=["as it stands", "laid out"])
@pytest.mark.parametrize(("name", "example"), mostly_slow(EXAMPLES, 2))
def test_an_example_does_what_it_says(name: str, example: Example, laid_out: bool, sandbox: Sandbox) -> None:
    lang = registry.language(name)
    files = dict(example.files)
    if laid_out:
        for path, source in files.items():
            if path.endswith(lang.suffixes):
                files[path] = lang.syntax.normalise(source).text
    execution = run(sandbox, name, files, example)
    assert execution.ending == "returned", execution
    assert execution.stdout == example.stdout
    if example.call:
        value = lang.values.read(example.value).value
        assert lang.values.equal(execution.value, value)
        assert lang.values.equal(lang.values.read(lang.values.write(value)).value, value)
    else:
        assert execution.value is None
