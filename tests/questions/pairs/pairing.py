"""Questions about pairs, with every run that they want."""

from __future__ import annotations

from pytest_codereason.core import Ask, Completion, Dose, Instance, Perturbation, Program, Verdict
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.changes import move
from pytest_codereason.core.text.edits import Replace, apply
from pytest_codereason.questions.pairs.finding import ProgramPair, find_pair
from pytest_codereason.questions.tasks.equivalence import Equivalence
from pytest_codereason.questions.templates.loading import load
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.questions import stepping
from tests.questions.stepping import take_steps

#: A program that has pairs, by its language, with its call.
PROGRAMS = {
    "python": (
        "def f(xs, n):\n    t = 0\n    for x in xs:\n        if x > n and x % 2 == 1:\n            t += x\n"
        "        if x > 90 and t > 3:\n            t = t - 7\n    return t\n",
        "f([5, 8, 2, 7, 31], 4)",
    ),
    "javascript": (
        "function f(xs, n) {\n    let t = 0;\n    for (const x of xs) {\n        if (x > n && x % 2 === 1) {\n"
        "            t += x;\n        }\n        if (x > 90 && t > 3) {\n            t = t - 7;\n        }\n    }\n"
        "    return t;\n}\n",
        "f([5, 8, 2, 7, 31], 4)",
    ),
    "typescript": (
        "function f(xs: number[], n: number): number {\n    let t = 0;\n    for (const x of xs) {\n"
        "        if (x > n && x % 2 === 1) {\n            t += x;\n        }\n        if (x > 90 && t > 3) {\n"
        "            t = t - 7;\n        }\n    }\n    return t;\n}\n",
        "f([5, 8, 2, 7, 31], 4)",
    ),
    "java": (
        "import java.util.*;\nclass Problem {\n    public static long f(ArrayList<Long> xs, long n) {\n"
        "        long t = 0;\n        for (long x : xs) {\n            if (x > n && x % 2 == 1) {\n"
        "                t += x;\n            }\n            if (x > 90 && t > 3) {\n                t = t - 7;\n"
        "            }\n        }\n        return t;\n    }\n}\n",
        "Problem.f(new ArrayList<Long>(Arrays.asList(5L, 8L, 2L, 7L, 31L)), 4L)",
    ),
    "php": (
        "<?php\nfunction f($xs, $n) {\n    $t = 0;\n    foreach ($xs as $x) {\n"
        "        if ($x > $n && $x % 2 == 1) {\n            $t += $x;\n        }\n"
        "        if ($x > 90 && $t > 3) {\n            $t = $t - 7;\n        }\n    }\n    return $t;\n}\n",
        "f([5, 8, 2, 7, 31], 4)",
    ),
}


class Breaking(Perturbation):
    """Changes what a program does: it writes 91 for 90."""

    name = "breaking"
    version = 1

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        at = program.source.index("90")
        return move(program, apply(program.source, [Replace(Span(at, at + 2), "91")]))


class Rare(Perturbation):
    """Changes what a program does for the number 7777 alone."""

    name = "rare"
    version = 1

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        end = program.source.rindex("return")
        return move(program, apply(program.source, [Replace(Span(end, end + 6), "return n == 7777 or")]))


#: Perturbations of these classes, as a suite names them.
BREAKING, RARE = f"{__name__}:Breaking", f"{__name__}:Rare"


def make_instance(
    spoken: str = "python",
    source: str = "",
    call: str = "",
    *,
    pair: str = "different",
    changes: str = "drawn",
    seed: int = 0,
) -> Instance:
    known, known_call = PROGRAMS.get(spoken, ("", ""))
    return Instance(
        id=f"{spoken}/0000",
        family="0000",
        suite="equivalence",
        program=Program.from_source(language=spoken, source=source or known, call=call or known_call),
        axes={"pair": pair, "changes": changes},
        matrix={},
        template=load("equivalence", "direct"),
        seed=seed,
    )


def find(instance: Instance, sandbox: Sandbox) -> ProgramPair:
    """The pair of a question."""
    axes = instance.axes
    equal = axes["pair"] == "equal"
    return take_steps(find_pair(instance, language(instance.language), str(axes["changes"]), equal=equal), sandbox)


def ask(instance: Instance, sandbox: Sandbox) -> Ask:
    return stepping.ask(Equivalence(), instance, sandbox)


def judge(instance: Instance, reply: str | Completion, sandbox: Sandbox) -> Verdict:
    return stepping.judge(Equivalence(), instance, sandbox, reply)[1]
