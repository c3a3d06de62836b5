"""Writes values as JSON, by type: new types are added by registering a function."""

from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from enum import Enum
from fractions import Fraction
from functools import partial, singledispatch

ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


class NotWritable(TypeError):
    def __init__(self, value, path=()):
        self.value = value
        self.path = path
        super().__init__(f"{type(value).__name__} at {'.'.join(map(str, path)) or 'the top'}")

    def within(self, key):
        return NotWritable(self.value, (key, *self.path))


@singledispatch
def simplify(value):
    """A value of lists, dictionaries, texts, numbers, booleans and None that stands for another one."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    raise NotWritable(value)


@simplify.register(type(None))
@simplify.register(bool)
@simplify.register(int)
@simplify.register(str)
@simplify.register(dict)
@simplify.register(list)
def as_it_is(value):
    return value


@simplify.register
def from_float(value: float):
    if value != value or value in (float("inf"), float("-inf")):
        return None
    return int(value) if value == int(value) else value


@simplify.register(set)
@simplify.register(frozenset)
def from_set(values):
    return sorted(values)


@simplify.register
def from_date(value: date):
    return value.isoformat()


@simplify.register
def from_enum(value: Enum):
    return value.name.lower()


@simplify.register
def from_fraction(value: Fraction):
    return f"{value.numerator}/{value.denominator}"


simplify.register(tuple, list)
simplify.register(complex, lambda value: {"re": value.real, "im": value.imag})


def write(value, indent=0, level=0):
    simple = simplify(value)
    while simple is not value:
        value, simple = simple, simplify(simple)
    match simple:
        case None:
            return "null"
        case True:
            return "true"
        case False:
            return "false"
        case str(text):
            return quote(text)
        case dict(pairs):
            items = (f"{quote(str(key))}: {write_part(pairs[key], key, indent, level)}" for key in pairs)
            return enclose("{", list(items), "}", indent, level)
        case list(values):
            items = [write_part(item, number, indent, level) for number, item in enumerate(values)]
            return enclose("[", items, "]", indent, level)
        case number:
            return repr(number)


def write_part(value, key, indent, level):
    try:
        return write(value, indent, level + 1)
    except NotWritable as error:
        raise error.within(key) from None


def enclose(left, items, right, indent, level):
    """On one line if nothing is inside, if no indent is wanted, or if the line is short."""
    line = left + ", ".join(items) + right
    if not items or not indent or len(line) + indent * level <= 40:
        return line
    margin = "\n" + " " * indent * (level + 1)
    return left + margin + f",{margin}".join(items) + "\n" + " " * indent * level + right


def quote(text):
    def escape(letter):
        if letter in ESCAPES:
            return ESCAPES[letter]
        return f"\\u{ord(letter):04x}" if letter < " " else letter

    return '"' + "".join(map(escape, text)) + '"'


pretty = partial(write, indent=2)


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass
class Ship:
    name: str
    built: date
    colours: set
    crew: tuple = ()


if __name__ == "__main__":
    cook = {"rank": Colour.BLUE, "share": Fraction(2, 6)}
    ship = Ship('Die "Möwe"', date(1911, 5, 2), {3, 1, 2}, ("Ada\t", None, cook))
    print(write(ship))
    print(pretty({"ships": [ship], "empty": [], 1: True}))
    print(write([1.0, 2.5, float("nan"), -7, "\x01"]))
    for wrong in (object, {"a": [1, {"b": {5}}, b"raw"]}):
        try:
            print(write(wrong))
        except NotWritable as error:
            print("not writable:", error)
