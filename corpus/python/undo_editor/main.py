"""A line editor whose every change is a pair of closures: one does it, one takes it back."""

SESSION = [
    ("type", "the quick fox"),
    ("move", 4),
    ("type", "very "),
    ("erase", 2),
    ("erase", 99),
    ("undo",),
    ("undo",),
    ("redo",),
    ("select", 0, 3),
    ("upper",),
    ("mark",),
    ("type", "xyz"),
    ("move", 0),
    ("type", "> "),
    ("rollback",),
    ("undo",),
    ("redo",),
    ("redo",),
]


def make_history():
    """Four functions that share two stacks."""
    done, undone = [], []

    def perform(do, take_back):
        do()
        done.append((do, take_back))
        undone.clear()

    def undo():
        if not done:
            return False
        change = done.pop()
        change[1]()
        undone.append(change)
        return True

    def redo():
        if not undone:
            return False
        change = undone.pop()
        change[0]()
        done.append(change)
        return True

    def depth():
        return len(done)

    return perform, undo, redo, depth


class Editor:
    def __init__(self):
        self.text = ""
        self.cursor = 0
        self.selected = (0, 0)
        self.marks = []
        self.perform, self.undo, self.redo, self.depth = make_history()

    def _replace(self, start, end, new):
        old, before, selected = self.text[start:end], self.cursor, self.selected

        def do():
            self.text = self.text[:start] + new + self.text[end:]
            self.cursor = start + len(new)
            self.selected = (self.cursor, self.cursor)

        def take_back():
            self.text = self.text[:start] + old + self.text[start + len(new) :]
            self.cursor = before
            self.selected = selected

        if old != new:
            self.perform(do, take_back)
        return old

    def type(self, new):
        start, end = self.selected
        if start == end:
            start = end = self.cursor
        return self._replace(start, end, new)

    def erase(self, count):
        """Removes letters before the cursor, as many as there are."""
        return self._replace(max(0, self.cursor - count), self.cursor, "")

    def upper(self):
        start, end = self.selected
        return self._replace(start, end, self.text[start:end].upper())

    def _within(self, place):
        return min(max(place, 0), len(self.text))

    def move(self, place):
        self.cursor = self._within(place)
        self.selected = (self.cursor, self.cursor)

    def select(self, start, end):
        self.selected = tuple(sorted((self._within(start), self._within(end))))
        self.cursor = self.selected[1]

    def mark(self):
        self.marks.append(self.depth())

    def rollback(self):
        """Takes back all changes since the last mark."""
        goal = self.marks.pop() if self.marks else 0
        count = 0
        while self.depth() > goal:
            self.undo()
            count += 1
        return count

    def swap_case(self):
        return self._replace(0, len(self.text), self.text.swapcase())

    def show(self):
        return self.text[: self.cursor] + "|" + self.text[self.cursor :]


def run(editor, session):
    for name, *arguments in session:
        result = getattr(editor, name)(*arguments)
        note = "" if result in (None, "") else f"  ({result})"
        yield f"{name:<9}{editor.show()}{note}"


if __name__ == "__main__":
    print("\n".join(run(Editor(), SESSION)))
