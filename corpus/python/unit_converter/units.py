"""Units of measure. Each kind has a base unit; a unit knows the way to the base and back."""


class UnitError(ValueError):
    pass


class Unit:
    def __init__(self, symbol, kind, to_base, from_base):
        self.symbol = symbol
        self.kind = kind
        self.to_base = to_base
        self.from_base = from_base

    def __repr__(self):
        return f"<{self.kind} {self.symbol}>"


UNITS = {}


def add_linear(kind, symbol, factor):
    if factor <= 0:
        raise UnitError(f"{symbol} would measure nothing")
    UNITS[symbol] = Unit(symbol, kind, lambda amount: amount * factor, lambda amount: amount / factor)


def unit(symbol, kind):
    """Decorates a class of two functions, for units that are no multiple of their base."""

    def register(functions):
        UNITS[symbol] = Unit(symbol, kind, functions.to_base, functions.from_base)
        return functions

    return register


def find(symbol):
    if symbol in UNITS:
        return UNITS[symbol]
    close = [known for known in UNITS if known.lower() == symbol.lower()]
    hint = f", did you mean {close[0]}?" if close else ""
    raise UnitError(f"unknown unit {symbol}{hint}")


for _symbol, _factor in {"mm": 0.001, "cm": 0.01, "m": 1, "km": 1000, "in": 0.0254, "ft": 0.3048}.items():
    add_linear("length", _symbol, _factor)
for _symbol, _factor in {"s": 1, "min": 60, "h": 3600, "d": 86400}.items():
    add_linear("time", _symbol, _factor)


@unit("C", "temperature")
class Celsius:
    to_base = staticmethod(lambda degrees: degrees + 273.15)
    from_base = staticmethod(lambda kelvin: kelvin - 273.15)


@unit("F", "temperature")
class Fahrenheit:
    @staticmethod
    def to_base(degrees):
        return Celsius.to_base((degrees - 32) / 1.8)

    @staticmethod
    def from_base(kelvin):
        return Celsius.from_base(kelvin) * 1.8 + 32


add_linear("temperature", "K", 1)
