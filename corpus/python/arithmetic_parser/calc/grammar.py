"""The grammar, one method a rule:

sum    = term (("+" | "-") term)*
term   = unary (("*" | "/" | "%") unary)*
unary  = "-" unary | power
power  = atom ("^" unary)?
atom   = number | name | name "(" sums ")" | "(" sum ")"
"""

import math

from .errors import CalcError

FUNCTIONS = {"min": min, "max": max, "abs": lambda values: abs(values[0])}  # of a list of values


class Grammar:
    def __init__(self, tokens, names):
        self.tokens = tokens
        self.names = names
        self.position = 0

    def parse(self):
        value = self.sum()
        if self.tokens[self.position][0] != "end":
            raise CalcError(f"unexpected {self.tokens[self.position][1]!r}")
        return value

    def accept(self, *signs):
        kind, text = self.tokens[self.position]
        if kind == "sign" and text in signs:
            self.position += 1
            return text
        return None

    def expect(self, sign):
        if not self.accept(sign):
            raise CalcError(f"missing {sign!r}")

    def sum(self):
        value = self.term()
        while sign := self.accept("+", "-"):
            right = self.term()
            value = value + right if sign == "+" else value - right
        return value

    def term(self):
        value = self.unary()
        while sign := self.accept("*", "/", "%"):
            right = self.unary()
            if sign == "*":
                value *= right
            elif right == 0:
                raise CalcError("division by zero")
            else:
                value = value / right if sign == "/" else value % right
        return value

    def unary(self):
        return -self.unary() if self.accept("-") else self.power()

    def power(self):
        base = self.atom()
        if not self.accept("^"):
            return base
        exponent = self.unary()
        try:
            return math.pow(base, exponent)
        except (ValueError, OverflowError):
            raise CalcError(f"no value for {base:g} ^ {exponent:g}") from None

    def atom(self):
        if self.accept("("):
            value = self.sum()
            self.expect(")")
            return value
        kind, text = self.tokens[self.position]
        self.position += 1
        if kind == "number":
            return float(text)
        if kind != "name":
            raise CalcError(f"unexpected {text!r}")
        if self.accept("("):
            return self.call(text)
        if text not in self.names:
            raise CalcError(f"no name {text!r}")
        return self.names[text]

    def call(self, name):
        values = []
        while not self.accept(")"):
            if values:
                self.expect(",")
            values.append(self.sum())
        if not values or name not in FUNCTIONS or (name == "abs" and len(values) > 1):
            raise CalcError(f"cannot call {name!r} with {len(values)} values")
        return FUNCTIONS[name](values)
