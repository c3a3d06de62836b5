"""Solves small number squares by sets of candidates, and explains how hard they were."""

from contextlib import contextmanager

BOX_WIDTH, BOX_HEIGHT = 3, 2
SIZE = BOX_WIDTH * BOX_HEIGHT
DIGITS = frozenset(range(1, SIZE + 1))
CELLS = [(row, column) for row in range(SIZE) for column in range(SIZE)]


class Contradiction(Exception):
    def __init__(self, cell, reason):
        super().__init__(f"{reason} at row {cell[0] + 1}, column {cell[1] + 1}")


def box_of(cell):
    row, column = cell
    return row // BOX_HEIGHT, column // BOX_WIDTH


def make_units():
    rows = [[(row, column) for column in range(SIZE)] for row in range(SIZE)]
    columns = [list(column) for column in zip(*rows)]
    boxes = {}
    for cell in CELLS:
        boxes.setdefault(box_of(cell), []).append(cell)
    return rows + columns + list(boxes.values())


UNITS = make_units()
PEERS = {cell: {other for unit in UNITS if cell in unit for other in unit} - {cell} for cell in CELLS}


class Board:
    def __init__(self):
        self.candidates = {cell: set(DIGITS) for cell in CELLS}
        self.trail = []  # (cell, digit) in the order of removal
        self.steps = {"alone": 0, "only place": 0, "guess": 0}

    @classmethod
    def from_text(cls, text):
        board = cls()
        marks = text.replace("/", "")
        if len(marks) != SIZE * SIZE:
            raise ValueError(f"{len(marks)} cells instead of {SIZE * SIZE}")
        for cell, mark in zip(CELLS, marks):
            if mark not in ".123456":
                raise ValueError(f"{mark!r} is no digit")
            if mark != ".":
                board.assign(cell, int(mark))
        return board

    def assign(self, cell, digit):
        if digit not in self.candidates[cell]:
            raise Contradiction(cell, f"no {digit}")
        for other in sorted(self.candidates[cell] - {digit}):
            self.eliminate(cell, other)

    def eliminate(self, cell, digit):
        """Takes a candidate away; one that is left alone goes from the peers, and so on."""
        left = self.candidates[cell]
        if digit not in left:
            return
        left.remove(digit)
        self.trail.append((cell, digit))
        if not left:
            raise Contradiction(cell, "nothing is left")
        if len(left) == 1:
            self.steps["alone"] += 1
            (last,) = left
            for peer in sorted(PEERS[cell]):
                self.eliminate(peer, last)

    def use_only_places(self):
        """Assigns digits that fit one cell of a row, column or box; whether there was any."""
        progress = False
        for unit in UNITS:
            for digit in DIGITS:
                places = [cell for cell in unit if digit in self.candidates[cell]]
                if not places:
                    raise Contradiction(unit[0], f"no place for {digit} in the unit")
                if len(places) == 1 and len(self.candidates[places[0]]) > 1:
                    self.steps["only place"] += 1
                    self.assign(places[0], digit)
                    progress = True
        return progress

    @contextmanager
    def trial(self):
        """Puts back all candidates that were removed in the block."""
        mark = len(self.trail)
        try:
            yield
        except Contradiction:
            pass
        finally:
            while len(self.trail) > mark:
                cell, digit = self.trail.pop()
                self.candidates[cell].add(digit)

    def solutions(self):
        while self.use_only_places():
            pass
        cell = self.most_certain()
        if cell is None:
            yield str(self)
            return
        for digit in sorted(self.candidates[cell]):
            self.steps["guess"] += 1
            with self.trial():
                self.assign(cell, digit)
                yield from self.solutions()

    def most_certain(self):
        open_cells = [cell for cell in CELLS if len(self.candidates[cell]) > 1]
        return min(open_cells, key=lambda cell: len(self.candidates[cell]), default=None)

    def hint(self):
        """What to look at next, for people: row and column from 1, and the digits."""
        cell = self.most_certain()
        return cell and (cell[0] + 1, cell[1] + 1, sorted(self.candidates[cell]))

    def __str__(self):
        marks = (min(left) if len(left) == 1 else "." for left in self.candidates.values())
        text = "".join(map(str, marks))
        return "/".join(text[start : start + SIZE] for start in range(0, len(text), SIZE))


def rate(text):
    try:
        board = Board.from_text(text)
        found = list(board.solutions())
    except Contradiction as error:
        return f"impossible: {error}"
    if len(found) != 1:
        return f"{len(found)} solutions"
    guesses = board.steps["guess"]
    return f"{found[0]} ({f'{guesses} guesses' if guesses else 'without a guess'})"


def main():
    easy = "..5.../16..../...6.1/....54/5.3..6/.1..4."
    hard = "4....5/....3./3...52/.5...4/64..../5.1..."
    for text in [easy, hard, easy.replace("5", ".", 1), "11" + "." * 34]:
        print(rate(text))
    board = Board.from_text(easy)
    print(board, len(board.trail), board.steps)
    print(board.use_only_places(), board, board.steps)
    try:
        Board.from_text("123")
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    main()
