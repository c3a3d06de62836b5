"""Whether programs can be run here: the sandbox, and an example of every language in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_codereason import registry
from pytest_codereason.core import Language, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import CodereasonError, MissingInterpreter
from pytest_codereason.sandbox import open_sandbox
from pytest_codereason.sandbox.tiers import TIERS, warn_of_tier
from pytest_codereason.session.doctor.finding import SANDBOX, Finding

if TYPE_CHECKING:
    from pytest_codereason.sandbox.sandbox import Sandbox

_HELP = "the page about the sandbox, section Tiers, says what a container or kernel must allow"


def examine_running() -> Iterator[Finding]:
    """The tier of the sandbox after its self-test, then each language by its own example."""
    try:
        sandbox = open_sandbox("auto")
    except (CodereasonError, OSError) as error:
        yield Finding(SANDBOX, "missing", f"does not start: {error}", _HELP)
        return
    try:
        yield _describe_sandbox(sandbox.tier)
        for name in registry.list_names(Language):
            yield _try_language(name, sandbox)
    finally:
        sandbox.close()


def _describe_sandbox(tier: str) -> Finding:
    if warning := warn_of_tier(tier):
        return Finding(SANDBOX, "weak", f"{tier}: {warning}", _HELP)
    if tier == "+".join(TIERS[0]):
        return Finding(SANDBOX, "ok", tier)
    missing = " and ".join(layer for layer in TIERS[0] if layer not in tier.split("+"))
    return Finding(SANDBOX, "ok", f"{tier}, without {missing}, which this machine does not offer", _HELP)


def _try_language(name: str, sandbox: Sandbox) -> Finding:
    try:
        lang = registry.language(name)
    except CodereasonError as error:  # of an installed package
        return Finding(name, "missing", str(error))
    example = next((example for example in lang.examples() if example.call), None)
    if example is None:
        return Finding(name, "ok", "has no example that could be run")
    program = Program(language=name, files=example.files, entry=example.entry, call=example.call)
    try:
        execution = sandbox.run(Run.from_program(program))
    except MissingInterpreter as error:
        what, _, package = str(error).rpartition(": install ")
        return Finding(name, "missing", what or str(error), f"apt-get install {package}" if what else "")
    except (CodereasonError, OSError) as error:
        return Finding(name, "missing", str(error))
    if execution.returned and lang.values.equal(execution.value, lang.values.read(example.value).value):
        return Finding(name, "ok", "an example runs and returns what it should")
    return Finding(name, "missing", f"an example goes wrong: the program {execution.words}")
