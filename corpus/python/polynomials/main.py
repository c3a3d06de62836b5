"""Polynomials in one variable, with whole or fractional coefficients."""

from fractions import Fraction
from itertools import zip_longest


class Polynomial:
    """Coefficients stand in ascending order: ``Polynomial(1, 0, 2)`` is 2x^2 + 1."""

    def __init__(self, *coefficients):
        trimmed = list(coefficients)
        while trimmed and trimmed[-1] == 0:
            trimmed.pop()
        self.coefficients = tuple(trimmed)

    @classmethod
    def from_roots(cls, *roots):
        product = cls(1)
        for root in roots:
            product *= cls(-root, 1)
        return product

    @property
    def degree(self):
        return len(self.coefficients) - 1

    def __iter__(self):
        return iter(self.coefficients)

    def __bool__(self):
        return bool(self.coefficients)

    def __call__(self, x):
        value = 0
        for coefficient in reversed(self.coefficients):
            value = value * x + coefficient
        return value

    def __eq__(self, other):
        return self.coefficients == _lift(other).coefficients

    def __add__(self, other):
        pairs = zip_longest(self, _lift(other), fillvalue=0)
        return Polynomial(*(a + b for a, b in pairs))

    __radd__ = __add__

    def __neg__(self):
        return Polynomial(*(-coefficient for coefficient in self))

    def __sub__(self, other):
        return self + -_lift(other)

    def __mul__(self, other):
        other = _lift(other)
        result = [0] * max(0, self.degree + other.degree + 1)
        for i, a in enumerate(self):
            for j, b in enumerate(other):
                result[i + j] += a * b
        return Polynomial(*result)

    def __divmod__(self, divisor):
        if not divisor:
            raise ZeroDivisionError("division by the zero polynomial")
        quotient, rest = Polynomial(), self
        while rest.degree >= divisor.degree:
            factor = Fraction(rest.coefficients[-1], divisor.coefficients[-1])
            term = Polynomial(*[0] * (rest.degree - divisor.degree), factor)
            quotient, rest = quotient + term, rest - term * divisor
        return quotient, rest

    def __mod__(self, divisor):
        return divmod(self, divisor)[1]

    def derivative(self):
        return Polynomial(*(power * c for power, c in enumerate(self) if power))

    def integral(self, constant=0):
        return Polynomial(constant, *(Fraction(c, power) for power, c in enumerate(self, start=1)))

    def monic(self):
        return Polynomial(*(Fraction(c, self.coefficients[-1]) for c in self))

    def compose(self, inner):
        result = Polynomial()
        for coefficient in reversed(self.coefficients):
            result = result * inner + coefficient
        return result

    def __str__(self):
        if not self:
            return "0"
        text = " ".join(_term(c, power) for power, c in reversed(list(enumerate(self))) if c)
        return text[2:] if text.startswith("+") else "-" + text[2:]


def _lift(value):
    return value if isinstance(value, Polynomial) else Polynomial(value)


def _term(coefficient, power):
    sign = "-" if coefficient < 0 else "+"
    size = abs(coefficient)
    variable = "" if power == 0 else "x" if power == 1 else f"x^{power}"
    return f"{sign} {'' if size == 1 and variable else size}{variable}"


def common_divisor(a, b):
    while b:
        a, b = b, a % b
    return a.monic()


def rational_roots(polynomial):
    """All whole and fractional roots of a polynomial with whole coefficients, in ascending order."""
    lowest = next(c for c in polynomial if c)
    leading = polynomial.coefficients[-1]
    candidates = {Fraction(p, q) for p in divisors(lowest) for q in divisors(leading)}
    candidates |= {-candidate for candidate in candidates} | {Fraction(0)}
    return sorted(root for root in candidates if polynomial(root) == 0)


def divisors(number):
    return [divisor for divisor in range(1, abs(number) + 1) if number % divisor == 0]


def main():
    p = Polynomial(-6, 11, -6, 1)
    q = Polynomial.from_roots(2, 3, -1)
    print("p =", p)
    print("q =", q)
    print("p + q =", p + q, "| p - p =", p - p)
    print("p(4) =", p(4), "| p' =", p.derivative())
    quotient, rest = divmod(Polynomial(5, 0, 0, 2), Polynomial(1, 2))
    print("quotient", quotient, "rest", rest)
    print("common divisor:", common_divisor(p, q))
    print("roots:", *rational_roots(Polynomial(0, -3, -1, 2)))
    print("composed:", Polynomial(1, -1, -1).compose(Polynomial(0, 0, 1)))
    print(p == Polynomial.from_roots(1, 2, 3), 3 + Polynomial(0, 1) == Polynomial(3, 1))


if __name__ == "__main__":
    main()
