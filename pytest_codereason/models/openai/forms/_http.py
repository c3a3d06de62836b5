"""What all forms of batches have in common that are sent through HTTP."""

from __future__ import annotations

import asyncio
import json
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_codereason.core import Completion, Request
from pytest_codereason.core.batches import Batching, BatchLine, BatchState, BatchTerms
from pytest_codereason.core.secrets import Secret
from pytest_codereason.errors import TransientModelError, UsageError
from pytest_codereason.models.openai.problems import clip, join_lines, read_problem

if TYPE_CHECKING:
    from pytest_codereason.models.openai.client import Client, Reply

Body = Mapping[str, Any]
#: What a provider says of a file that it cannot use yet, how long it is waited for, and between looks.
UNREADY, READY_S, PAUSE_S = ("pending", "running", "processing"), 600.0, 2.0
#: Seconds for one look at a provider.
LOOK_S = 60.0
#: The status of a request that was not answered before its batch had ended.
UNANSWERED = 503


class HttpBatching(Batching):
    """The batches of one model.

    Requests and replies are OpenAI's; a form writes them as its provider wants them, and reads what it sends back.

    Args:
        model: its name at the provider.
        address: see :attr:`Batching.address`.
        find_client: gives the connections, once the model is started.
        write_body: the body of a request, and what must be known to read its reply.
        read: the completion in a reply; raises a ``ModelError`` if there is none.
        explain: what to do about a status that is an error; empty if nobody knows.
    """

    terms: BatchTerms = BatchTerms()
    #: where batches are listed, and how a page of the list is asked for
    batches: ClassVar[str] = "/batches"
    page: ClassVar[str] = "?limit=100"
    rows: ClassVar[str] = "data"  #: the key of the batches in a page
    key: ClassVar[str] = "custom_id"  #: the key of a request in its result

    def __init__(
        self,
        model: str,
        address: Mapping[str, object],
        *,
        find_client: Callable[[], Client],
        write_body: Callable[[Request], tuple[Mapping[str, object], str]],
        read: Callable[[Reply, str], Completion],
        explain: Callable[[int], str],
    ) -> None:
        self._model, self._address = model, address
        self._find_client, self._write_body, self._read, self._explain = find_client, write_body, read, explain

    @classmethod
    def find_root(cls, url: str) -> str:
        """The address to which the paths of the form are added, by that of OpenAI's form."""
        return url

    @classmethod
    def sign(cls, key: Secret) -> Mapping[str, Secret] | None:
        """The headers that carry the key, ``None`` where they are those of any other request."""
        return None

    # --- what a form says ---------------------------------------------------------------------

    @abstractmethod
    def write(self, key: str, body: Body) -> Mapping[str, object]:
        """A request as a line of a batch."""

    @abstractmethod
    def open(self, result: Body) -> tuple[int, object]:
        """The status and the body in a result, as OpenAI's address would have given them."""

    @abstractmethod
    def read_state(self, row: Body) -> BatchState:
        """How far a batch is. ``results`` are paths of files with a result a line, or the results themselves.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: nothing is said of a batch.
        """

    def read_id(self, made: Any) -> object:
        """The id of a file or batch that was made or is listed."""
        return made.get("id") if isinstance(made, dict) else None

    def follow(self, page: Body, number: int, last: str) -> str:
        """What is added to the address of the list for its next page; empty if there is none.

        Args:
            page: the page before.
            number: of the next one; the first is 0.
            last: the id of the last batch on the page before.
        """
        return ""

    # --- what follows from it -----------------------------------------------------------------

    @property
    def address(self) -> Mapping[str, object]:
        """See :attr:`Batching.address`."""
        return self._address

    def write_line(self, key: str, request: Request) -> BatchLine:
        """See :meth:`Batching.write_line`."""
        body, memo = self._write_body(request)
        return BatchLine(json.dumps(self.write(key, body)).encode(), memo)

    async def check(self) -> None:
        """See :meth:`Batching.check`."""
        reply = await self._find_client().get(f"{self.batches}{self.page}", timeout_s=LOOK_S)
        if reply.status in (404, 405, 501):
            raise UsageError(
                f"it has no batches at {self.batches} (HTTP {reply.status}): leave --eval-batch out, or have "
                "an engine answer files of questions: --model-url=file:FOLDER"
            )
        self._parse(reply)

    async def look(self, id: str) -> BatchState:
        """See :meth:`Batching.look`."""
        reply = await self._find_client().get(f"{self.batches}/{id}", timeout_s=LOOK_S, most=self.terms.most_bytes)
        try:
            state = self.read_state(self._parse(reply))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise TransientModelError(f"the reply says nothing of a batch: {clip(join_lines(reply.content))}") from None
        try:
            return state._replace(retry_after=float(reply.headers["retry-after"]))
        except (KeyError, ValueError):
            return state

    async def fetch(self, state: BatchState) -> AsyncIterator[tuple[str, object]]:
        """See :meth:`Batching.fetch`."""
        for place in state.results:
            results = self._read_file(place) if isinstance(place, str) else _repeat(place)
            async for result in results:
                yield str(result.get(self.key)), result

    def read(self, result: object, memo: str) -> Completion:
        """See :meth:`Batching.read`."""
        from pytest_codereason.models.openai.client import Reply

        try:
            status, body = self.open(result if isinstance(result, dict) else {})
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            status, body = UNANSWERED, result
        try:
            return self._read(Reply(status, {}, json.dumps(body).encode()), memo)
        except TransientModelError as failure:
            failure.unbilled = True  # a provider charges for answers
            raise

    async def cancel(self, id: str) -> None:
        """See :meth:`Batching.cancel`."""
        self._parse(await self._find_client().post(f"{self.batches}/{id}/cancel", b"{}"))

    async def _create(self, path: str, content: bytes) -> str:
        """Creates a batch. Gives its id."""
        reply = await self._find_client().post(path, content)
        try:
            return self._find_id(self._parse(reply))
        except TransientModelError as error:
            error.unbilled = 400 <= reply.status < 500  # any other reply may hide a batch that is there
            raise

    async def _list(self) -> AsyncIterator[Mapping[str, Any]]:
        """Every batch that the provider has, the newest first."""
        path, seen, number = f"{self.batches}{self.page}", set[str](), 0
        while True:
            body = self._parse(await self._find_client().get(path, timeout_s=LOOK_S))
            page = body if isinstance(body, dict) else {self.rows: body}
            rows = page.get(self.rows)
            known = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
            listed = {str(self.read_id(row)): row for row in known}
            for id in [id for id in listed if id not in seen]:
                yield listed[id]
            if not listed.keys() - seen:
                return
            seen, number = seen | listed.keys(), number + 1
            if not (following := self.follow(page, number, [*listed][-1])):
                return
            path = f"{self.batches}{self.page}{following}"

    async def _read_file(self, path: str) -> AsyncIterator[Body]:
        """The results in a file, as far as they can be read."""
        broken = read = 0
        async for line in self._find_client().read_lines(path):
            try:
                result = json.loads(line) if line.strip() else None
            except (ValueError, RecursionError):
                result, broken = None, broken + 1
            if isinstance(result, dict):
                read += 1
                yield result
        if broken and not read:  # a page of a proxy, for example
            raise TransientModelError(f"the results {path} are not lines of JSON")

    async def _wait_for_file(self, path: str, file: Any, status: str) -> None:
        """Waits until a file that was uploaded can be used.

        Args:
            path: where the provider says what becomes of it.
            file: what it said of it first.
            status: the key of its state.
        """
        left_s = READY_S
        while str(file.get(status)).lower() in UNREADY and left_s > 0:
            await asyncio.sleep(PAUSE_S)
            left_s -= PAUSE_S
            file = self._parse(await self._find_client().get(path, timeout_s=LOOK_S))

    def _parse(self, reply: Reply) -> Any:
        """The JSON of a reply.

        Raises:
            ModelError: the provider reports an error, or the reply cannot be read.
        """
        if not reply.succeeded:
            raise read_problem(reply.status, reply.headers, reply.content).make_error(self._explain(reply.status))
        try:
            return json.loads(reply.content)
        except (ValueError, RecursionError):
            raise TransientModelError(f"the reply is not JSON: {clip(join_lines(reply.content))}") from None

    def _find_id(self, made: Any) -> str:
        """The id in what was made."""
        id = self.read_id(made)
        if not isinstance(id, str) or not id or not id.isprintable() or "/" in id:
            raise TransientModelError(f"the reply has no id: {clip(join_lines(json.dumps(made)))}")
        return id


async def _repeat(result: Body) -> AsyncIterator[Body]:
    yield result


def count(value: object) -> int:
    """A number of requests, 0 where a provider says none. Some write it as text."""
    return int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdigit()) else 0
