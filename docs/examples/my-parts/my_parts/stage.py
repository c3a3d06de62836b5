from dataclasses import replace

from pytest_codereason.core import Axis, Context, Stage
from pytest_codereason.registry import language


class Banner(Stage):
    """Shows the program below a comment."""

    name = "banner"
    place = "context"
    axes = {
        "banner": Axis(
            name="banner",
            default=False,
            allowed="true, false",
            accepts=lambda value: isinstance(value, bool),
            short="banner",
        )
    }

    @classmethod
    def create(cls, settings, *, seed, languages):  # the keys of [banner]
        return cls()

    def apply(self, instance, count_tokens):
        if not instance.axes["banner"]:
            return instance
        banner = language(instance.language).dialect.comment("Handle with care.")
        return replace(instance, context=Context(distractors=(banner,), place=1))

    @property
    def identity(self):
        return {"version": 1}
