"""Roman numbers that calculate, and a chisel that counts its strokes."""

import operator

VALUES = {"M": 1000, "CM": 900, "D": 500, "CD": 400, "C": 100, "XC": 90, "L": 50, "XL": 40}
VALUES |= {"X": 10, "IX": 9, "V": 5, "IV": 4, "I": 1}
STROKES = {"I": 1, "V": 2, "X": 2, "L": 2, "C": 1, "D": 2, "M": 4}


class NotRoman(ValueError):
    pass


def calculating(*names):
    """Decorates a class of numbers: the named operations give numbers of this class again."""

    def make(operation):
        def method(self, other):
            result = operation(int(self), int(other))
            return type(self)(result)

        def reflected(self, other):
            return type(self)(operation(int(other), int(self)))

        return method, reflected

    def decorate(cls):
        for name in names:
            method, reflected = make(getattr(operator, name))
            setattr(cls, f"__{name}__", method)
            setattr(cls, f"__r{name}__", reflected)
        return cls

    return decorate


@calculating("add", "sub", "mul", "floordiv", "mod")
class Roman(int):
    """1 to 3999, from a number or from its letters."""

    def __new__(cls, value):
        number = cls.read(value) if isinstance(value, str) else int(value)
        if not 1 <= number <= 3999:
            raise NotRoman(f"{number} cannot be written")
        return super().__new__(cls, number)

    @classmethod
    def read(cls, letters):
        total, rest = 0, letters.upper()
        for symbol, value in VALUES.items():
            while rest.startswith(symbol):
                total += value
                rest = rest[len(symbol) :]
        # Wrong orders and repetitions are found by writing the number again.
        if rest or not total or cls.write(total) != letters.upper():
            raise NotRoman(f"{letters!r} is no Roman number")
        return total

    @staticmethod
    def write(number):
        letters = ""
        for symbol, value in VALUES.items():
            count, number = divmod(number, value)
            letters += symbol * count
        return letters

    def __str__(self):
        return self.write(int(self))

    __repr__ = __str__

    def __format__(self, spec):
        """``~`` gives small letters; the rest is as for texts."""
        text = str(self).lower() if spec.startswith("~") else str(self)
        return format(text, spec.removeprefix("~"))

    def __iter__(self):
        return iter(str(self))

    def __getitem__(self, place):
        return str(self)[place]

    def __contains__(self, letters):
        return letters in str(self)

    def __neg__(self):
        raise NotRoman("there are no negative numbers in Rome")

    @property
    def strokes(self):
        return sum(STROKES[letter] for letter in self)


def parse_sum(text):
    """Adds and subtracts from left to right: ``X + IV - I``."""
    first, *rest = text.split()
    if len(rest) % 2:
        raise NotRoman(f"no number after {rest[-1]}")
    total = Roman(first)
    for sign, letters in zip(rest[::2], rest[1::2]):
        if sign not in ("+", "-"):
            raise NotRoman(f"no sign {sign}")
        total = total + Roman(letters) if sign == "+" else total - Roman(letters)
    return total


def outline(headings, level=0):
    """Numbers nested headings, outer ones in capitals."""
    for number, (title, inner) in enumerate(headings, start=1):
        mark = f"{Roman(number)}." if level == 0 else f"{Roman(number):~})"
        yield f"{'  ' * level}{mark} {title}"
        yield from outline(inner, level + 1)


def busiest_year(first, last):
    if last < first:
        raise ValueError(f"no years from {first} to {last}")
    years = map(Roman, range(first, last + 1))
    return max(years, key=lambda year: (year.strokes, -int(year)))


def main():
    print([Roman(number) for number in (4, 14, 90, 1949, 3999)])
    print(parse_sum("XL + II - iv"), Roman("XII") * 3, 100 // Roman("IX"), Roman(17) % 5)
    print(f"{Roman(8):>6}|{Roman(8):~<6}|{Roman(8)[0]}|{'VI' in Roman(8)}")
    year = busiest_year(1880, 1900)
    print(year, int(year), "needs", year.strokes, "strokes;", sorted([Roman("IX"), Roman("V"), Roman("C")]))
    print(*outline([("Walls", [("North", []), ("South", [])]), ("Gates", [])]), sep=" ")
    for value in ("IIII", "IXI", "", "ABC", 4000):
        try:
            print(Roman(value))
        except NotRoman as error:
            print(error)
    try:
        Roman("V") - Roman("X")
    except NotRoman as error:
        print(error)


if __name__ == "__main__":
    main()
