"""Texts before questions: taken from a frozen file, written by a model, or by the rule, and checked in each case."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pytest_codereason import registry
from pytest_codereason.core import (
    Ask,
    Completion,
    Instance,
    Message,
    Model,
    Rejected,
    Request,
    RunProgram,
    Sampling,
    Template,
    Text,
    TextKind,
    TextRequest,
    derive_seed,
    digest,
)
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.engine.sending import Sender
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.store import POLL_S, Store, StoredText
from pytest_codereason.errors import ModelError, NoText, StoreError, blame
from pytest_codereason.questions.authoring.frozen_texts import FrozenTexts
from pytest_codereason.questions.suites.suite import Suite

#: Has a text written by a model.
Write = Callable[[TextRequest], Awaitable[Text]]
#: The identity of a writer in a suite where each model writes its own texts.
OWN_TEXTS: Mapping[str, Any] = {"writer": "the model that is asked"}


async def provide_text(
    request: TextRequest,
    frozen: FrozenTexts | None,
    write: Write | None,
    run: RunProgram,
) -> Text:
    """The text for a request: from a frozen file, else by the writer, else by the rule.

    A text of a file is checked here, as anybody may have written the file. If the check fails the rule writes the text.
    ``write`` is what the writer does.

    Raises:
        Skip: not even the rule finds a text.
        ModelError: the writer gave no answer.
        SandboxError: a program could not be run.
    """
    text = Text()
    if not request.by_rule and frozen:
        text = await _check_frozen(request, frozen.text(request), run)
    elif write and may_be_commissioned(request):
        text = await write(request)
    if text.value:
        return text
    ruled = await write_by_rule(request, run)
    return text._replace(value=ruled.value, rejections=ruled.rejections)


def draft_text(request: TextRequest) -> Text:
    """What the rule would write first, unchecked; without a value where the kind has no rule."""
    candidates = request.candidates or _draw_candidates(text_kind(request.kind), request, 0)
    return Text(candidates[0]) if candidates else Text()


async def _check_frozen(request: TextRequest, text: Text, run: RunProgram) -> Text:
    if text.value:
        try:
            await text_kind(request.kind).check_frozen(text.value, request, run)
        except Rejected as rejected:
            return Text(reason=rejected.reason)
    return text


async def write_by_rule(request: TextRequest, run: RunProgram) -> Text:
    """The best of the rule's candidates that pass the check of their kind.

    Raises:
        NoText: none passes, or the kind has no rule.
        SandboxError: a program could not be run.
    """
    kind, second_choices, rejections = text_kind(request.kind), dict[int, str](), Counter[str]()
    for candidate in request.candidates or _draw_candidates(kind, request, 0):
        try:
            rank = await kind.check(candidate, request, run)
        except Rejected as rejected:
            rejections[rejected.reason] = rejections.pop(rejected.reason, 0) + 1  # moves to the end
            continue
        second_choices.setdefault(rank, candidate)
        if rank == 0:
            break
    counts = kind.count_rejections(rejections)
    if not second_choices:
        raise NoText(kind.explain_none(rejections), {request.place: counts} if counts else {})
    return Text(second_choices[min(second_choices)], rejections=counts)


def may_be_commissioned(request: TextRequest) -> bool:
    """Whether a model may write this text, not the rule alone."""
    return not (request.by_rule or text_kind(request.kind).by_rule)


def list_authors(requests: Sequence[TextRequest], texts: Mapping[str, Text]) -> dict[str, str]:
    """Who wrote the texts of the program, by kind; kinds that the rule alone writes are left out."""
    return {each.kind: texts[each.place].author for each in requests if may_be_commissioned(each)}


def list_reused(requests: Sequence[TextRequest], texts: Mapping[str, Text]) -> dict[str, float]:
    """When the texts of earlier sessions were written, by kind and subject."""
    times = {f"{request.kind} {request.of}".strip(): texts[request.place].written for request in requests}
    return {name: time for name, time in times.items() if time is not None}


class Writer:
    """One model that writes texts. It is asked once for each request in a run, whatever worker wants the text.

    A text belongs to the run that it was written for, as an answer does; so does the fact that every try was rejected.
    The suites and models of one session share their texts.

    Args:
        model: who writes.
        ask: puts one question to the model.
        run: runs programs, for checks.
        store: where texts are kept.
        session: the name of this session.
        reuse_s: the greatest age of a text that was written for another run, in seconds.
        stop: is called with the reason if a text cannot be stored, so that no further text is paid for.
    """

    def __init__(
        self,
        model: Model,
        ask: Callable[[Request], Awaitable[Completion]],
        run: RunProgram,
        store: Store,
        *,
        session: str,
        reuse_s: float,
        stop: Callable[[str], None],
    ) -> None:
        self.model, self._ask, self._run, self._store, self._stop = model, ask, run, store, stop
        self._session, self._reuse_s = session, reuse_s
        self._digests: dict[str, str] = {}

    async def write(self, request: TextRequest, run: str) -> Text:
        """The text for a request of a run; without a value if every try was rejected.

        Raises:
            Skip: the writer cannot be asked this about the program.
            ModelError: the model gave no answer.
            SandboxError: a program could not be run.
            StoreError: the text could not be kept.
        """
        store, kind, key = self._store, text_kind(request.kind), self._name_key(request)
        while (kept := self._find(key, run)) is None:
            if store.lease(key):
                kept = self._find(key, run)  # another session may have kept it between the look and the lease
                break
            await asyncio.sleep(POLL_S)
        else:
            if kept.run == run:
                return self._read_kept(kept)
        try:
            if kept is None:
                text = await self._ask_for(kind, request)
                kept = StoredText([text.value, text.by, text.reason], time.time(), run, self._session)
                store.keep_text(key, kept)
            else:  # a run that is continued shows the same text
                store.keep_text(key, kept._replace(run=run))
        except BaseException as error:
            if isinstance(error, StoreError):
                self._stop(str(error))
            store.release(key)
            raise
        return self._read_kept(kept)

    def _read_kept(self, kept: StoredText) -> Text:
        value, by, reason = kept.words
        return Text(value, by, reason, written=None if kept.session == self._session else kept.created)

    def knows(self, request: TextRequest, run: str) -> bool:
        """Whether the store holds what this writer made of a request of a run, so that nobody is asked."""
        return self._find(self._name_key(request), run) is not None

    def _find(self, key: str, run: str) -> StoredText | None:
        return self._store.text(key, run, self._session, reuse_s=self._reuse_s)

    def _name_key(self, request: TextRequest) -> str:
        return digest(request.kind, self._digest_for(request.kind), request.program.sha, request.of)

    def _digest_for(self, kind: str) -> str:
        if kind not in self._digests:
            self._digests[kind] = text_kind(kind).digest_for(identify_writer(self.model))
        return self._digests[kind]

    async def _ask_for(self, kind: TextKind, request: TextRequest) -> Text:
        messages, reason = kind.ask(request), ""
        for number in range(len(kind.temperatures)):
            completion = await self._complete(kind, request, messages, number)
            try:
                return Text(await self._read(kind, request, completion), self.model.label)
            except Rejected as rejected:
                reason = rejected.reason
                if told := kind.ask_again(request, rejected):
                    if completion.finish == "too-long":
                        break  # the conversation only grows
                    messages = (*messages, Message("assistant", completion.text), *told)
        return Text(reason=reason)

    async def _read(self, kind: TextKind, request: TextRequest, completion: Completion) -> str:
        if completion.finish in kind.unread:
            raise Rejected(kind.unread[completion.finish])
        text = await asyncio.to_thread(kind.read, completion, request)
        await kind.check(text, request, self._run)
        return text

    async def _complete(
        self, kind: TextKind, request: TextRequest, messages: tuple[Message, ...], number: int
    ) -> Completion:
        candidates = _draw_candidates(kind, request, number)
        reply = kind.write_reply(candidates[0]) if candidates else ""
        ask = Ask(messages=messages, truth=reply, guess=lambda uniform: reply)
        sampling = Sampling(temperature=kind.temperatures[number], max_tokens=kind.max_tokens)
        sampling = replace(sampling, **self.model.sampling)  # what a user has set for this model
        name = "/".join(filter(None, (request.kind, request.of, request.program.sha[:16])))
        instance = Instance(
            id=name,
            family=name,
            suite=request.kind,
            program=request.program,
            axes={},
            matrix={},
            template=_NoTemplate(),
            asks=request.of,
        )
        asked = Request(ask=ask, sampling=sampling, instance=instance, sample=number, step=number)
        try:
            return await self._ask(asked)
        except ModelError as error:
            raise ModelError(f"the writer {self.model.label}: {error}") from error


class Commission:
    """What a writer writes for the questions to one model.

    Args:
        runs: of the model. The texts belong to them.
        sender: to the model. While it sends nothing, no text is paid for.
    """

    def __init__(self, writer: Writer, runs: OpenRuns, sender: Sender) -> None:
        self._writer, self._runs, self._sender = writer, runs, sender
        self._names: dict[str, str] = {}

    def owes(self, suite: Suite, requests: Sequence[TextRequest]) -> bool:
        """Whether one of these texts is still to be written.

        Raises:
            FatalModelError: it is, and the question will not be asked.
        """
        run = self._find_run(suite)
        if all(self._writer.knows(request, run) for request in requests):
            return False
        self._sender.check_open()
        return True

    def for_suite(self, suite: Suite) -> Write:
        """Writes texts for the questions of a suite."""
        return partial(self._writer.write, run=self._find_run(suite))

    def _find_run(self, suite: Suite) -> str:
        if suite.plan not in self._names:
            self._names[suite.plan] = self._runs.find_for_texts(suite.plan, self._writer.model)
        return self._names[suite.plan]


class _NoTemplate(Template):
    """Stands in the instance of a writer's question, whose messages the kind of text makes itself."""

    def render(self, shots: object, question: object) -> tuple[tuple[Message, ...], str]:
        return (), ""

    @property
    def sha(self) -> str:
        return ""


