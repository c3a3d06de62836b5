import re

from .errors import CalcError

_PATTERN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([a-z]\w*)|([-+*/%^(),]))")


def tokenize(text):
    """Yields (kind, text) for each number, name and sign, and at last an end."""
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _PATTERN.match(text, position)
        if match is None:
            raise CalcError(f"cannot read {text[position:].strip()[:1]!r}")
        number, name, sign = match.groups()
        yield ("number", number) if number else ("name", name) if name else ("sign", sign)
        position = match.end()
    yield "end", ""
