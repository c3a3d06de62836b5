"""Hints by a model: asked for once a program, checked to be wrong, and kept for ever."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.authoring.hints import Text
from pytest_codereason.core import (
    Ask,
    Completion,
    Finish,
    Instance,
    Model,
    Program,
    Request,
    Sampling,
    derive_seed,
    digest,
)
from pytest_codereason.core.draws import Draws
from pytest_codereason.engine.facts import FactChecker
from pytest_codereason.engine.refuting import NO_LITERAL, fault
from pytest_codereason.engine.store import POLL_S
from pytest_codereason.errors import ModelError, NotALiteral, Skip
from pytest_codereason.perturbations.hint import wrong_literals
from pytest_codereason.registry import language
from pytest_codereason.replies.arguments import read_call_arguments
from pytest_codereason.replies.values import read_value
from pytest_codereason.suites.suite import Suite
from pytest_codereason.templates.loading import load

if TYPE_CHECKING:
    from pytest_codereason.engine.asking import Asker

#: Raised whenever the same reply would give another text.
VERSION = 1
#: The temperature of each try; after the last the rule has its way.
TEMPERATURES = (0.0, 0.7, 1.0)
#: Room for the steps before the answer, and for a model that thinks.
MAX_TOKENS = 4_096
#: Endings of a reply in which there is nothing to read.
_UNREAD: dict[Finish, str] = {"refused": "refused", "length": "ran out of tokens", "too-long": "had a program too long"}


class Writer:
    """One model as the writer of hints. All questions about a program get the same text.

    Sessions and workers share what is written through the store, given-up tries too.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._facts = FactChecker(asker.executor.run)

    @property
    def label(self) -> str:
        """The model's."""
        return self._asker.model.label

    async def text(self, program: Program, of: str) -> Text:
        """A wrong ``output`` or ``input`` of a program as its source gave it; without a value where none was written.

        Raises:
            ModelError: no reply came.
            SandboxError: the program could not be run.
        """
        store = self._asker.store
        key = digest("hint", self._identity, program.sha, of)
        while (found := store.text(key)) is None:
            if store.lease(key):
                found = store.text(key)  # between the look and the lease somebody else's may have come in
                break
            await asyncio.sleep(POLL_S)
        else:
            return Text(*found)
        try:
            text = await self._written(program, of) if found is None else Text(*found)
            store.keep_text(key, text)
        except BaseException:
            store.release(key)
            raise
        return text

    @cached_property
    def _identity(self) -> str:
        return identity(self._asker.model)

    async def _written(self, program: Program, of: str) -> Text:
        reason = ""
        for number, temperature in enumerate(TEMPERATURES):
            try:
                completion = await self._asker.ask(self._request(program, of, number, temperature))
            except ModelError as error:
                raise ModelError(f"the writer of hints, {self.label}: {error}") from error
            value = "" if completion.finish in _UNREAD else read(completion, program, of)
            reason = _UNREAD.get(completion.finish, NO_LITERAL)
            if value:
                reason = await fault(program, of, value, lambda given: self._facts.called(program, given))
            if not reason:
                return Text(value, self.label)
        return Text(reason=reason)

    def _request(self, program: Program, of: str, number: int, temperature: float) -> Request:
        lang, template = language(program.language), load("hint", of)
        before, after = lang.values.assertion(program.call)
        given = {
            "code": program.source.strip("\n"),
            "language": lang.title,
            "fence": lang.fence,
            "call": program.call,
            "function": program.call.partition("(")[0],
            "value": lang.values.write(program.facts["output"]),
            "before": before,
            "after": after,
        }
        messages, prefill = template.render([], given)
        rule = _by_rule(program, of, number)
        ask = Ask(messages=messages, prefill=prefill, truth=rule, guess=lambda uniform: rule)
        name = f"hint/{of}/{program.sha[:16]}"
        instance = Instance(
            id=name, family=name, suite="hint", program=program, axes={}, matrix={}, template=template, asks=of
        )
        sampling = Sampling(temperature=temperature, max_tokens=MAX_TOKENS)
        return Request(ask=ask, sampling=sampling, instance=instance, sample=number, step=number)


def identity(model: Model) -> str:
    """Digest of all that decides what a model writes."""
    return digest(VERSION, dict(model.identity), TEMPERATURES, [load("hint", of).sha for of in ("output", "input")])


def written_by(model: Model, suite: Suite) -> Suite:
    """The suite with its hints written by a model, unless it has none or says itself what they are."""
    if suite.hints or not suite.hinted:
        return suite
    return replace(suite, writer=identity(model))


def read(completion: Completion, program: Program, of: str) -> str:
    """The text of a hint that a reply gives, on one line; empty where it gives none."""
    lang = language(program.language)
    if of == "output":
        found = read_value(completion.text, language=lang, call=program.call)
        return "" if found is None or found.value is None else lang.values.write(found.value.value)
    function = program.call.partition("(")[0]
    given = read_call_arguments(completion.text, language=lang, function=function)
    if given is None or given.arguments is None:
        return ""
    return ", ".join(map(lang.values.write, given.arguments.values)) if "\n" in given.text else given.text


def _by_rule(program: Program, of: str, number: int) -> str:
    """The reply that says what the rule might: what baselines write."""
    draws = Draws(derive_seed(number, "hint", of, program.sha))
    try:
        return f"[ANSWER]{wrong_literals(language(program.language), program, of, draws)[0]}[/ANSWER]"
    except (Skip, NotALiteral):
        return ""
