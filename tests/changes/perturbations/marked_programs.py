"""Programs of several files with a number in each function that no other has, and a number in each faulty line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Case(NamedTuple):
    """A program of several files, by what its markers say."""

    files: Mapping[str, str]
    call: str
    #: the numbers in the functions, and for each caller's number the numbers or names of what it calls
    edges: Mapping[int, tuple[int | str, ...]]


CASES: Mapping[str, Case] = {
    "python": Case(
        {
            "app.py": '''# Where everything begins.
import lib
from more.shapes import area


def begin(x):
    """Adds them up.

    In three steps.
    """

    def inner(y):  # a helper

        step = y + 71001
        if step > 3:
            step = step - 1
        return (
            step
        )

    # total = inner(x) + 90001
    total = inner(
        x) + lib.g(x) + 71002

    total = total + 90001
    if total > 10 and x:
        total += area(x)
    return total
''',
            "lib.py": """

def g(x, least=0):
    # g is called by begin
    result = 71003



    for i in range(3):
        if i > least:

            result = result + i * 90002
    return result + h(x)


def h(x): return abs(x) + 71004
""",
            "more/shapes.py": """# Shapes.

def area(side):
    width = side; height = side + 71005
    while width > 1000:
        width = width - 1

    return (width
        * height
        + 90003)
""",
        },
        "begin(x=2)",
        {71002: (71001, 71003, 71005), 71001: (), 71003: (71004, "range"), 71004: ("abs",), 71005: ()},
    ),
    "javascript": Case(
        {
            "app.js": """// Where everything begins.
const lib = require("./lib.js");
const { area } = require("./more/shapes.js");

/* begin adds
   them up */
function begin(x) {
    function inner(y) { let step = y + 71001; // a helper
        if (step > 3) step = step - 1;
        return step; }


    // total = total + 90001
    let total = inner(
        x) + lib.g(x) + 71002;

    total = total + 90001;
    if (total > 10 && x) {
        total += area(x);
    }
    return total;
}
""",
            "lib.js": """function h(x) { return Math.abs(x) + 71004; }

function g(x, least = 0) {
    let result = 71003;


    for (let i = 0; i < 3; i++) {
        if (i > least)
            result = result + i * 90002; // 1
    }
    return result + h(x);
}

module.exports = { g };
""",
            "more/shapes.js": """// Shapes.

exports.area = function area(side) {
    let width = side, height = side + 71005;
    while (width > 1000) { width = width - 1; }

    return (width
        * height
        + 90003);
};
""",
        },
        "begin(2)",
        {71002: (71001, 71003, 71005), 71001: (), 71003: (71004,), 71004: ("Math.abs",), 71005: ()},
    ),
    "php": Case(
        {
            "app.php": """<?php
// Where everything begins.
require_once 'lib.php';
require_once 'more/shapes.php';

/* begin adds
   them up */
function begin($x)
{
    # $total = $total + 90001;
    $total = g($x)
        + 71002;

    $total = $total + 90001; // here
    if ($total > 10 && $x) {
        $total += area($x);
    }
    return $total;
}
""",
            "lib.php": """<?php

function h($x) { return abs($x) + 71004; }

function g($x, $least = 0) {
    $result = 71003;


    for ($i = 0; $i < 3; $i++) {
        if ($i > $least)
            $result = $result + $i * 90002;
    }
    return $result + h($x);
}
""",
            "more/shapes.php": """<?php
/* Shapes. */

function area($side) {
    $width = $side; $height = $side + 71005;
    while ($width > 1000) { $width = $width - 1; }

    return ($width
        * $height
        + 90003);
}
""",
        },
        "begin(x: 2)",
        {71002: (71003, 71005), 71003: (71004,), 71004: ("abs",), 71005: ()},
    ),
    "java": Case(
        {
            "App.java": """// Where everything begins.
class App {

    /* begin adds
       them up */
    static int begin(int x) {
        // total = total + 90001;
        int total = Lib.g(x)
            + 71002;

        total = total + 90001; // here
        if (total > 10 && x > 0) {
            total += Shapes.area(x);
        }
        return total;
    }
}
""",
            "Lib.java": """class Lib {
    private static int h(int x) { return Math.abs(x) + 71004; }

    static int g(int x) {
        int result = 71003;


        for (int i = 0; i < 3; i++) {
            if (i > 1)
                result = result + i * 90002;
        }
        return result + h(x);
    }
}
""",
            "Shapes.java": """/* Shapes. */
class Shapes {

    static int area(int side) {
        int width = side; int height = side + 71005;
        while (width > 1000) { width = width - 1; }

        return (width
            * height
            + 90003);
    }
}
""",
        },
        "App.begin(2)",
        {71002: (71003, 71005), 71003: (71004,), 71004: ("Math.abs",), 71005: ()},
    ),
}
