"""Masses of molecules from formulas such as ``Ca(OH)2`` or ``CuSO4.5H2O``."""

import math
import re
from collections import Counter

# Thousandths of an atomic mass unit, so that sums are exact.
MASSES = {"H": 1008, "C": 12011, "N": 14007, "O": 15999, "Na": 22990, "S": 32060, "Ca": 40078}
MASSES["Cu"] = 63546

PIECE = re.compile(r"([A-Z][a-z]?)(\d*)|(\()|\)(\d*)|(\.)(\d*)")


class FormulaError(ValueError):
    """Points to the place at which a formula cannot be read."""

    def __init__(self, formula, place, reason):
        super().__init__(f"{formula}: {reason} at {place + 1}")


def number(digits):
    if not digits:
        return 1
    if digits.startswith("0"):
        raise ValueError(f"no formula has the number {digits}")
    return int(digits)


def count_atoms(formula):
    """Counts without recursion: a stack holds the atoms of the parentheses that are still open."""
    parts = Counter()
    factor = 1
    stack = [Counter()]

    def finish_part(place):
        if len(stack) > 1:
            raise FormulaError(formula, place, "missing )")
        add_times(parts, stack.pop(), factor)
        stack.append(Counter())

    if not formula:
        raise FormulaError(formula, 0, "nothing to read")
    place = 0
    while place < len(formula):
        match = PIECE.match(formula, place)
        if match is None:
            raise FormulaError(formula, place, f"unexpected {formula[place]!r}")
        symbol, times, opening, group_times, dot, part_factor = match.groups()
        if symbol:
            if symbol not in MASSES:
                raise FormulaError(formula, place, f"no element {symbol}")
            stack[-1][symbol] += number(times)
        elif opening:
            stack.append(Counter())
        elif dot:
            finish_part(place)
            factor = number(part_factor)
        else:
            if len(stack) == 1:
                raise FormulaError(formula, place, "missing (")
            group = stack.pop()
            add_times(stack[-1], group, number(group_times))
        place = match.end()
    finish_part(place)
    return parts


def add_times(total, atoms, times):
    for symbol, count in atoms.items():
        total[symbol] += count * times


def mass(formula):
    return sum(MASSES[symbol] * count for symbol, count in count_atoms(formula).items())


def hill_order(atoms):
    """Carbon first, hydrogen second, then by name; without carbon all by name."""
    first = ["C", "H"] if "C" in atoms else []
    return [symbol for symbol in first if symbol in atoms] + sorted(set(atoms) - set(first))


def normal_form(formula):
    return write(count_atoms(formula))


def simplest_form(formula):
    """The same elements in the smallest whole proportion: C6H12O6 is CH2O."""
    atoms = count_atoms(formula)
    divisor = math.gcd(*atoms.values())
    return write({symbol: count // divisor for symbol, count in atoms.items()})


def write(atoms):
    return "".join(symbol + (str(atoms[symbol]) if atoms[symbol] > 1 else "") for symbol in hill_order(atoms))


def shares(formula):
    """Percent of the mass for each element, largest first."""
    whole = mass(formula)
    parts = {symbol: MASSES[symbol] * count for symbol, count in count_atoms(formula).items()}
    for symbol in sorted(parts, key=lambda symbol: (-parts[symbol], symbol)):
        yield symbol, round(100 * parts[symbol] / whole, 1)


def is_balanced(left, right):
    """Whether both sides of a reaction, as lists of (factor, formula), hold the same atoms."""

    def total(side):
        atoms = Counter()
        for factor, formula in side:
            add_times(atoms, count_atoms(formula), factor)
        return atoms

    return total(left) == total(right)


def main():
    formulas = ["H2O", "C2H5OH", "Ca(OH)2", "CuSO4.5H2O", "(NH4)2SO4", "Ca((NO3)2", "NaXe", "C6h12", "OH)2"]
    for formula in formulas:
        try:
            print(f"{formula} = {normal_form(formula)}: {mass(formula) / 1000:.3f}")
        except FormulaError as error:
            print("error:", error)
    print(dict(shares("CuSO4.5H2O")))
    print("balanced:", is_balanced([(2, "H2"), (1, "O2")], [(2, "H2O")]))


if __name__ == "__main__":
    main()
