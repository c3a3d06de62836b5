"""Hints by a model, asked of a real server: what is believed, what is asked again, what is left to the rule."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.core import Completion, Facts, Program, Rejected, Text, TextRequest
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.engine.building.authoring import (
    Writer,
    digest_writer,
    draft_text,
    identify_writer,
    list_authors,
    list_reused,
    provide_text,
    text_kind,
    write_by_rule,
)
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.building.preparing import NamedRequest, Preparation, PreparedText
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import ModelError, NoText, Skip
from pytest_codereason.models.specs import create_model
from pytest_codereason.questions.authoring.frozen_texts import FrozenTexts
from pytest_codereason.questions.authoring.hint import (
    NO_COMMENT,
    NO_LITERAL,
    OTHER_TYPE,
    RIGHT_TOO,
    TOO_LONG,
    TRUE,
    HintText,
)
from tests.engine.tellers import Teller
from tests.engine.writing import say, write_all
from tests.examples import examples
from tests.languages.values import VALUES
from tests.servers import Server, finished, malformed, no_quota

ADD = Program.from_source(
    language="python",
    source="def f(a, b):\n    return a + b\n",
    call="f(1, 2)",
    facts=Facts(output=3, input="1, 2"),
)
FIVE = Program.from_source(
    language="python", source="def f(a):\n    return 5\n", call="f(1)", facts=Facts(output=5, input="1")
)


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    opened = Executor("auto")
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


def write_hints(
    server: Server, executor: Executor, folder: Path, *questions: tuple[Program, str], processes: int = 1
) -> list[Text]:
    """The hints that a writer at this server writes, see :func:`write_all`."""
    return write_all(server, executor, folder, *(TextRequest("hint", *job) for job in questions), processes=processes)


def test_every_question_about_a_program_gets_the_same_text_and_pays_once(executor: Executor, tmp_path: Path) -> None:
    with Server(say("Off by one: [ANSWER]4[/ANSWER]"), latency_s=0.02) as server:
        texts = write_hints(server, executor, tmp_path, *[(ADD, "output")] * 4, processes=2)
        assert texts == [Text("4", "openai:scripted")] * 8
        assert len(server.requests) == 1
        (prompt,) = server.requests[0].messages
        assert ADD.source.strip() in prompt["content"]
        assert "assert f(1, 2) == 3" in prompt["content"]
        assert write_hints(server, executor, tmp_path, (ADD, "output")) == texts[:1]
        assert len(server.requests) == 1, "in a later session too"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("It is lovely weather.", NO_LITERAL),
        ("", NO_LITERAL),
        ("[ANSWER]f(2, 1)[/ANSWER]", NO_LITERAL),
        ("I'm sorry, but I can't help with making tests fail.", NO_LITERAL),
        ("[ANSWER]3[/ANSWER]", TRUE),
        ("```python\nassert f(1, 2) == 2 + 1\n```", TRUE),
        ("[ANSWER]'4'[/ANSWER]", OTHER_TYPE),
        ("[ANSWER]True[/ANSWER]", OTHER_TYPE),
    ],
)
def test_what_is_no_hint_is_asked_for_thrice_and_never_again(
    executor: Executor, tmp_path: Path, reply: str, reason: str
) -> None:
    with Server(say(reply)) as server:
        assert write_hints(server, executor, tmp_path, (ADD, "output")) == [Text(reason=reason)]
        assert [request.body["temperature"] for request in server.requests] == [0.0, 0.7, 1.0]
        assert write_hints(server, executor, tmp_path, (ADD, "output")) == [Text(reason=reason)]
        assert len(server.requests) == 3


def test_another_try_may_do(executor: Executor, tmp_path: Path) -> None:
    script = [finished("content_filter", None), finished("length", "[ANSWER]4[/ANSWER]"), malformed()]
    with Server(say("[ANSWER]5[/ANSWER]"), script=script) as server:
        assert write_hints(server, executor, tmp_path, (ADD, "output")) == [Text("5", "openai:scripted")]
        assert len(server.requests) == 4
    with Server(say(""), script=[finished("content_filter", None)] * 3) as server:
        assert write_hints(server, executor, tmp_path / "other", (ADD, "output")) == [Text(reason="refused")]


def test_an_input_is_called_before_it_is_believed(executor: Executor, tmp_path: Path) -> None:
    with Server(say("[ANSWER]f(2, 1)[/ANSWER]", "[ANSWER]f(1, 2)[/ANSWER]", "[ANSWER]f(0, 2)[/ANSWER]")) as server:
        assert write_hints(server, executor, tmp_path, (ADD, "input")) == [Text("0, 2", "openai:scripted")]
        assert len(server.requests) == 3
    with Server(say("It takes one argument, so two fail: [ANSWER]f(1, 2)[/ANSWER]")) as server:
        assert write_hints(server, executor, tmp_path, (FIVE, "input")) == [Text("1, 2", "openai:scripted")]
    with Server(say("[ANSWER]f(2)[/ANSWER]")) as server:
        assert write_hints(server, executor, tmp_path / "other", (FIVE, "input")) == [Text(reason=RIGHT_TOO)]


def test_trouble_of_the_endpoint_is_no_text(executor: Executor, tmp_path: Path) -> None:
    with Server(say("[ANSWER]4[/ANSWER]"), script=[no_quota()]) as server:
        with pytest.raises(ModelError, match="the writer openai:scripted: "):
            write_hints(server, executor, tmp_path, (ADD, "output"))
        assert write_hints(server, executor, tmp_path, (ADD, "output")) == [Text("4", "openai:scripted")]


@pytest.mark.parametrize(
    ("name", "output", "text", "why"),
    [
        ("python", (1, 2), "(1, 3)", ""),
        ("python", (1, 2), "(1, 2, 3)", OTHER_TYPE),
        ("python", None, "0", ""),
        ("python", [], "[1]", ""),
        ("python", True, "1", OTHER_TYPE),
        ("python", "a", "'coding: latin-1'", NO_COMMENT),
        ("php", "a", "'?> */'", NO_COMMENT),
        ("python", "a", repr("b" * 3_000), TOO_LONG),
        ("python", "a" * 2_000, repr("b" * 3_000), ""),
        ("javascript", [1], "[1.0]", TRUE),
        ("javascript", [1], "[1, 2]", ""),
    ],
)
def test_an_output_has_to_be_wrong_of_its_type_and_fit_for_a_comment(
    name: str, output: Any, text: str, why: str
) -> None:
    program = Program.from_source(language=name, source="", call="f()", facts=Facts(output=output))

    async def run(job: Run) -> Execution:
        raise AssertionError("an output needs no call")

    async def check() -> str:
        try:
            await HintText().check(text, TextRequest("hint", program, "output"), run)
        except Rejected as rejected:
            return rejected.reason
        return ""

    assert asyncio.run(check()) == why


@pytest.mark.parametrize(
    ("of", "reply", "text"),
    [
        ("output", "First 1, then 2.\n```python\nassert f(1, 2) == 4\n```", "4"),
        ("output", "The answer is 81 - 43.", "38"),
        ("input", "[ANSWER]f([1,\n 2], b='x')[/ANSWER]", "[1, 2], b='x'"),
        ("input", "so `f(3, 4)` it is:\n\nassert f(3, 4) == 3", "3, 4"),
    ],
)
def test_replies_are_read_as_answers_are(of: str, reply: str, text: str) -> None:
    assert HintText().read(Completion(text=reply), TextRequest("hint", ADD, of)) == text


def test_a_reply_without_literals_is_rejected() -> None:
    with pytest.raises(Rejected, match=NO_LITERAL):
        HintText().read(Completion(text="[ANSWER]f(g(1))[/ANSWER]"), TextRequest("hint", ADD, "input"))


JS = Program.from_source(
    language="javascript",
    source="function f(xs) {\n    return xs.length;\n}\n",
    call="f([1, 2])",
    facts=Facts(output=2, input="[1, 2]"),
)
PHP = Program.from_source(
    language="php",
    source="<?php\nfunction f($xs) {\n    return count($xs);\n}\n",
    call="f([1, 2])",
    facts=Facts(output=2, input="[1, 2]"),
)
JAVA = Program.from_source(
    language="java",
    source="class A {\n    static int f(int[] xs) {\n        return xs.length;\n    }\n}\n",
    call="A.f(new int[]{1, 2})",
    facts=Facts(output=2, input="new int[]{1, 2}"),
)


@pytest.mark.parametrize(
    ("program", "reply", "value"),
    [
        (JS, "f([3, 4, 5])", "[3, 4, 5]"),
        (PHP, "f([3, 4, 5])", "[3, 4, 5]"),
        (PHP, "f(['a' => 1])", "['a' => 1]"),
        pytest.param(JAVA, "A.f(new int[]{3})", "new int[] {3}", marks=pytest.mark.slow),
    ],
    ids=lambda value: value.language if isinstance(value, Program) else "",
)
def test_inputs_are_written_in_every_language(
    executor: Executor, tmp_path: Path, program: Program, reply: str, value: str
) -> None:
    with Server(say(f"[ANSWER]{reply}[/ANSWER]")) as server:
        assert write_hints(server, executor, tmp_path, (program, "input")) == [Text(value, "openai:scripted")]
    with Server(say(f"[ANSWER]{program.call}[/ANSWER]")) as server:
        assert write_hints(server, executor, tmp_path, (program, "input")) == [Text(reason=TRUE)]


def test_a_damaged_text_is_written_again(executor: Executor, tmp_path: Path) -> None:
    with Server(say("[ANSWER]4[/ANSWER]", "[ANSWER]5[/ANSWER]")) as server:
        write_hints(server, executor, tmp_path, (ADD, "output"))
        with sqlite3.connect(tmp_path / "answers.sqlite") as database:
            database.execute("UPDATE texts SET body = replace(body, '4', '6')")
        assert write_hints(server, executor, tmp_path, (ADD, "output")) == [Text("5", "openai:scripted")]
        assert write_hints(server, executor, tmp_path, (ADD, "output")) == [Text("5", "openai:scripted")]
    assert len(server.requests) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", VALUES)
@settings(max_examples=examples(25))
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_what_the_rule_writes_passes_the_check_of_a_models_texts(name: str, data: st.DataObject, seed: int) -> None:
    output = data.draw(VALUES[name])
    program = Program.from_source(language=name, source="", call="f()", facts=Facts(output=output))
    request = TextRequest("hint", program, "output")

    async def run(job: Run) -> Execution:
        raise AssertionError("an output needs no call")

    for candidate in HintText().candidates(request, Draws(seed)):
        try:
            assert asyncio.run(HintText().check(candidate, request, run)) == 0
        except Rejected as rejected:
            assert rejected.reason == NO_COMMENT  # noqa: PT017  # nothing else may be wrong with a candidate


def test_a_kind_without_a_rule_leaves_its_question_out(executor: Executor) -> None:
    request = TextRequest("translation", ADD, "javascript")
    with pytest.raises(Skip, match="no translation can be written: it has no rule"):
        asyncio.run(write_by_rule(request, executor.run))


def test_a_translation_may_be_right_at_its_third_try(executor: Executor, tmp_path: Path) -> None:
    replies = [
        "Sorry?",
        "```js\nfunction f(a, b) { return a - b; }\n```",
        "```js\nfunction f(a, b) { return a + b; }\n```",
    ]

    def answer(messages: Sequence[Mapping[str, Any]], body: Any) -> str:
        return replies[len(messages) // 2]

    with Server(answer) as server:
        (text,) = write_all(server, executor, tmp_path, TextRequest("translation", ADD, "javascript"))
        assert text == Text("function f(a, b) {\n    return a + b;\n}\n", "openai:scripted")
        prompts = [request.messages[-1]["content"] for request in server.requests]
    assert "Your reply holds no complete block of code." in prompts[1]
    assert "Called as f(1, 2), it returns -1, as the original does not." in prompts[2]


def test_two_preparations_of_one_store_pay_once(tmp_path: Path) -> None:
    requests = [NamedRequest(str(n), TextRequest("hint", replace(ADD, call=f"f({n}, 2)"), "output")) for n in range(3)]

    def prepare(server: Server) -> list[PreparedText]:
        model = create_model("openai:scripted", url=server.url, args={})
        return Preparation(HintText(), model, tmp_path, "plan").write_all(requests, lambda count: None)

    with Server(say("[ANSWER]4[/ANSWER]"), latency_s=0.05) as server:
        with ThreadPoolExecutor(2) as threads:
            first, second = threads.map(prepare, [server, server])
        texts = [text.text._replace(written=None) for text in first]
        assert texts == [text.text._replace(written=None) for text in second] == [Text("4", "openai:scripted")] * 3
        assert len(server.requests) == 3


def test_without_a_model_the_rule_prepares_the_texts(tmp_path: Path) -> None:
    requests = [
        NamedRequest("add", TextRequest("hint", ADD, "output")),
        NamedRequest("add", TextRequest("hint", ADD, "input")),
    ]
    counts: list[int] = []
    output, arguments = Preparation(HintText(), None, tmp_path, "plan").write_all(requests, counts.append)
    assert {output.text.by, arguments.text.by} == {"rule"}
    assert output.text.value not in ("", "3")
    assert arguments.text.value not in ("", "1, 2")
    assert counts == [1, 2]


WORD, RULED = "tests.engine.kinds:Word", "tests.engine.kinds:RuledWord"


async def run_nothing(run: Run) -> Execution:
    raise AssertionError("a word runs no program")


def provide(request: TextRequest, *, frozen: str | None = None, written: Text | None = None) -> Text:
    async def write(asked: TextRequest) -> Text:
        assert written is not None
        return written

    texts = {(request.program.sha, request.of): Text(frozen or "", "somebody")}
    file = None if frozen is None else FrozenTexts(Path("words.tsv"), request.kind, "sha", texts)
    return asyncio.run(provide_text(request, file, write if written else None, run_nothing))


@pytest.mark.parametrize(
    ("frozen", "written", "text"),
    [
        ("FROZEN", Text("written", "m"), Text("FROZEN", "somebody")),
        ("frozen", Text("written", "m"), Text("b", "rule", "was no capital")),
        (None, Text("written", "m"), Text("written", "m")),
        (None, Text("", "rule", "had an x"), Text("b", "rule", "had an x")),
        (None, None, Text("b")),
    ],
)
def test_a_text_is_that_of_the_file_else_of_the_writer_else_of_the_rule(
    frozen: str | None, written: Text | None, text: Text
) -> None:
    request = TextRequest(WORD, ADD, candidates=("b",))
    assert provide(request, frozen=frozen, written=written) == text


def test_what_no_model_may_write_is_written_by_the_rule() -> None:
    for request in (
        TextRequest(WORD, ADD, candidates=("b",), by_rule=True),
        TextRequest(RULED, ADD, candidates=("b",)),
    ):
        assert provide(request, written=Text("written", "m")) == Text("b")
    assert provide(TextRequest(WORD, ADD, candidates=("b",), by_rule=True), frozen="FROZEN") == Text("b")
    assert provide(TextRequest(WORD, ADD)) == Text("drawn")
    assert draft_text(TextRequest(WORD, ADD, candidates=("xx", "b"))) == Text("xx"), "a draft is not checked"
    assert draft_text(TextRequest(WORD, ADD)) == Text("drawn")


def test_the_rule_takes_the_first_of_the_best_that_pass() -> None:
    def write(*candidates: str) -> Text:
        return asyncio.run(write_by_rule(TextRequest(WORD, ADD, candidates=candidates, place="here"), run_nothing))

    assert write("x", "long", "b", "c", "x").value == "b"
    assert write("x", "long", "xx", "tall").value == "long"
    assert write("x", "long", "xx", "tall").rejections == {"had an x": 2}
    with pytest.raises(NoText, match="no word can be written: had an x") as caught:
        write("x", "xx")
    assert caught.value.rejections == {"here": {"had an x": 2}}


def test_authors_and_times_are_listed_by_kind() -> None:
    requests = [
        TextRequest(WORD, ADD, of="output", place="1"),
        TextRequest(WORD, ADD, by_rule=True, place="2"),
        TextRequest(RULED, ADD, place="3"),
    ]
    texts = {"1": Text("a", "m", written=5.0), "2": Text("b"), "3": Text("c")}
    assert list_authors(requests, texts) == {WORD: "m"}
    assert list_reused(requests, texts) == {f"{WORD} output": 5.0}
    assert list_reused([requests[0]._replace(of="")], texts) == {WORD: 5.0}


def make_writer(store: Store, model: Teller, session: str, **more: float) -> Writer:
    return Writer(
        model, model.answer, run_nothing, store, session=session, stop=lambda reason: None, **{"reuse_s": 0.0, **more}
    )


def say_words(*words: str | Completion) -> Teller:
    left = [Completion(text=word) if isinstance(word, str) else word for word in words]
    return Teller(lambda request: left.pop(0), label="writer")


def test_a_text_is_asked_for_once_a_run_and_kept(tmp_path: Path) -> None:
    model, request = say_words("one", "two", "three"), TextRequest(WORD, ADD)
    with closing(Store(tmp_path)) as store:
        first, later = make_writer(store, model, "first"), make_writer(store, model, "later")
        assert not first.knows(request, "run")
        assert asyncio.run(first.write(request, "run")) == Text("one", "writer")
        assert first.knows(request, "run")
        assert asyncio.run(first.write(request, "run")) == Text("one", "writer")
        assert asyncio.run(first.write(request, "another run")) == Text("one", "writer"), "of this session"
        again = asyncio.run(later.write(request, "run"))
        assert (again.value, again.written is not None) == ("one", True)
        assert asyncio.run(later.write(request, "a third run")).value == "two"
        old = make_writer(store, model, "old", reuse_s=60.0)
        assert asyncio.run(old.write(request, "a fourth run")).value == "two", "the newest that is young enough"
        assert len(model.asked) == 2


def test_a_rejected_text_is_asked_for_again_with_the_reason(tmp_path: Path) -> None:
    model = say_words("xx", "b", "x", "x", Completion(text="x", finish="too-long"), "never asked")
    with closing(Store(tmp_path)) as store:
        writer = make_writer(store, model, "s")
        texts = [asyncio.run(writer.write(TextRequest(WORD, ADD, of=of), "run")) for of in ("1", "2", "3")]
    assert texts == [
        Text("b", "writer"),
        Text("", "rule", "had an x"),
        Text("", "rule", "had a program too long"),
    ]
    assert [[m.content for m in each.ask.messages] for each in model.asked[:2]] == [
        ["a word?1"],
        ["a word?1", "xx", "No x, please."],
    ]
    assert [each.sampling.temperature for each in model.asked] == [0.0, 0.5, 0.0, 0.5, 0.0]
    assert [(each.sample, each.step) for each in model.asked[:2]] == [(0, 0), (1, 1)]
    assert model.asked[0].ask.truth == "drawn", "what a baseline replies"


def test_a_writer_is_identified_with_its_settings() -> None:
    model = Teller(label="writer")
    assert identify_writer(model) == {"teller": "writer"}
    model.sampling = {"temperature": 0.5}
    assert identify_writer(model) == {"teller": "writer", "sampling": {"temperature": 0.5}}
    digests = {digest_writer(identify_writer(model), kinds) for kinds in ([WORD], [RULED], [WORD, RULED])}
    assert len(digests) == 3
    identity = identify_writer(model)
    assert digest_writer(identity, [WORD]) == text_kind(WORD).digest_for(identity)
