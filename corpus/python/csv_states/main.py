"""Reads tables with separators and quotes by a machine of functions: each state is a function."""

from collections import namedtuple

Problem = namedtuple("Problem", "line column text")

TABLE = '''\
name;born;note
Ada;1815;"wrote ""Note G"""
Émile ; 1838;  two words  
"semi;colon"; ;"line
break" "
bad"quote;1;"closed"too
# nothing here
Kurt;1906
'''


class Reader:
    """``read`` feeds characters to the present state; a state returns the next one."""

    def __init__(self, separator=";", comment="#", on_problem=None):
        self.separator, self.comment = separator, comment
        self.on_problem = on_problem or (lambda problem: None)
        self.reset()

    def reset(self):
        self.rows, self.row, self.cell = [], [], []
        self.line, self.column = 1, 0

    def read(self, text):
        self.reset()
        state = self.row_start
        for letter in text:
            self.column += 1
            state = state(letter)
            if letter == "\n":
                self.line, self.column = self.line + 1, 0
        if state == self.quoted:
            self.problem("quote is not closed")
        if state not in (self.row_start, self.in_comment):
            self.end_row(strip=state == self.unquoted)
        return self.rows

    def row_start(self, letter):
        if letter == self.comment:
            return self.in_comment
        if letter == "\n":
            return self.row_start  # empty lines are no rows
        return self.cell_start(letter)

    def cell_start(self, letter):
        if letter == '"':
            return self.quoted
        if letter == " ":
            return self.cell_start
        return self.unquoted(letter)

    def unquoted(self, letter):
        if letter == self.separator:
            return self.end_cell("".join(self.cell).rstrip(" "))
        if letter == "\n":
            return self.end_row()
        if letter == '"':
            self.problem("quote inside of a cell")
        self.cell.append(letter)
        return self.unquoted

    def quoted(self, letter):
        if letter == '"':
            return self.after_quote
        self.cell.append(letter)
        return self.quoted

    def after_quote(self, letter):
        if letter == '"':
            self.cell.append('"')
            return self.quoted
        return self.behind_quote(letter)

    def behind_quote(self, letter):
        if letter == self.separator:
            return self.end_cell("".join(self.cell))
        if letter == "\n":
            return self.end_row(strip=False)
        if letter != " ":
            self.problem(f"{letter!r} after a closed quote")
        return self.behind_quote

    def in_comment(self, letter):
        return self.row_start if letter == "\n" else self.in_comment

    def end_cell(self, text):
        self.row.append(text)
        self.cell = []
        return self.cell_start

    def end_row(self, strip=True):
        text = "".join(self.cell)
        self.end_cell(text.rstrip(" ") if strip else text)
        self.rows.append(self.row)
        self.row = []
        return self.row_start

    def problem(self, text):
        self.on_problem(Problem(self.line, self.column, text))


def records(rows, on_problem):
    """Rows as dictionaries by the names in the first row."""
    head, *body = rows
    for number, row in enumerate(body, start=2):
        if len(row) > len(head):
            on_problem(Problem(number, 0, f"{len(row) - len(head)} cells too many"))
        yield dict(zip(head, row + [""] * (len(head) - len(row))))


def write_row(cells, separator=";"):
    """A line that a reader reads as these cells."""

    def quote(cell):
        plain = cell == cell.strip(" ") and not any(mark in cell for mark in f'#"\n{separator}')
        return cell if plain else '"' + cell.replace('"', '""') + '"'

    return separator.join(map(quote, cells)) + "\n"


def guess_types(rows):
    """For each column the narrowest type that fits all cells that are not empty."""

    def is_whole(cell):
        return cell.removeprefix("-").isdecimal()

    def is_decimal(cell):
        whole, point, rest = cell.partition(".")
        return is_whole(whole) and (not point or rest.isdecimal())

    tests = [("whole", is_whole), ("decimal", is_decimal), ("text", lambda cell: True)]
    kinds = {}
    for name, *cells in zip(*rows):
        filled = [cell for cell in cells if cell]
        kinds[name] = next(kind for kind, fits in tests if all(map(fits, filled)))
    return kinds


def main():
    problems = []
    reader = Reader(on_problem=problems.append)
    rows = reader.read(TABLE)
    for record in records(rows, problems.append):
        print(record)
    for problem in problems:
        print("line {}, column {}: {}".format(*problem))
    print(guess_types([["a", "b", "c"], ["1", "2", ""], ["-3", "4.5", "x"]]))
    print(Reader(separator=",").read('1,,"2\n'), Reader().read(";"), Reader().read("\n\n#x"))


if __name__ == "__main__":
    main()
