"""Programs in Java, and how their names are changed."""

from __future__ import annotations

from pytest_codereason.core.language.structure import Code, Span
from tests.languages.renaming import list_renamed_uses


def rename_all(code: Code, name: str = "zz") -> str:
    """The source with every safe binding renamed, each to a name of its own."""
    safe = [binding for binding in code.bindings if not binding.unsafe]
    changes = [change for i, binding in enumerate(safe) for change in list_renamed_uses(binding, f"{name}{i}")]
    return replaced(code.source, changes)


def replaced(text: str, changes: list[tuple[Span, str]]) -> str:
    for span, words in sorted(changes, reverse=True):
        text = text[: span.start] + words + text[span.end :]
    return text


FLOW = """
import java.util.*;

class A {
    final int k;
    A() { this(1); }
    A(int k) { super(); this.k = k; }
    static final boolean ALWAYS = true;

    int all(List<Integer> xs, int n) throws Exception {
        while (true) { if (n > 3) { break; } n++; }
        for (;;) { n--; if (n < 0) break; }
        do { n += 2; } while (n < 3);
        for (int x : xs) { if (x > 1) { continue; } else { n += x; } }
        switch (n) { case 1: case 2: n = 3; break; case 4: return 5; default: n = 6; }
        switch (n) { case 1 -> n = 2; case 2 -> { n = 4; } default -> throw new Exception(); }
        out: { if (n > 1) break out; n = 4; }
        try { n = xs.get(0); } catch (IndexOutOfBoundsException e) { n = 0; } finally { n++; }
        try { throw new Exception(); } catch (RuntimeException e) { throw e; } catch (Exception e) { }
        synchronized (this) { n++; }
        if (n > 9) return 1; else n++;
        Runnable r = () -> { };
        Comparator<Integer> c = (a, b) -> { return a - b; };
        Object o = new Object() { int z; { z = 1; } public String toString() { return "" + z; } };
        int y = switch (n) { case 1: yield 2; default: { yield 3; } };
        if (n > 1) { return 1; } else { throw new Exception(); }
    }
    int forever() { while (ALWAYS) { } }
    int never() { for (;;) { } }
    int stuck() { synchronized (this) { while (1 < 2) { } } }
    enum E { X, Y { int q() { return 1; } }; int q() { return 0; } }
    interface I { default int i() { return 1; } }
    record R(int a) { R { if (a < 0) { throw new RuntimeException(); } } }
}
"""
