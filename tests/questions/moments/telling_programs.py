"""Programs that have a moment of each kind, by language. As they are called, they raise an exception at their end."""

from __future__ import annotations

SOURCE = """def f(xs, stop):
    best, run, seen = 0, 0, []
    kept = seen
    copy = list(seen)
    for x in xs:
        if x > 3:
            run = run * 2 + x
        elif x == 2:
            run = run - 1
        else:
            run = 0
        best = max(best, run)
        seen.append(best)
        copy.append(best)
    if len(seen) < 2:
        raise ValueError(seen)
    last = seen[stop]
    return last // best
def g(xs, stop):
    return f(xs, stop)
"""
CALL = "g([40, 90, 2, 50, 60, 1, 2, 70, 80, 2, 90, 0, 50], 99)"

IN_JAVASCRIPT = """function f(xs, stop) {
    let best = 0;
    let run = 0;
    const seen = [];
    const kept = seen;
    const copy = [...seen];
    for (const x of xs) {
        if (x > 3) {
            run = run * 2 + x;
        } else if (x === 2) {
            run = run - 1;
        } else {
            run = 0;
        }
        best = Math.max(best, run);
        seen.push(best);
        copy.push(best);
    }
    if (seen.length < 2) {
        throw new RangeError("short");
    }
    if (best < 0) {
        throw new RangeError("below");
    }
    const last = seen[stop].toFixed(1);
    return last;
}
function g(xs, stop) {
    return f(xs, stop);
}
"""

IN_TYPESCRIPT = (
    IN_JAVASCRIPT.replace("(xs, stop) {", "(xs: number[], stop: number): string {")
    .replace("const seen = []", "const seen: number[] = []")
    .replace("if (best < 0) {", "if (best < xs.length && best < -1 && stop > -1) {")
)

#: ``alias`` asks about lists, not about arrays.
IN_JAVA = """import java.util.*;
class Main {
  static int f(int[] xs, int stop) {
    int best = 0;
    int run = 0;
    List<Integer> seen = new ArrayList<>();
    List<Integer> kept = seen;
    List<Integer> copy = new ArrayList<>(seen);
    for (int x : xs) {
      if (x > 3) {
        run = run * 2 + x;
      } else if (x == 2) {
        run = run - 1;
      } else {
        run = 0;
      }
      best = Math.max(best, run);
      seen.add(best);
      copy.add(best);
    }
    if (seen.size() < 2) {
      throw new IllegalStateException();
    }
    int[] ends = new int[1];
    int last = ends[stop];
    return last / best;
  }
  static int g(int[] xs, int stop) {
    return f(xs, stop);
  }
}
"""
JAVA_CALL = "g(new int[] {40, 90, 2, 50, 60, 1, 2, 70, 80, 2, 90, 0, 50}, 99)"

#: References alone make two lists one.
IN_PHP = """<?php
function f($xs, $stop) {
    $best = 0;
    $run = 0;
    $seen = [];
    $kept = &$seen;
    $copy = [];
    foreach ($xs as $x) {
        if ($x > 3) {
            $run = $run * 2 + $x;
        } elseif ($x === 2) {
            $run = $run - 1;
        } else {
            $run = 0;
        }
        $best = max($best, $run);
        $seen[] = $best;
        $copy[] = $best;
    }
    if (count($seen) < 2) {
        throw new ValueError('short');
    }
    $last = $seen[0] % $stop;
    return $last % $best;
}
function g($xs, $stop) {
    return f($xs, $stop);
}
"""
PHP_CALL = "g([40, 90, 2, 50, 60, 1, 2, 70, 80, 2, 90, 0, 50], 0)"

#: Programs whose calls can be made to reach and to repeat a line, and to avoid one.
BRACKETS = """def pair(text):
    depth, deepest = 0, 0
    for sign in text:
        if sign == "[":
            depth = depth + 1
        elif depth == 0:
            return -1
        else:
            deepest = max(deepest, depth)
            depth = depth - 1
    return deepest
"""
PAIR_IN_JAVA = """class Main {
    static int pair(String text) {
        int depth = 0, deepest = 0;
        for (char sign : text.toCharArray()) {
            if (sign == '[') {
                depth = depth + 1;
            } else if (depth == 0) {
                return -1;
            } else {
                deepest = Math.max(deepest, depth);
                depth = depth - 1;
            }
        }
        return deepest;
    }
}
"""
FEE = """def fee(days):
    cost = days * 3
    if (days + 5) % 12:
        cost = cost + 4
    return cost
"""

#: A method that takes no ``List.of(30L)``: every call that is tried has to keep the class of its list.
FEE_IN_JAVA = """import java.util.*;
class Main {
    static long fee(ArrayList<Long> days) {
        long cost = 0;
        for (long day : days) {
            cost = cost + 3;
            if (day % 5 != 0) {
                cost = cost + 4;
            }
        }
        return cost;
    }
}
"""
FEE_CALL = "fee(new ArrayList<Long>(Arrays.asList((long)31l, (long)30l)))"
