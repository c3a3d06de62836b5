"""Regular expressions compiled to closures, each of which hands the rest of the work to the next."""


class PatternError(ValueError):
    pass


class Pattern:
    """Matches with ``. ^ $ * + ? | ( ) [a-z] [^a-z]`` and backslashes; groups are captured."""

    def __init__(self, source):
        self.source = source
        self.place = 0
        self.groups = 0
        self.start = self._either()
        if self.place < len(source):
            raise PatternError(f"unexpected {source[self.place]} at {self.place}")

    # Each part is a function (text, at, groups, go_on) that calls go_on(place, groups) for each way to match.

    def _peek(self):
        return self.source[self.place : self.place + 1]

    def _next(self):
        if not self._peek():
            raise PatternError("unexpected end")
        self.place += 1
        return self.source[self.place - 1]

    def _either(self):
        parts = [self._sequence()]
        while self._peek() == "|":
            self._next()
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else either(parts)

    def _sequence(self):
        result = empty
        while self._peek() and self._peek() not in "|)":
            result = both(result, self._repeated())
        return result

    def _repeated(self):
        part = self._atom()
        while self._peek() and self._peek() in "*+?":
            sign = self._next()
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
            part = repeat(part, least, most)
        return part

    def _atom(self):
        match self._next():
            case "(":
                self.groups += 1
                number = self.groups
                inner = self._either()
                if self._next() != ")":
                    raise PatternError("missing )")
                return capture(number, inner)
            case "[":
                return self._set()
            case ".":
                return one(lambda letter: letter != "\n")
            case "^":
                return only_at(lambda text, at: at == 0)
            case "$":
                return only_at(lambda text, at: at == len(text))
            case "\\":
                letter = self._next()
                return one(str.isdigit) if letter == "d" else one(letter.__eq__)
            case "*" | "+" | "?" as sign:
                raise PatternError(f"nothing to repeat before {sign}")
            case letter:
                return one(letter.__eq__)

    def _set(self):
        negated = self._peek() == "^" and bool(self._next())
        ranges = []
        while (low := self._next()) != "]":
            high = low
            if self._peek() == "-" and self.source[self.place + 1 : self.place + 2] != "]":
                self._next()
                high = self._next()
            ranges.append((low, high))
        return one(lambda letter: any(low <= letter <= high for low, high in ranges) != negated)

    def match(self, text, at=0):
        """The end and the groups of the first way to match at a place, or None."""
        return self.start(text, at, {}, lambda end, groups: (end, groups))

    def search(self, text):
        for at in range(len(text) + 1):
            found = self.match(text, at)
            if found:
                end, groups = found
                return text[at:end], [groups.get(number) for number in range(1, self.groups + 1)]
        return None

    def replace(self, text, new):
        result, at = "", 0
        while at <= len(text):
            found = self.match(text, at)
            if found and found[0] > at:
                result += new
                at = found[0]
            else:
                result += text[at : at + 1]
                at += 1
        return result


def empty(text, at, groups, go_on):
    return go_on(at, groups)


def one(test):
    def run(text, at, groups, go_on):
        return go_on(at + 1, groups) if at < len(text) and test(text[at]) else None

    return run


def only_at(test):
    return lambda text, at, groups, go_on: go_on(at, groups) if test(text, at) else None


def both(first, second):
    def run(text, at, groups, go_on):
        return first(text, at, groups, lambda end, inner: second(text, end, inner, go_on))

    return run


def either(parts):
    def run(text, at, groups, go_on):
        attempts = (part(text, at, groups, go_on) for part in parts)
        return next((found for found in attempts if found is not None), None)

    return run


def repeat(part, least, most):
    def run(text, at, groups, go_on, count=0):
        def again(end, inner):
            # A round that consumes nothing would go on for ever.
            if end > at:
                return run(text, end, inner, go_on, count + 1)
            return go_on(end, inner) if count < least else None

        found = part(text, at, groups, again) if most is None or count < most else None
        if found is None and count >= least:
            return go_on(at, groups)
        return found

    return run


def capture(number, inner):
    def run(text, at, groups, go_on):
        return inner(text, at, groups, lambda end, found: go_on(end, {**found, number: text[at:end]}))

    return run


if __name__ == "__main__":
    print(Pattern(r"(\d+)-(\d+)?").search("call 555-12 now"))
    print(Pattern("^(a|ab)(c|bcd)$").search("abcd"))
    print(Pattern("[^ a-m]+").search("hello world"), Pattern("x*").search("aaa"))
    print(Pattern("<.*>").search("a <b> c <d>"), Pattern("(ab?)+c").search("xababbac"))
    for source in ["a(b", "a)", "*a", "[a-"]:
        try:
            Pattern(source)
        except PatternError as error:
            print(f"{source}: {error}")
