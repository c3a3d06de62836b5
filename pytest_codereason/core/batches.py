"""Batches: many requests that a provider takes at once, answers within hours, and charges less for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pytest_codereason.core.answers import Completion
from pytest_codereason.core.questions import Request

#: How a batch can end. Of one that ``failed`` no request was answered. One that ``expired`` or was ``cancelled`` may
#: have some answers.
BatchEnd = Literal["completed", "expired", "cancelled", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchTerms:
    """What a provider says of its batches."""

    most_lines: int = 50_000  #: requests in one batch
    most_bytes: int = 200 * 10**6  #: of them
    hours: int = 24  #: within which it is answered
    discount: float = 0.5  #: the part of the price that is charged


class BatchLine(NamedTuple):
    """One request as it stands in a batch."""

    content: bytes  #: a line of JSON
    memo: str  #: what must be known to read the reply; the store keeps it


class SentBatch(NamedTuple):
    """How a batch is found at its provider."""

    name: str  #: given by us
    file: str = ""  #: the requests, uploaded; empty where they are not, or not yet
    others: frozenset[str] = frozenset()  #: ids of batches that are known to be others
    keys: frozenset[str] = frozenset()  #: of its requests


class BatchState(NamedTuple):
    """What the provider says of a batch."""

    ended: BatchEnd | None  #: ``None`` while it is under way
    answered: int = 0  #: requests
    failure: str = ""  #: why it failed
    retry_after: float | None = None  #: seconds after which the provider wants to be asked again
    results: Any = None  #: where its results are, for :meth:`Batching.fetch`


class Batching(ABC):
    """The way to a model by batches. Used while the model is started.

    Every method that reaches the provider raises :class:`~pytest_codereason.errors.ModelError`: a
    :class:`~pytest_codereason.errors.TransientModelError` if another try is worthwhile.
    """

    needed: bool = False  #: whether the model is asked in no other way

    @property
    @abstractmethod
    def terms(self) -> BatchTerms:
        """What the provider says of its batches."""

    def describe(self) -> str:
        """What is good to know before a run, after the name of the model."""
        return f"answers in batches, within {self.terms.hours} hours, at {self.terms.discount:g} of its price"

    @property
    @abstractmethod
    def address(self) -> Mapping[str, object]:
        """``url`` and ``args`` by which a model of the same spec reaches the same batches. It holds no secret."""

    @abstractmethod
    def write_line(self, key: str, request: Request) -> BatchLine:
        """A request of a batch, under a key of at most 64 letters and digits."""

    @abstractmethod
    async def check(self) -> None:
        """Does nothing if the provider takes batches.

        Raises:
            UsageError: it does not.
        """

    @abstractmethod
    async def upload(self, name: str, lines: Sequence[bytes]) -> str:
        """Brings the lines to the provider, at no cost. Gives the name of their file there; may be empty."""

    @abstractmethod
    async def create(self, batch: SentBatch, lines: Sequence[bytes]) -> str:
        """Has the provider answer the lines, which costs money. Gives the id of the batch."""

    @abstractmethod
    async def find(self, batch: SentBatch) -> str | None:
        """The id of a batch that was perhaps created; ``None`` if the provider has no such batch."""

    @abstractmethod
    async def look(self, id: str) -> BatchState:
        """How far a batch is."""

    @abstractmethod
    def fetch(self, state: BatchState) -> AsyncIterator[tuple[str, object]]:
        """The results of a batch that has ended, each with its key: in any order, perhaps not all, perhaps twice."""

    @abstractmethod
    def read(self, result: object, memo: str) -> Completion:
        """The completion in a result.

        Raises:
            ModelError: there is none. The request is sent again if the error is a transient one.
        """

    @abstractmethod
    async def cancel(self, id: str) -> None:
        """Asks the provider to answer no more requests of a batch."""