def name_writer(writer: Mapping[str, Any], suite: Suite) -> Suite:
    """The suite with the writer of its texts, unless it wants none or has all of them in files.

    Args:
        writer: what :func:`identify_writer` gives for a model that writes for all models, or ``OWN_TEXTS``.
    """
    kinds = sorted(kind for kind in suite.text_kinds - suite.texts.keys() if not text_kind(kind).by_rule)
    if not kinds:
        return suite
    return replace(suite, writer=digest_writer(writer, kinds))


def identify_writer(model: Model) -> dict[str, object]:
    """All that decides what a model writes: its identity, and the settings of sampling that a user has given it."""
    return {**model.identity, **({"sampling": dict(model.sampling)} if model.sampling else {})}


def digest_writer(writer: Mapping[str, Any], kinds: Iterable[str]) -> str:
    """Digest of all that decides what the writer of this identity writes for these kinds of text."""
    digests = {}
    for name in kinds:
        with blame(kind := text_kind(name)):
            digests[name] = kind.digest_for(writer)
    return next(iter(digests.values())) if len(digests) == 1 else digest(digests)


def text_kind(name: str) -> TextKind:
    """The one object of a kind of text.

    Raises:
        UsageError: there is no such kind; lists what there is.
    """
    kind: type[TextKind] = registry.find(TextKind, name)
    with blame(kind):
        return kind()


def _draw_candidates(kind: TextKind, request: TextRequest, number: int) -> tuple[str, ...]:
    seed = derive_seed(number, request.kind, request.of, request.program.sha)
    return tuple(kind.candidates(request, Draws(seed)))
