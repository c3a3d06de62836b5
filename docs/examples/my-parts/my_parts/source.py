from pytest_codereason.core import Facts, Program, Source


class Sums(Source):
    """Programs that add a number: f(3) of program 7 is 10."""

    name = "sums"
    languages = ("python", "steps")
    facts = frozenset({"output", "input"})  # what is known about each program

    def __init__(self, count):
        self.count = count

    @classmethod
    def create(cls, settings, *, seed):  # the other keys of [source]
        return cls(settings.get("count", 10))

    def names(self, language):
        return (str(number) for number in range(self.count))

    def program(self, language, name, axes):
        texts = {"python": f"def f(x):\n    return x + {name}\n", "steps": f"add {name}\n"}
        facts = Facts(output=3 + int(name), input="3")
        return Program.from_source(language=language, source=texts[language], call="f(3)", facts=facts)

    def shots(self, language, name, axes, count):  # worked examples; a source without any needs no such method
        return ()

    @property
    def identity(self):  # everything that decides which programs the source gives
        return {"count": self.count}
