"""A test that asks a model, and a model that is wrong about large numbers."""

from __future__ import annotations

from tests.fuzzing.blind import blind
from tests.servers import Answer

#: Wrong about 12 and more.
LARGE = """
@settings(max_examples=40)
@given(number=st.integers(0, 99))
def test_reads(number, codereason):
    program = Program.from_source(language="python", source="def f(n):\\n    return n\\n", call=f"f({number})")
    answer = codereason.ask(program)
    assert answer.correct, answer.words
"""


def large() -> Answer:
    right = blind()

    def answer(messages: object, body: dict[str, object]) -> str:
        reply = right(messages, body)  # type: ignore[arg-type]
        prompt = str(messages)
        return reply + "00" if "It returns" in prompt or int(reply.rpartition("== ")[2]) >= 12 else reply

    return answer
