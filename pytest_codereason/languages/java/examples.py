"""Worked examples in Java, by name: see ``programs/sources/_examples.py``."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core.language.dialects import WorkedExample

WORKED_EXAMPLES: Mapping[str, WorkedExample] = {
    "long-words": WorkedExample(
        """\
import java.util.*;

class Problem {
    public static List<String> f(List<String> words, int least) {
        List<String> kept = new ArrayList<>();
        for (String word : words) {
            if (word.length() >= least) {
                kept.add(word.toUpperCase());
            }
        }
        return kept;
    }
}
""",
        "Problem.f",
        'List.of("oak", "birch", "maple"), 5',
    ),
    "digit-sum": WorkedExample(
        """\
class Problem {
    public static int f(int number) {
        int total = 0;
        while (number > 0) {
            total += number % 10;
            number /= 100;
        }
        return total;
    }
}
""",
        "Problem.f",
        "40917",
    ),
}
