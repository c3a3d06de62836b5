"""Worked examples in PHP, by name: see ``programs/sources/_examples.py``."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core.language.dialects import WorkedExample

WORKED_EXAMPLES: Mapping[str, WorkedExample] = {
    "long-words": WorkedExample(
        """\
<?php
function f($words, $least) {
    $kept = [];
    foreach ($words as $word) {
        if (strlen($word) >= $least) {
            $kept[] = strtoupper($word);
        }
    }
    return $kept;
}
""",
        "f",
        "['oak', 'birch', 'maple'], 5",
    ),
    "digit-sum": WorkedExample(
        """\
<?php
function f($number) {
    $total = 0;
    while ($number > 0) {
        $total += $number % 10;
        $number = intdiv($number, 100);
    }
    return $total;
}
""",
        "f",
        "40917",
    ),
}
