"""Programs of which twins are asked for."""

from __future__ import annotations

from pytest_codereason.core import Facts, Instance, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.questions.templates.loading import load
from pytest_codereason.sandbox import Sandbox

SOURCE, CALL = "def f(xs):\n    return [x * 2 for x in xs if x > 3]\n", "f([7, 4, 2, 9, 1])"


PROGRAMS = {
    "python": (SOURCE, CALL),
    "javascript": ("function f(xs) { return xs.filter((x) => x > 3).map((x) => x * 2); }", CALL),
    "php": (
        "<?php\nfunction f($xs) { $r = []; foreach ($xs as $x) { if ($x > 3) { $r[] = $x * 2; } } return $r; }",
        CALL,
    ),
    "java": (
        """import java.util.*;
class Main {
    static List<Integer> f(ArrayList<Integer> xs, int least) {
        List<Integer> found = new ArrayList<>();
        for (int x : xs) {
            if (x > least) {
                found.add(x * 2);
            }
        }
        return found;
    }
}
""",
        "f(new ArrayList<Integer>(List.of(7, 4, 2, 9, 1)), 3)",
    ),
}


def make_instance(
    sandbox: Sandbox, kind: str, spoken: str = "python", source: str = "", call: str = "", seed: int = 0
) -> Instance:
    source, call = source or PROGRAMS[spoken][0], call or PROGRAMS[spoken][1]
    program = Program.from_source(language=spoken, source=source, call=call)
    output = sandbox.run(Run.from_program(program)).value
    return Instance(
        id=f"{spoken}/0000",
        family="0000",
        suite="twins",
        program=program.replace_source(source, facts=Facts(output=output)),
        axes={"twin": kind},
        matrix={},
        template=load("twins", "direct"),
        seed=seed,
    )
