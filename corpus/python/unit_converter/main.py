import re

import units
from units import UnitError, find

REQUEST = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(\S+)\s+in\s+(\S+)\s*")


def convert(amount, source, target):
    if source.kind != target.kind:
        raise UnitError(f"{source.symbol} is a {source.kind}, {target.symbol} a {target.kind}")
    if source is target:
        return amount
    base = source.to_base(amount)
    if base < 0 and source.kind == "temperature":
        raise UnitError(f"nothing is as cold as {amount:g} {source.symbol}")
    return target.from_base(base)


def answer(request):
    match = REQUEST.fullmatch(request)
    if not match:
        return "ask like this: 3 km in m"
    amount, source, target = match.groups()
    try:
        result = convert(float(amount), find(source), find(target))
    except UnitError as error:
        return f"sorry, {error}"
    return f"{amount} {source} = {result:.6g} {target}"


def split_mixed(seconds):
    """The largest units first: 93784 is 1 d 2 h 3 min 4 s. Units of which there are none are left out."""
    times = [each for each in units.UNITS.values() if each.kind == "time"]
    parts = []
    for each in sorted(times, key=lambda each: each.to_base(1), reverse=True):
        count, seconds = divmod(seconds, each.to_base(1))
        if count:
            parts.append(f"{count} {each.symbol}")
    return " ".join(parts) or "0 s"


def main():
    for request in [
        "3 km in ft",
        "100 C in F",
        "-40 F in C",
        "2.5 cm in cm",
        "1 d in min",
        "90 min in cm",
        "300 k in C",
        "five metres",
    ]:
        print(answer(request))
    print(split_mixed(93784), "|", split_mixed(7200), "|", split_mixed(0))


if __name__ == "__main__":
    main()
