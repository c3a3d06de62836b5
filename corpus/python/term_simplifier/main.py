"""Derives and simplifies terms that are trees of frozen data classes, by structural matching."""

from __future__ import annotations

from dataclasses import dataclass


class Term:
    """Operators build trees, so that ``3 * x ** 2`` is a term if ``x`` is one."""

    def __add__(self, other):
        return Sum(self, lift(other))

    def __radd__(self, other):
        return Sum(lift(other), self)

    def __sub__(self, other):
        return Sum(self, Product(Number(-1), lift(other)))

    def __mul__(self, other):
        return Product(self, lift(other))

    def __rmul__(self, other):
        return Product(lift(other), self)

    def __pow__(self, exponent):
        return Power(self, exponent)


@dataclass(frozen=True)
class Number(Term):
    value: int


@dataclass(frozen=True)
class Name(Term):
    name: str


@dataclass(frozen=True)
class Sum(Term):
    left: Term
    right: Term


@dataclass(frozen=True)
class Product(Term):
    left: Term
    right: Term


@dataclass(frozen=True)
class Power(Term):
    base: Term
    exponent: int


def lift(value):
    return value if isinstance(value, Term) else Number(value)


def derive(term: Term, name: str) -> Term:
    match term:
        case Name(n) if n == name:
            return Number(1)
        case Number() | Name():
            return Number(0)
        case Sum(a, b):
            return derive(a, name) + derive(b, name)
        case Product(a, b):
            return derive(a, name) * b + a * derive(b, name)
        case Power(base, exponent):
            return exponent * base ** (exponent - 1) * derive(base, name)


def step(term: Term) -> Term:
    """One rule at the top of a term whose parts are simple already."""
    match term:
        case Sum(Number(a), Number(b)):
            return Number(a + b)
        case Product(Number(a), Number(b)):
            return Number(a * b)
        case Sum(a, Number(0)) | Sum(Number(0), a) | Product(a, Number(1)) | Product(Number(1), a):
            return a
        case Product(_, Number(0)) | Product(Number(0), _) | Power(_, 0):
            return Number(int(isinstance(term, Power)))
        case Power(base, 1):
            return base
        case Power(Number(a), exponent) if exponent > 0:
            return Number(a**exponent)
        case Power(Power(base, inner), outer):
            return Power(base, inner * outer)
        case Product(a, Number() as number):
            return Product(number, a)  # numbers stand first
        case Product(Number(a), Product(Number(b), rest)):
            return Product(Number(a * b), rest)
        case Product(a, Product(Number() as number, rest)):
            return Product(number, Product(a, rest))
        case Product(Product(Number() as number, rest), b):
            return Product(number, Product(rest, b))
        case Sum(Number() as number, a):
            return Sum(a, number)  # numbers stand last
        case Sum(a, b) if factor(a)[1] == factor(b)[1]:
            return Product(Number(factor(a)[0] + factor(b)[0]), factor(a)[1])
        case Product(a, b) if power(a)[0] == power(b)[0]:
            return Power(power(a)[0], power(a)[1] + power(b)[1])
    return term


def factor(term):
    """A term as a number times a rest."""
    match term:
        case Product(Number(value), rest):
            return value, rest
    return 1, term


def power(term):
    match term:
        case Power(base, exponent):
            return base, exponent
    return term, 1


def simplify(term: Term) -> Term:
    match term:
        case Sum(a, b) | Product(a, b):
            simple = type(term)(simplify(a), simplify(b))
        case Power(base, exponent):
            simple = Power(simplify(base), exponent)
        case _:
            return term
    changed = step(simple)
    return simple if changed == simple else simplify(changed)


def evaluate(term: Term, **values: int) -> int:
    match term:
        case Number(value):
            return value
        case Name(name):
            return values[name]
        case Sum(a, b):
            return evaluate(a, **values) + evaluate(b, **values)
        case Product(a, b):
            return evaluate(a, **values) * evaluate(b, **values)
        case Power(base, exponent):
            return evaluate(base, **values) ** exponent


def show(term: Term, within: int = 0) -> str:
    """Parentheses only where the term binds weaker than what is around it."""
    match term:
        case Number(value):
            return str(value) if value >= 0 or within == 0 else f"({value})"
        case Name(name):
            return name
        case Sum(a, b):
            text, strength = f"{show(a, 1)} + {show(b, 1)}", 1
        case Product(a, b):
            text, strength = f"{show(a, 2)}*{show(b, 2)}", 2
        case Power(base, exponent):
            text, strength = f"{show(base, 4)}^{exponent}", 3
    return f"({text})" if strength < within else text


if __name__ == "__main__":
    x, y = Name("x"), Name("y")
    for term in [3 * x**2 + 2 * x + 1, (x + y) * (x + y), (x**2 - 1) ** 3, x * y * x, x - x, 2 * (5 * y)]:
        slope = simplify(derive(term, "x"))
        print(f"{show(simplify(term))}  ->  {show(slope)}")
    cubic = x * x * x * 4 + y * 0
    print(show(cubic), "=", show(simplify(cubic)), "at 2:", evaluate(cubic, x=2, y=9))
    print(evaluate(simplify(derive(cubic, "x")), x=-1), simplify(cubic) == simplify(4 * x**3))
