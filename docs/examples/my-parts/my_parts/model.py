from pytest_codereason.core import Completion, Model


class Stubborn(Model):
    """Always gives the same reply: --model=stubborn:odd says odd."""

    stored = False  # asking again costs nothing

    def __init__(self, reply):
        self.reply = reply

    @classmethod
    def create(cls, name, *, url, args):  # the text after the colon, --model-url, --model-arg
        return cls(name)

    @property
    def identity(self):  # all that shapes an answer besides the request
        return {"reply": self.reply}

    @property
    def pinned(self):  # whether a stored answer never expires
        return True

    async def answer(self, request):
        return Completion(text=self.reply)
