"""Packs rows of picture elements: as runs, as literals, or as differences to the row above."""

from itertools import groupby, zip_longest

PICTURE = """\
............
..aaaaaaaa..
..ab....ba..
..ab....ba..
..aaaaaaaa..
xyzzyxyzzyxy
............
"""

ESCAPE = "\\"


class Damaged(ValueError):
    """A packed row that no packing could have made."""


def escape(mark):
    return ESCAPE + mark if mark.isdigit() or mark == ESCAPE else mark


def pack_runs(row, above):
    """``aaab`` becomes ``3ab``."""
    packed = []
    for mark, group in groupby(row):
        length = sum(1 for _ in group)
        packed.append((str(length) if length > 1 else "") + escape(mark))
    return "".join(packed)


def unpack_runs(text, above):
    marks = iter(text)
    row, count = "", ""
    for mark in marks:
        if mark.isdigit():
            count += mark
            continue
        if mark == ESCAPE:
            mark = next(marks, None)
            if mark is None:
                raise Damaged("an escape at the end")
        row += mark * int(count or 1)
        count = ""
    if count:
        raise Damaged(f"{count} of nothing")
    return row


def pack_literal(row, above):
    return row


def unpack_literal(text, above):
    return text


def pack_difference(row, above):
    """Marks that equal those above become blanks, which pack well as runs."""
    if above is None or len(above) != len(row) or " " in row:
        return None
    changed = "".join(" " if mark == old else mark for mark, old in zip(row, above))
    return pack_runs(changed, None)


def unpack_difference(text, above):
    changed = unpack_runs(text, None)
    if above is None or len(above) != len(changed):
        raise Damaged("no fitting row above")
    return "".join(old if mark == " " else mark for mark, old in zip(changed, above))


CODECS = {
    "=": (pack_literal, unpack_literal),
    "#": (pack_runs, unpack_runs),
    "^": (pack_difference, unpack_difference),
}


def pack(rows):
    above = None
    for row in rows:
        attempts = ((sign, packer(row, above)) for sign, (packer, _) in CODECS.items())
        usable = [sign + text for sign, text in attempts if text is not None]
        yield min(usable, key=len)
        above = row


def unpack(lines):
    above = None
    for line in lines:
        try:
            _, unpacker = CODECS[line[:1]]
        except KeyError:
            raise Damaged(f"no codec {line[:1]!r}") from None
        above = unpacker(line[1:], above)
        yield above


def first_difference(left, right):
    for number, (a, b) in enumerate(zip_longest(left, right)):
        if a != b:
            return number
    return None


def main():
    rows = PICTURE.splitlines()
    packed = list(pack(rows))
    print(*packed, sep="\n")
    sizes = sum(map(len, rows)), sum(map(len, packed))
    print("from {} to {} characters".format(*sizes))
    print("unchanged:", list(unpack(packed)) == rows)
    print(list(pack(["7777\\\\", "a  b"])), list(unpack(["#4\\72\\\\"])))
    for lines in (["#3a2"], ["^4 "], ["?abc"], ["#ab\\"]):
        try:
            print(list(unpack(lines)))
        except Damaged as error:
            print("damaged:", error)


if __name__ == "__main__":
    main()
