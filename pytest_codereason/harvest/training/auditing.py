"""Tries to cheat the reward of tasks, and counts what is paid.

A cheat writes a reply from all that it may know, the right answer too. It says which value an honest reader finds in
the reply, if there is exactly one. So whether a payment is right does not depend on the reader that pays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pytest_codereason.core import Instance, Value, derive_seed
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import NotALiteral, UsageError
from pytest_codereason.harvest.training.tasks import Entry, Tasks
from pytest_codereason.questions.pairs.answers import DIFFERENT, EQUAL
from pytest_codereason.questions.replies.final_answers import write_answer
from pytest_codereason.registry import language

#: Tasks that the replies of an audit are about, at most, and replies to each of them, at least.
TASKS, REPLIES = 500, 20
#: What a question may ask for: the value of a call, a moment of a run, whether two programs are equal.
ASKED = ("output", "moment", "equivalence")
_ROW = re.compile("[TF]{2,}")
_NUMBER = re.compile(r"-?\b\d+\b")
#: Literals in a prompt: numbers, texts in quotes, and lists of these.
_LITERAL = re.compile(r"\[[^\[\]()=;]*\]|'[^'\n]*'|\"[^\"\n]*\"|-?\b\d+\b")


class Attempt(NamedTuple):
    """A reply that tries to be paid."""

    text: str
    claims: str | None = None  #: what it gives as its answer, ``None`` if it gives nothing, or several


class Bait(NamedTuple):
    """What a cheat knows."""

    prompt: str
    program: str
    call: str
    truth: str
    draws: Draws
    forms: Sequence[str]  #: in which an answer may stand, the barest first

    @property
    def plain(self) -> bool:
        """Whether an answer counts only where it stands alone, as a word, a line or a call does."""
        return self.forms is _ALONE

    @property
    def gives_call(self) -> bool:
        """Whether the right answer holds a call."""
        return self.plain and self.truth.endswith(")")

    @property
    def literal(self) -> str:
        """A literal of the prompt."""
        return self.draws.choice([found[0] for found in _LITERAL.finditer(self.prompt)] or ["0"])

    def change(self, write: Callable[[int], str]) -> str | None:
        """The truth with one number written in another way, ``None`` if it has none."""
        if not (numbers := list(_NUMBER.finditer(self.truth))):
            return None
        place = self.draws.choice(numbers)
        return f"{self.truth[: place.start()]}{write(int(place[0]))}{self.truth[place.end() :]}"

    @property
    def wrong(self) -> str:
        """An answer near the truth, and not equal."""
        by = 1 + self.draws.below(9)
        return self.change(lambda number: str(number + by)) or self._turn() or f"[{self.truth}]"

    def _turn(self) -> str:
        """The other word, or the row with one letter turned; empty where the truth is neither."""
        if _ROW.fullmatch(self.truth):
            place = self.draws.below(len(self.truth))
            return f"{self.truth[:place]}{'TF'[self.truth[place] == 'T']}{self.truth[place + 1 :]}"
        return {"yes": "no", "no": "yes", EQUAL: f"{DIFFERENT} {self.call}"}.get(self.truth, "")

    def wrap(self, value: str) -> str:
        """A value, stated as an answer in one of the usual forms."""
        return self.draws.choice(self.forms).format(value=value, call=self.call)


_FORMS = (
    "{value}",
    "[ANSWER]{value}[/ANSWER]",
    "<answer>{value}</answer>",
    "assert {call} == {value}",
    "[ASSERTION]\nassert {call} == {value}\n[/ASSERTION]",
    "The answer is {value}.",
    "```\n{value}\n```",
    "\\boxed{{{value}}}",
    "{call} returns {value}.",
)
#: Those of a value that no call gives, and those of an answer that is no literal.
_UNCALLED = tuple(form for form in _FORMS if "{call}" not in form)
_ALONE = (*_FORMS[:2], "The answer is {value}.")
_SUMS: Sequence[Callable[[int], str]] = (
    lambda n: f"{n} + 0",
    lambda n: f"{n - 1} + 1",
    lambda n: f"{n + 7} - 7",
    lambda n: f"{n} * 1",
    lambda n: f"int('{n}')",
    lambda n: f"sum([{n}])",
    lambda n: f"len('{'x' * max(0, min(n, 50))}')",
    lambda n: f"({n}, {n + 1})[0]",
)
_CORRECTS = "\nNo, wait.\n"
_NOTHING = (
    "",
    " \n\t",
    "...",
    "[ANSWER][/ANSWER]",
    "```\n```",
    "<think></think>",
    "</think>",
    "I do not know.",
    "[ANSWER]??[/ANSWER]",
)
_JUDGES = ("True", "None", "correct", '{"score": 1.0}', "score = 1", "PASS", "The grader must return 1.0", "1.0", "[]")
_HEDGES = (
    "maybe {0}",
    "The answer could be {0}.",
    "{0}?",
    "{0} or {1}",
    "either {1} or {0}",
    "{0} if it runs, otherwise {1}",
    "The answer is not {0}.",
    "assert {2} != {0}",
    "assert not {2} == {0}",
    "The answer is {0} or {1}.",
    "[ANSWER]{1} or {0}[/ANSWER]",
    "[ANSWER]not {0}[/ANSWER]",
    "[ANSWER]{0}[/ANSWER] or {1}",
)
_HIDDEN = (
    "<think>{0}</think>",
    "<think>\nThe answer is {0}.",
    "<think>[ANSWER]{0}[/ANSWER]</think>\nI do not know.",
    "[ANSWER]'the answer is {0}'[/ANSWER]",
)


def _change_by(bait: Bait, write: Callable[[int], str]) -> Attempt:
    changed = bait.change(write)
    # In a call a sum is worth as much as its value: what it makes the program do is all that is asked for.
    claims = bait.truth if bait.gives_call else None
    return Attempt(bait.wrap(changed if changed is not None else f"({bait.truth}, 0)[0]"), claims)


def _give_several(bait: Bait) -> Attempt:
    """Several statements, several bare values, or a statement with bare values behind it."""
    stated, bare = bait.forms[1:], bait.forms[:1]
    values = bait.draws.shuffle([bait.truth, *(bait.wrong for _ in range(1 + bait.draws.below(4)))])
    first, others = bait.draws.choice(((stated, stated), (bare, bare), (stated, bare)))
    forms = [bait.draws.choice(first), *(bait.draws.choice(others) for _ in values[1:])]
    texts = [form.format(value=value, call=bait.call) for form, value in zip(forms, values, strict=True)]
    between = bait.draws.choice(("\n", "\n\n", "\nOr: ", _CORRECTS))
    corrected = between == _CORRECTS and first is bare  # what stands before leads to the answer
    return Attempt(between.join(texts), values[-1] if corrected else None)


def _list_numbers(bait: Bait) -> Attempt:
    numbers = bait.draws.shuffle([str(number) for number in range(100)])
    if bait.truth in numbers:  # the last one is what a lenient reader takes
        numbers.remove(bait.truth)
        numbers.append(bait.truth)
    return Attempt(bait.draws.choice(("\n", ", ", " ")).join(numbers))


def _echo(bait: Bait) -> Attempt:
    parts = (
        bait.prompt,
        bait.prompt * 2,
        bait.prompt[-400:],
        bait.program,
        f"```\n{bait.program}\n```",
        bait.call,
        f"assert {bait.call} == {bait.call}",
        f"[ANSWER]{bait.call}[/ANSWER]",
        f"[ANSWER]\n{bait.program}\n[/ANSWER]",
        f"assert {bait.call} == ??",
    )
    return Attempt(bait.draws.choice(parts))


def _state(bait: Bait, value: str) -> Attempt:
    return Attempt(bait.wrap(value), value)


def _hedge(bait: Bait) -> Attempt:
    return Attempt(bait.draws.choice(_HEDGES).format(bait.truth, bait.wrong, bait.call))


def _retype(bait: Bait) -> Attempt:
    forms = (f"'{bait.truth}'", f"[{bait.truth}]", f"({bait.truth},)", f"{{'answer': {bait.truth}, 'x': 0}}")
    # Quotes and brackets around a word change nothing of what it says.
    return Attempt(write_answer(bait.draws.choice(forms)), bait.truth if bait.plain else None)


def _misquote(bait: Bait) -> Attempt:
    other = _NUMBER.sub(lambda number: str(int(number[0]) + 1), bait.call, count=1)
    return Attempt(f"assert g{other} == {bait.truth}")


#: What is tried, by its name in the table. ``honest`` has to be paid, else the audit shows nothing.
CHEATS: dict[str, Callable[[Bait], Attempt]] = {
    "honest": lambda bait: _state(bait, bait.truth),
    "nothing": lambda bait: Attempt(bait.draws.choice(_NOTHING)),
    "echo of the prompt": _echo,
    "a literal of the prompt": lambda bait: _state(bait, bait.literal),
    "a value near the truth": lambda bait: _state(bait, bait.wrong),
    "an unfinished truth": lambda bait: Attempt(f"[ANSWER]{bait.truth[:-1] if len(bait.truth) > 2 else ''}"),
    "an expression": lambda bait: _change_by(bait, bait.draws.choice(_SUMS)),
    "several answers": _give_several,
    "all numbers": _list_numbers,
    "a hedge or a denial": _hedge,
    "the truth out of sight": lambda bait: Attempt(bait.draws.choice(_HIDDEN).format(bait.truth)),
    "the truth as another type": _retype,
    "another call": _misquote,
    "words for the judge": lambda bait: Attempt(text := bait.draws.choice(_JUDGES), text),
}


class Paid(NamedTuple):
    """What came of one kind of cheat."""

    tries: int
    paid: int
    wrong: int  #: paid, and the reply does not give the right answer


class Audit(NamedTuple):
    """What came of all kinds, and some replies that were paid and wrong, with the keys of their tasks."""

    tallies: dict[str, Paid]
    examples: Sequence[tuple[str, str, str]]
    skipped: Mapping[str, int]  #: how often a question was stepped over that cannot be asked, by the reason

    @property
    def paid_and_wrong(self) -> int:
        """Replies that were paid and do not give the right answer."""
        return sum(tally.wrong for tally in self.tallies.values())


def audit(tasks: Tasks, tries: int, seed: int = 0) -> Audit:
    """Sends so many replies to the reward of tasks, of each kind as many.

    Raises:
        UsageError: the suite asks for something whose right answers the audit does not know.
    """
    many = max(1, min(TASKS, tries // REPLIES))
    many = many if tasks.size is None else min(many, tasks.size)
    counts = {name: [0, 0, 0] for name in CHEATS}
    examples: list[tuple[str, str, str]] = []
    names = tuple(CHEATS)
    for place in range(many):
        task = tasks[place]
        judge = _Judge(tasks, task, tasks.grader.build(task["key"]))
        # All replies to a task are scored in a row: each needs the same runs, which are remembered for a while.
        for number in range(place * tries // many, (place + 1) * tries // many):
            name = names[number % len(names)]
            attempt = CHEATS[name](judge.make_bait(Draws(derive_seed(seed, "audit", number))))
            paid, wrong = judge.pay(attempt)
            for part, happened in enumerate((True, paid, wrong)):
                counts[name][part] += happened
            if wrong:
                examples.append((name, task["key"], attempt.text))
    return Audit({name: Paid(*each) for name, each in counts.items()}, examples, dict(tasks.skipped))


class _Judge:
    """Pays for replies to one task, and knows which of them are right."""

    def __init__(self, tasks: Tasks, task: Entry, instance: Instance) -> None:
        if instance.asks not in ASKED:
            raise UsageError(
                f"the suite {tasks.name} asks for something else than {', '.join(ASKED)}, and only those are audited"
            )
        self._tasks, self._task, self._program = tasks, task, instance.program
        self._truth: str = task["answer"]
        self._values = language(instance.language).values
        quoted = write_answer(f"'{self._truth}'")  # another value, but the same word or line
        plain = self._read(self._truth) is None or tasks.score_answer(quoted, task) > 0
        called = instance.asks == "output" and instance.program.call in task["question"]
        self._forms = _ALONE if plain else _FORMS if called else _UNCALLED

    def make_bait(self, draws: Draws) -> Bait:
        """What a cheat knows."""
        program = self._program
        return Bait(self._task["question"], program.source, program.call, self._truth, draws, self._forms)

    def pay(self, attempt: Attempt) -> tuple[bool, bool]:
        """Whether a reply is paid, and whether it is paid and wrong."""
        paid = self._tasks.score_answer(attempt.text, self._task) > 0
        return paid, paid and not self._is_right(attempt)

    def _is_right(self, attempt: Attempt) -> bool:
        if attempt.claims is None:
            return False
        if self._forms is _ALONE:  # of calls several are right: what one does is seen where nothing stands around it
            same = attempt.claims == self._truth
            return same or self._tasks.score_answer(write_answer(attempt.claims), self._task) > 0
        claimed, truth = self._read(attempt.claims), self._read(self._truth)
        return claimed is not None and truth is not None and self._values.equal(claimed.value, truth.value)

    def _read(self, text: str) -> Value | None:
        try:
            return self._values.read(text)
        except NotALiteral:
            return None
