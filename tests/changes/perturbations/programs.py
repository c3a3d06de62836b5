"""Programs in every language with places for messages."""

from __future__ import annotations

PROGRAMS = {
    "python": """\
def f(xs, s):
    \"\"\"A docstring stays first.\"\"\"
    out = []
    for x in xs:
        if x > 1:
            out.append(x)
        elif x:
            out += [x]
        else:
            continue
    while out and s:
        s = s.lower().split()
    if s: return
    g = lambda y: y.pop()
    return [x.upper() for x in s] if s else None
""",
    "javascript": """\
function f(xs, s) {
    const out = [];
    for (let i = 0; i < xs.length; i++) {
        if (xs[i] > 1) {
            out.push(xs[i]);
        } else if (xs[i]) {
            out.x += 1;
        } else continue;
    }
    do {
        s = s.toLowerCase().split();
    } while (out && s);
    if (s) return;
    const g = (y) => y.pop();
    return s.map((x) => x.toUpperCase());
}
""",
    "php": """\
<?php
function f($xs, $s) {
    $out = [];
    foreach ($xs as $x) {
        if ($x > 1) {
            array_push($out, $x);
        } elseif ($x) {
            $out[] = $x;
        } else {
            continue;
        }
    }
    while ($out && $s) {
        $s = explode(strtolower($s), '');
    }
    if ($s) return;
    $g = fn($y) => array_pop($y);
    return array_map(fn($x) => strtoupper($x), $s);
}
""",
    "java": """\
class P {
    int n = 1;
    static String f(java.util.List<String> xs, String s) {
        int i = 0, j = 1;
        for (int k = 0; k < 3; k++) {
            if (k > 1) {
                xs.add("a");
            } else if (k > 0) {
                i += 1;
            } else continue;
        }
        while (s.length() > 3) {
            s = s.toLowerCase().replace("a", "b");
        }
        if (i > 9) return "";
        java.util.function.Function<java.util.List<String>, String> g = y -> y.remove(0);
        return s.toUpperCase();
    }
}
""",
}
