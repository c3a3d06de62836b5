"""Anthropic's Message Batches: requests of the Messages API in one message, results as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_codereason.core.batches import BatchEnd, BatchState, BatchTerms
from pytest_codereason.core.secrets import Secret
from pytest_codereason.errors import FatalModelError
from pytest_codereason.models.openai.forms._http import UNANSWERED, Body, count
from pytest_codereason.models.openai.forms._inline import InlineBatching
from pytest_codereason.models.openai.problems import read_status

#: What OpenAI's fields of a request are called here.
RENAMED = {"stop": "stop_sequences", "max_completion_tokens": "max_tokens"}
SYSTEM = ("system", "developer")
#: Reasons to stop that OpenAI's form has no word for.
FINISHES = {"model_context_window_exceeded": "length"}


class AnthropicForm(InlineBatching):
    """The batches of one model."""

    terms = BatchTerms(most_lines=100_000, most_bytes=250 * 10**6)
    batches = "/messages/batches"

    @classmethod
    def sign(cls, key: Secret) -> Mapping[str, Secret]:
        """See :meth:`HttpBatching.sign`."""
        return {"x-api-key": key, "anthropic-version": Secret("2023-06-01")}

    def write(self, key: str, body: Body) -> Mapping[str, object]:
        """See :meth:`HttpBatching.write`. What the address of OpenAI's form does to a request is done here."""
        params = {RENAMED.get(name, name): value for name, value in body.items()}
        system = "\n".join(each["content"] for each in body["messages"] if each["role"] in SYSTEM)
        params["messages"] = [each for each in body["messages"] if each["role"] not in SYSTEM]
        if system:
            params["system"] = system
        if "temperature" in params:
            params["temperature"] = min(params["temperature"], 1.0)
        if effort := params.pop("reasoning_effort", None):
            params["output_config"] = {"effort": effort}
        if "max_tokens" not in params:
            raise FatalModelError(
                "a batch of Anthropic needs a limit of tokens: set max_tokens in [sampling] of the suite"
            )
        return {"custom_id": key, "params": params}

    def write_batch(self, lines: Sequence[bytes]) -> bytes:
        """See :meth:`InlineBatching.write_batch`."""
        return b'{"requests": [' + b",".join(lines) + b"]}"

    def count_requests(self, row: Body) -> int:
        """See :meth:`InlineBatching.count_requests`."""
        return sum(map(count, row["request_counts"].values()))

    def read_state(self, row: Body) -> BatchState:
        """See :meth:`HttpBatching.read_state`."""
        counts = row["request_counts"]
        ended: BatchEnd = "expired" if count(counts.get("expired")) else "completed"
        if row.get("cancel_initiated_at"):
            ended = "cancelled"
        return BatchState(
            ended=ended if row["processing_status"] == "ended" else None,
            answered=count(counts.get("succeeded")),
            # The address of the results stands in results_url too. The key goes to no address that a reply names.
            results=(f"{self.batches}/{row['id']}/results",) if row.get("results_url") else (),
        )

    def open(self, result: Body) -> tuple[int, object]:
        """See :meth:`HttpBatching.open`."""
        inner = result["result"]
        if inner["type"] == "succeeded":
            return 200, _complete(inner["message"])
        if inner["type"] == "errored":
            error = inner["error"].get("error", inner["error"])
            return read_status(error), {"error": error}
        return UNANSWERED, {"error": f"the batch has ended before this request was answered: {inner['type']}"}

    def follow(self, page: Body, number: int, last: str) -> str:
        """See :meth:`HttpBatching.follow`."""
        return f"&after_id={last}" if page.get("has_more") else ""


def _complete(message: Body) -> Mapping[str, object]:
    """A message as a completion of OpenAI's form."""
    usage, reason = message.get("usage") or {}, message.get("stop_reason")
    prompt, cached = usage.get("input_tokens"), count(usage.get("cache_read_input_tokens"))
    choice = {
        "message": {"role": "assistant", "content": message["content"]},
        "finish_reason": FINISHES.get(str(reason), reason),
    }
    tokens = {
        "prompt_tokens": prompt + cached + count(usage.get("cache_creation_input_tokens"))
        if isinstance(prompt, int)
        else None,
        "completion_tokens": usage.get("output_tokens"),
        "prompt_tokens_details": {"cached_tokens": cached or None},
    }
    return {"model": message.get("model"), "choices": [choice], "usage": tokens}
