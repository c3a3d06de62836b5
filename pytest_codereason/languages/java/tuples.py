"""Writes Java source for ``org.javatuples``, the tuples that programs of CRUXEval-X return.

The classes have the public behaviour of the library's classes: ``with``, ``getValue0``, ``setAt0``, ``add``, equality,
order, hash and text. ``KeyValue``, ``LabelValue``, and methods that remove or insert in the middle are left out.
"""

from __future__ import annotations

from string import Template

from pytest_codereason.languages.frame.files import read_beside
from pytest_codereason.languages.java.values.data import TUPLES

_CLASS = Template("""\
package org.javatuples;

public final class $name<$types> extends Tuple {
    public $name($parameters) { super($values); }
    public static <$types> $name<$types> with($parameters) { return new $name<>($values); }
    public static int size() { return $size; }
$members}
""")
_MEMBERS = Template("""\
    @SuppressWarnings("unchecked") public $type getValue$i() { return ($type) getValue($i); }
    public <X> $name<$changed> setAt$i(X value) { return new $name<>($others); }
""")
_ADD = Template("    public <X> $next<$types, X> add(X value) { return new $next<>($got, value); }\n")


def read_sources() -> dict[str, str]:
    """The source of each class, by file name."""
    return {"Tuple.java": read_beside(__file__, "Tuple.java")} | {
        f"{name}.java": _read_source(name, size) for size, name in enumerate(TUPLES, start=1)
    }


def _read_source(name: str, size: int) -> str:
    types = "ABCDEFGHIJ"[:size]
    got = [f"getValue{i}()" for i in range(size)]

    def replaced(items: list[str], at: int, item: str) -> str:
        return ", ".join([*items[:at], item, *items[at + 1 :]])

    members = "".join(
        _MEMBERS.substitute(
            name=name, i=i, type=types[i], changed=replaced(list(types), i, "X"), others=replaced(got, i, "value")
        )
        for i in range(size)
    )
    if size < len(TUPLES):
        members += _ADD.substitute(next=TUPLES[size], types=", ".join(types), got=", ".join(got))
    return _CLASS.substitute(
        name=name,
        types=", ".join(types),
        parameters=", ".join(f"{t} value{i}" for i, t in enumerate(types)),
        values=", ".join(f"value{i}" for i in range(size)),
        size=size,
        members=members,
    )
