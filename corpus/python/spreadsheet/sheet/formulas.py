"""Compiles the text of a formula to a function of a reader of cells."""

import re

from .errors import SheetError

TOKEN = re.compile(r"([A-Z]+)\(([A-Z])(\d+):([A-Z])(\d+)\)|([A-Z]\d+)|(\d+(?:\.\d+)?)|(?P<sign>[-+*/])")


def mean(values):
    return sum(values) / len(values)


FUNCTIONS = {"SUM": sum, "AVG": mean, "MAX": max, "COUNT": lambda values: sum(value != 0 for value in values)}


def cells_between(left, top, right, bottom):
    columns = [chr(code) for code in range(ord(left), ord(right) + 1)]
    return [f"{column}{row}" for row in range(int(top), int(bottom) + 1) for column in columns]


def combine(sign, left, right):
    def run(read):
        a, b = left(read), right(read)
        match sign:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
        if b == 0:
            raise SheetError("division by zero")
        return a / b

    return run


def operand(match):
    function, *corners, cell, number, _ = match.groups()
    if number:
        value = float(number)
        return lambda read: value
    if cell:
        return lambda read: read(cell)
    if function not in FUNCTIONS:
        raise SheetError(f"no function {function}")
    names = cells_between(*corners)
    return lambda read: FUNCTIONS[function]([read(name) for name in names])


def compile_formula(text):
    """Times and divided by bind tighter than plus and minus."""
    matches = list(TOKEN.finditer(text))
    signs_at = [place for place, match in enumerate(matches) if match["sign"]]
    if TOKEN.sub("", text).strip() or len(matches) % 2 == 0 or signs_at != list(range(1, len(matches), 2)):
        raise SheetError(f"cannot read {text}")
    terms, signs = [operand(matches[0])], []
    for sign, value in zip(matches[1::2], matches[2::2]):
        if sign[0] in "*/":
            terms[-1] = combine(sign[0], terms[-1], operand(value))
        else:
            signs.append(sign[0])
            terms.append(operand(value))
    result = terms[0]
    for sign, term in zip(signs, terms[1:]):
        result = combine(sign, result, term)
    return result
