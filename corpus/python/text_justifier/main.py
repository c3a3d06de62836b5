"""Lays out paragraphs in a column: ragged, centred, flush right or justified."""

TEXT = """The ferry leaves at dawn. Passengers with bicycles wait at the lower ramp; everybody else
boards by the covered bridge.

Incomprehensibilities are not sold on board."""


def split_paragraphs(text):
    for block in text.split("\n\n"):
        words = block.split()
        if words:
            yield words


def break_word(word, width):
    """Cuts a word that is wider than the column; all pieces but the last end in a hyphen."""
    while len(word) > width:
        yield word[: width - 1] + "-"
        word = word[width - 1 :]
    yield word


def fill_lines(words, width):
    line, used = [], 0
    for word in words:
        for piece in break_word(word, width):
            if line and used + 1 + len(piece) > width:
                yield line
                line, used = [], 0
            used += len(piece) + (1 if line else 0)
            line.append(piece)
    if line:
        yield line


def flush_left(line, width, is_last):
    return " ".join(line)


def flush_right(line, width, is_last):
    return " ".join(line).rjust(width)


def centre(line, width, is_last):
    text = " ".join(line)
    margin = (width - len(text)) // 2
    return " " * margin + text


def justify(line, width, is_last):
    """Widens the gaps so that the line fills the column; the leftmost gaps get the odd blanks."""
    if is_last or len(line) == 1:
        return flush_left(line, width, is_last)
    gaps = len(line) - 1
    blanks = width - sum(map(len, line))
    each, odd = divmod(blanks, gaps)
    parts = []
    for number, word in enumerate(line[:-1]):
        parts.append(word + " " * (each + (number < odd)))
    return "".join(parts) + line[-1]


def lay_out(text, width, place=flush_left):
    if width < 2:
        raise ValueError("a column is at least 2 wide")
    rows = []
    for words in split_paragraphs(text):
        if rows:
            rows.append("")
        lines = list(fill_lines(words, width))
        for number, line in enumerate(lines, start=1):
            rows.append(place(line, width, number == len(lines)))
    return rows


def frame(rows, width):
    edge = "+" + "-" * width + "+"
    return [edge, *(f"|{row:<{width}}|" for row in rows), edge]


if __name__ == "__main__":
    for row in frame(lay_out(TEXT, 18, justify), 18):
        print(row)
    print(lay_out("Price list of the kiosk", 12, centre))
    print(lay_out("   \n\n  two  words \n\n", 12))
