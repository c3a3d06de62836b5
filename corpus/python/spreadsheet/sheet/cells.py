from contextlib import contextmanager
from types import SimpleNamespace

from .errors import Circle, SheetError
from .formulas import compile_formula


class Sheet:
    def __init__(self):
        self._formulas = {}
        self._values = {}
        self._readers = {}  # cell: the cells whose values came from it
        self._open = []
        self._on_evaluate = None

    def __setitem__(self, name, content):
        self._forget(name)
        if isinstance(content, str) and content.startswith("="):
            self._formulas[name] = content[1:]
        else:
            self._formulas.pop(name, None)
            self._values[name] = float(content)

    def __getitem__(self, name):
        if self._open:
            self._readers.setdefault(name, set()).add(self._open[-1])
        if name not in self._values and name in self._formulas:
            self._values[name] = self._evaluate(name)
        return self._values.get(name, 0.0)

    def __delitem__(self, name):
        self._forget(name)
        self._formulas.pop(name, None)

    def _evaluate(self, name):
        if name in self._open:
            raise Circle([*self._open[self._open.index(name) :], name])
        self._open.append(name)
        try:
            if self._on_evaluate:
                self._on_evaluate(name)
            return compile_formula(self._formulas[name])(self.__getitem__)
        finally:
            self._open.pop()

    def _forget(self, name):
        """Drops the value of a cell and all values that were made from it."""
        self._values.pop(name, None)
        for reader in self._readers.pop(name, ()):
            self._forget(reader)

    @contextmanager
    def count_evaluations(self):
        count = SimpleNamespace(total=0)

        def add(name):
            count.total += 1

        self._on_evaluate = add
        try:
            yield count
        finally:
            self._on_evaluate = None
