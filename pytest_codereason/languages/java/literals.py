"""Writes values of common types of Java, as a person might in a small program."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_codereason.languages.frame.parameter_kinds import guess_kind

_WHOLE = {"number": ("3", "5", "12"), "start": ("1", "0", "2"), "end": ("3", "2", "9")}
_TEXT = ('"one two three"', '"Hello, World 42"', '"a,b;c"')
_SUFFIXED = {
    "long": "{}L",
    "Long": "{}L",
    "short": "(short) {}",
    "Short": "(short) {}",
    "byte": "(byte) {}",
    "Byte": "(byte) {}",
}
_LIST = 'List.of("pear", "fig", "plum")'
_VALUES: dict[str, Sequence[str]] = {
    "boolean": ("true", "false"),
    "Boolean": ("true", "false"),
    "char": ("'e'", "','", "'7'"),
    "Character": ("'e'", "'7'"),
    "double": ("2.5", "0.5", "10.0"),
    "Double": ("2.5", "0.5"),
    "float": ("2.5f", "0.5f"),
    "Float": ("2.5f",),
    "Number": ("7", "2.5"),
    "Object": ('"fig"', "7"),
    "T": ('"fig"',),
    "E": ('"fig"',),
    "K": ('"a"',),
    "V": ("3",),
    "Comparable": ('"fig"',),
    "StringBuilder": ('new StringBuilder("plum pie")',),
    "StringBuffer": ('new StringBuffer("plum pie")',),
    "List": (f"new ArrayList<>({_LIST})",),
    "ArrayList": (f"new ArrayList<>({_LIST})",),
    "Collection": (_LIST,),
    "Iterable": (_LIST,),
    "Iterator": (f"{_LIST}.iterator()",),
    "Enumeration": (f"Collections.enumeration({_LIST})",),
    "Set": (f"new TreeSet<>({_LIST})",),
    "SortedSet": (f"new TreeSet<>({_LIST})",),
    "Map": ('new TreeMap<>(Map.of("a", 1, "b", 2))',),
    "SortedMap": ('new TreeMap<>(Map.of("a", 1, "b", 2))',),
    "Properties": ("new Properties()",),
    "Comparator": ("Comparator.naturalOrder()",),
    "Locale": ("Locale.ROOT",),
    "Charset": ("java.nio.charset.StandardCharsets.UTF_8",),
    "BigInteger": ("java.math.BigInteger.TEN", 'new java.math.BigInteger("123456789012345678901")'),
    "BigDecimal": ('new java.math.BigDecimal("12.50")',),
    "Reader": ('new java.io.StringReader("one two\\nthree")',),
    "InputStream": ('new java.io.ByteArrayInputStream("one two".getBytes())',),
    "OutputStream": ("new java.io.ByteArrayOutputStream()",),
    "Writer": ("new java.io.StringWriter()",),
    "PrintStream": ("System.out",),
    "PrintWriter": ("new java.io.PrintWriter(System.out, true)",),
    "Random": ("new Random(7)",),
    "Date": ("new Date(0L)",),
    "TimeUnit": ("java.util.concurrent.TimeUnit.SECONDS",),
    "Class": ("String.class",),
    "BitSet": ("BitSet.valueOf(new long[] {37})",),
    "UUID": ("new UUID(1L, 2L)",),
    "URI": ('java.net.URI.create("http://example.org/a?b=c")',),
    "Optional": ('Optional.of("fig")',),
    "Duration": ("java.time.Duration.ofMinutes(90)",),
    "Instant": ("java.time.Instant.ofEpochSecond(86400)",),
    "LocalDate": ("java.time.LocalDate.of(2024, 2, 29)",),
    "Pattern": ('java.util.regex.Pattern.compile("[a-z]+")',),
    "Runnable": ("() -> System.out.println(7)",),
    "Supplier": ('() -> "fig"',),
    "Callable": ('() -> "fig"',),
    "IntSupplier": ("() -> 7",),
    "Consumer": ("x -> System.out.println(x)",),
    "IntConsumer": ("x -> System.out.println(x)",),
    "Function": ("x -> x",),
    "UnaryOperator": ("x -> x",),
    "IntUnaryOperator": ("x -> x + 1",),
    "IntFunction": ("x -> x",),
    "ToIntFunction": ("x -> 7",),
    "IntPredicate": ("x -> x > 1",),
    "Predicate": ("x -> x != null",),
    "BiFunction": ("(x, y) -> x",),
    "BinaryOperator": ("(x, y) -> x",),
    "IntBinaryOperator": ("(x, y) -> x + y",),
    "BiConsumer": ("(x, y) -> System.out.println(x)",),
    "BiPredicate": ("(x, y) -> x.equals(y)",),
    "byte[]": ('"pear plum".getBytes()', "new byte[] {1, 2, 3, 4}"),
    "char[]": ('"plum".toCharArray()',),
    "boolean[]": ("new boolean[] {true, false, true}",),
    "int[][]": ("new int[][] {{1, 2}, {3, 4}}",),
    "double[][]": ("new double[][] {{1, 2}, {3, 4}}",),
}
_WHOLE_NUMBERS = ("int", "long", "short", "float", "double")


def write_values(type_: str, name: str) -> Sequence[str]:
    """Expressions of a type, for a parameter of a name; none if the type is not known."""
    arguments = re.search(r"<(.*)>", type_)
    plain = re.sub(r"<.*>", "", type_).replace(" ", "").rpartition(".")[2]
    if plain in ("int", "Integer", *_SUFFIXED):
        numbers = _WHOLE.get(guess_kind(name), _WHOLE["number"])
        return tuple(_SUFFIXED.get(plain, "{}").format(number) for number in numbers)
    if plain in ("String", "CharSequence"):
        return _TEXT if guess_kind(name) != "path" else ('"notes/plan.txt"',)
    if plain in _VALUES:
        values = _VALUES[plain]
        if arguments and re.match(r"(\? (super|extends) )?(Integer|Number)$", arguments[1]):
            return tuple(value.replace('"pear", "fig", "plum"', "3, 1, 2") for value in values)
        return values
    if plain.endswith("[]") and plain[:-2] in _WHOLE_NUMBERS:
        return (f"new {plain} {{3, 1, 2, 3}}", f"new {plain} {{9}}")
    if plain in ("Integer[]", "Number[]"):
        return (f"new {plain} {{3, 1, 2, 3}}",)
    if plain in ("String[]", "Object[]", "T[]", "E[]", "K[]", "CharSequence[]", "Comparable[]"):
        return ('new String[] {"pear", "fig", "plum"}',)
    return ()
