from pytest_codereason.core import Perturbation
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.core.text.edits import Insert
from pytest_codereason.registry import language

REMARKS = ("Nobody knows why this works.", "Do not touch.")


class Remark(Perturbation):
    """Puts a useless comment above the program."""

    name = "remark"
    version = 1  # raise it when the same seed gives another text
    capabilities = frozenset({"dialect"})  # what it needs of a language

    def apply(self, program, draws, dose, asks):
        comment = language(program.language).dialect.comment(draws.choice(REMARKS))
        return change(program, Change(edits=(Insert(0, f"{comment}\n"),)))
