"""Drivers by a writer: a real server plays the writer, and programs run in the sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Program, Rejected, Text, TextRequest
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.language.tracing import Trace
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.questions.authoring.driver import DriverText
from pytest_codereason.sandbox import Sandbox
from tests.engine.writing import say, write_all
from tests.servers import Server

TILL = '''
import money_formats


def ring_up(prices):
    """The total in words."""
    total = add_up(prices)
    return money_formats.show(total)


def add_up(prices):
    return sum(prices)  # plain
'''.lstrip()
STUB = "class money_formats:\n    @staticmethod\n    def show(total):\n        return f'{total} pence'\n"
CALL = "print(ring_up([120, 35]))"
DRIVEN = TILL.replace("import money_formats\n", STUB) + f"\n\n{CALL}\n"
JAVA = """package shop;

class Till {
    int add(int a, int b) {
        return twice(a) + b;
    }

    int twice(int a) {
        return a + a;
    }
}
"""
JAVA_MAIN = "    public static void main(String[] args) {\n        System.out.println(new Till().add(3, 4));\n    }\n"


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    opened = Executor("auto")
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


def request(source: str, language: str = "python") -> TextRequest:
    return TextRequest("driver", Program.from_source(language=language, source=source, call=""), "src/till.py")


def fence(code: str) -> str:
    return f"Here it is.\n\n```\n{code}```\n"


def write(replies: list[str], executor: Executor, folder: Path, wanted: TextRequest) -> tuple[Text, list[Any]]:
    with Server(say(*map(fence, replies))) as server:
        (text,) = write_all(server, executor, folder, wanted)
        return text, [seen.messages for seen in server.requests]


def test_a_driver_that_leaves_the_functions_alone_is_taken(executor: Executor, tmp_path: Path) -> None:
    text, asked = write([DRIVEN], executor, tmp_path, request(TILL))
    assert text.value == DRIVEN
    (prompt,) = asked[0]
    assert TILL.strip() in prompt["content"]
    assert "`src/till.py`" in prompt["content"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (DRIVEN.replace("sum(prices)", "float(sum(prices))"), "not as they were: add_up"),
        (DRIVEN.replace("add_up", "total_of"), "not as they were: add_up, ring_up"),
        (DRIVEN.replace(CALL, ""), "0 calls between two functions"),
        (DRIVEN.replace(STUB, "import money_formats\n"), "raises ModuleNotFoundError"),
        (DRIVEN.replace(CALL, "ring_up([1])"), "prints nothing"),
        (
            DRIVEN.replace(CALL, "money_formats.show(1)\n(lambda: print(1))()"),
            "none of the file's own",
        ),
        (DRIVEN.replace("print(ring_up", "print((ring_up"), "cannot be parsed"),
    ],
)
def test_a_driver_is_sent_back_with_what_is_wrong(executor: Executor, tmp_path: Path, bad: str, told: str) -> None:
    text, asked = write([bad, DRIVEN], executor, tmp_path, request(TILL))
    assert text.value == DRIVEN
    assert told in asked[1][-1]["content"]


def test_a_call_that_the_text_does_not_explain_is_refused(sandbox: Sandbox) -> None:
    planted: dict[str, list[str]] = {}

    async def run(job: Run) -> Execution:
        execution = sandbox.run(job)
        assert execution.trace is not None
        return replace(execution, trace=Trace({**execution.trace.edges, **planted}))

    asyncio.run(DriverText().check(DRIVEN, request(TILL), run))
    planted["main.money_formats.show"] = ["main.ring_up"]
    with pytest.raises(Rejected, match="has a call that its text does not explain") as refused:
        asyncio.run(DriverText().check(DRIVEN, request(TILL), run))
    assert "main.money_formats.show calls main.ring_up" in refused.value.words


@pytest.mark.slow
def test_layout_and_comments_may_differ(executor: Executor, tmp_path: Path) -> None:
    other = DRIVEN.replace("  # plain", "").replace("    total = add_up(prices)\n", "    total = add_up( prices )\n\n")
    text, asked = write([other], executor, tmp_path, request(TILL))
    assert text.value == other
    assert len(asked) == 1


@pytest.mark.slow
def test_a_driver_of_java_adds_a_main_method(executor: Executor, tmp_path: Path) -> None:
    driven = JAVA[:-2] + "\n" + JAVA_MAIN + "}\n"
    text, asked = write([JAVA, driven], executor, tmp_path, request(JAVA, "java"))
    assert text.value == driven
    assert len(asked) == 2
    assert "public static void main" in asked[0][0]["content"]
