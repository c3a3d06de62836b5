"""Ways to write a condition in each language: what :mod:`~pytest_codereason.perturbations.conditions` chooses from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Template(NamedTuple):
    """One way to write a condition.

    ``@`` stands for the condition where it is, ``{copy}`` for its text once more, ``{same}`` for a comparison that
    always holds, ``{other}`` for one that never does, ``{name}`` for a new variable.
    """

    text: str
    forms: frozenset[str]  #: the forms of conditions that it fits
    #: ``pure``: the condition is evaluated twice or in a function of its own; ``closed``: that function, or a new
    #: variable, must mean the same here; ``varying``: the compiler must not know the value already
    demands: frozenset[str] = frozenset()


def _templates(forms: str, *texts: tuple[str, str]) -> list[Template]:
    return [Template(text, frozenset(forms.split()), frozenset(demands.split())) for text, demands in texts]


#: Seven for comparisons and boolean constants, six for each; then four for all others.
TEMPLATES: Mapping[str, list[Template]] = {
    # A comparison may give any value that is true or false, such as numpy's, so it is made a bool where it is compared.
    "python": [
        *_templates(
            "comparison constant",
            ("({name} := (@,))[0]", "closed variable"),
            ("(lambda: @)()", "pure closed"),
            ("bool(@) == {same}", ""),
            ("bool(@) != {other}", ""),
            ("bool(-~int(bool(@))) == bool({copy})", "pure"),
        ),
        *_templates("comparison", ("bool(int(bool(@)))", "")),
        *_templates("constant", ("eval(str(@))", "")),
        *_templates(
            "other",
            ("not not (@)", ""),
            ("(@) or False", ""),
            ("(@) and True", ""),
            ("({name} := (@,))[0]", "closed variable"),
        ),
    ],
    # No eval: where it stands, no name can be changed any more.
    "javascript": [
        *_templates(
            "comparison constant",
            ("[(@)][0]", ""),
            ("(() => (@))()", "pure"),
            ("(@) === {same}", ""),
            ("(@) !== {other}", ""),
            ("!!-~(@) === ({copy})", "pure"),
        ),
        *_templates("comparison", ("!!+(@)", "")),
        *_templates("constant", ("JSON.parse(String(@))", "")),
        *_templates("other", ("!!(@)", ""), ("(@) || false", ""), ("(@) && true", ""), ("[(@)][0]", "")),
    ],
    # Nothing is evaluated twice: warnings are printed as often as they arise.
    "php": [
        *_templates(
            "comparison constant",
            ("[(@)][0]", ""),
            ("(fn() => @)()", "pure closed"),
            ("(@) === {same}", ""),
            ("(@) !== {other}", ""),
            ("-~(int) (@) === 2", ""),
        ),
        *_templates("comparison", ("(bool) (int) (@)", "")),
        *_templates("constant", (r"\json_decode(\var_export(@, true))", "")),
        *_templates("other", ("!!(@)", ""), ("(@) || false", ""), ("(@) && true", ""), ("[(@)][0]", "")),
    ],
    # What the compiler knows it must still know: it decides what can be reached and which variables are assigned. And
    # a lambda takes no variable that changes.
    "java": [
        *_templates(
            "comparison constant",
            ("(@) == {same}", ""),
            ("(@) != {other}", ""),
            ("-~((@) ? 1 : 0) == 2", ""),
            ("((@) ? true : false)", ""),
            ("(@) ^ {other}", ""),
        ),
        *_templates("comparison", ("(new boolean[] {{@}})[0]", "varying")),
        *_templates("constant", ('((@) ? "true" : "false") == "true"', "")),
        *_templates("other", ("!!(@)", ""), ("(@) || false", ""), ("(@) && true", ""), ("((@) ? true : false)", "")),
    ],
}
