from pytest_codereason.core import Message, Perturbation, Rejected, TextKind, TextRequest
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.core.text.edits import Insert
from pytest_codereason.registry import language


class ClaimText(TextKind):
    """One line that says something wrong about a program."""

    name = "claim"
    version = 1  # raise it when the question or the check changes

    def ask(self, request):
        return (Message("user", f"Say in one line something wrong about this program:\n{request.program.source}"),)

    def read(self, completion, request):
        return completion.text.strip()

    async def check(self, text, request, run):  # `await run(...)` runs a program
        if not text or "\n" in text:
            raise Rejected("gave no single line")  # the writer is asked again
        return 0  # if the rule writes several texts, the text with the lowest number is used

    def candidates(self, request, draws):  # what the rule writes
        return (draws.choice(("It never ends.", "It returns nothing.")),)


class Claim(Perturbation):
    """Puts the line above the program."""

    name = "claim"
    version = 1
    capabilities = frozenset({"dialect"})
    text_kind = "claim"

    def __init__(self, text=""):  # "" while no text is written yet
        self.text = text

    def text_request(self, program, draws, dose, asks):
        return TextRequest("claim", program)

    def apply(self, program, draws, dose, asks):
        comment = language(program.language).dialect.comment(self.text or "It is wrong.")
        return change(program, Change(edits=(Insert(0, f"{comment}\n"),)))
