"""Conditions written in another way: ``if x > 3`` becomes ``if (lambda: x > 3)()``."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from pytest_codereason import registry
from pytest_codereason.core import Dose, Perturbation, Program
from pytest_codereason.core.draws import Draws
from pytest_codereason.core.structure import Code, Function, Site
from pytest_codereason.errors import Skip
from pytest_codereason.perturbations._choosing import chosen, quarter
from pytest_codereason.perturbations._conditions import TEMPLATES, Template
from pytest_codereason.perturbations._parsing import parsed
from pytest_codereason.text.changes import Change, change
from pytest_codereason.text.edits import Insert


class Conditions(Perturbation):
    """Rewrites conditions by templates (CodeCrash, appendix B.1.2); ``_conditions.py`` holds them."""

    name = "conditions"
    version = 1

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program with conditions rewritten; ``strength`` is the number of conditions."""
        code = parsed(program)
        sites = [site for site in code.sites_of("condition") if _may_change(program.language, site)]
        if not sites:
            raise Skip("there is no condition to rewrite")
        writer = _Writer(program.language, code)
        texts = {site: writer.write(site, draws) for site in sites}
        wanted = chosen(sites, dose, draws, lambda site: quarter(code.source, site.span.start))
        # Conditions may stand within each other: what comes to one offset stands outer before inner, and the other
        # way round behind them.
        before = sorted(wanted, key=lambda site: (site.span.start, -site.span.end))
        after = sorted(wanted, key=lambda site: (site.span.end, -site.span.start))
        edits = [Insert(site.span.start, texts[site][0]) for site in before]
        edits += [Insert(site.span.end, texts[site][1]) for site in after]
        return change(program, Change(edits=tuple(edits)))


def _may_change(language: str, site: Site) -> bool:
    """Java's compiler looks at ``while (true)`` to see what can be reached."""
    return language != "java" or site.form != "constant" or site.holder not in {"while", "do", "for"}


#: Code that sees which names there are, or in which function it stands: an unassigned name raises another error in a
#: function inside.
_LOOKING = {
    "python": re.compile(
        r"\b(?:locals|vars|dir|eval|exec|globals|f_locals|tb_frame|co_varnames|_getframe|UnboundLocalError)\b"
    ),
    "javascript": re.compile(r"\b(?:eval|with)\b"),
    "php": re.compile(r"\b(?:func_\w+|get_defined_vars|compact|extract|eval|__FUNCTION__|__METHOD__)\b"),
    "java": re.compile(r"(?!)"),
}
#: What the templates of Python call, where it may be something else: not called, defined, or imported.
_SUSPECT = re.compile(r"(?<!\.)\b(?:bool|int|str|eval)\b(?!\()|\b(?:def|class) (?:bool|int|str|eval)\b|import \*")
_DEFINED = re.compile(r"\b(?:def|class) (\w+)")
_CALLED = re.compile(r"\b(?:bool|int|str|eval|JSON|String)\b")
#: What a variable of the function around may not mean the same behind, or not exist any more.
_UNSURE = re.compile(r"\b(?:class|del|as)\b")
#: Conditions of these belong to the function around them, and not to a lambda or a comprehension.
_HEADERS = frozenset({"if", "while", "assert", "case"})
_INNER = re.compile(r"\b(?:for|lambda)\b")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_CALL_OR_INDEX = re.compile(r"\w\s*\(|\[")
#: What always holds of a variable, whatever its value: NaN is not equal to itself, arrays compare element by element.
_SAME = {
    "python": ("({0} is {0})", "({0} is not {0})"),
    "javascript": ("(typeof {0} === typeof {0})", "(typeof {0} !== typeof {0})"),
    "php": ("(isset(${0}) === isset(${0}))", "(isset(${0}) !== isset(${0}))"),
    "java": ("java.util.Objects.equals({0}, {0})", "!java.util.Objects.equals({0}, {0})"),
}
_EQUAL = {"python": ("==", "!="), "javascript": ("===", "!=="), "php": ("===", "!=="), "java": ("==", "!=")}


class _Writer:
    """Writes the conditions of one program."""

    def __init__(self, language: str, code: Code) -> None:
        self._language, self._code = language, code
        self._speaker = registry.language(language)
        self._functions: dict[str, list[Function]] = {}
        for function in code.functions:
            self._functions.setdefault(function.name, []).append(function)
        self._looking = bool(_LOOKING[language].search(code.source))
        self._new = 0

    def write(self, site: Site, draws: Draws) -> tuple[str, str]:
        """What to put before and behind a condition. Draws three times, whatever it finds."""
        text = self._code.source[slice(*site.span)]
        function = self._around(site)
        template = draws.choice(self._fitting(site, text, function))
        same, other = self._comparisons(text, function, draws)
        before, after = template.text.split("@")
        name = ""
        if "{name}" in before:
            self._new += 1
            name = self._speaker.dialect.fresh(f"Temp_Var_{self._new}", self._code.taken)
        return before.format(name=name), after.format(copy=text, same=same, other=other)

    def _around(self, site: Site) -> Function | None:
        """The function in whose body a condition stands."""
        inside = [f for f in self._functions.get(site.function, ()) if f.body.start <= site.span.start < f.body.end]
        return inside[-1] if inside else None

    def _text(self, function: Function | None) -> str:
        return self._code.source if function is None else self._code.source[slice(*function.span)]

    def _fitting(self, site: Site, text: str, function: Function | None) -> list[Template]:
        """The templates that are safe here; a form that has none is taken for any other expression."""
        for form in (site.form, "other"):
            found = [
                template
                for template in TEMPLATES[self._language]
                if form in template.forms
                and all(self._holds(demand, site, text, function) for demand in template.demands)
                and self._means_itself(template)
            ]
            if found:
                return found
        raise AssertionError("three templates for other conditions demand nothing")

    def _holds(self, demand: str, site: Site, text: str, function: Function | None) -> bool:
        match demand:
            case "pure":
                return site.pure
            case "closed":
                return not self._looking and not ("class" in self._text(function) and self._language == "python")
            case "variable":
                statement = self._code.source[slice(*site.statement)]
                header = site.holder in _HEADERS or (site.holder == "conditional" and not _INNER.search(statement))
                return header and function is not None and ":=" not in text
            case _:  # varying
                return bool(_CALL_OR_INDEX.search(text) or self._mentioned(text, function))

    def _means_itself(self, template: Template) -> bool:
        """Whether the program gives no other meaning to what a template calls."""
        called = _CALLED.findall(template.text)
        return not called or self._declared.isdisjoint(called)

    @cached_property
    def _declared(self) -> frozenset[str]:
        source = self._code.source
        if self._language == "python" and not _SUSPECT.search(source):
            return frozenset()
        names = {binding.name for binding in self._code.bindings}.union(_DEFINED.findall(source))
        return frozenset(names | ({"bool", "int", "str", "eval"} if "import *" in source else set()))

    def _comparisons(self, text: str, function: Function | None, draws: Draws) -> tuple[str, str]:
        """A comparison that always holds and one that never does: of a variable with itself, else of a number."""
        number, share = draws.below(100), draws.uniform()
        if variables := self._variables(text, function):
            same, other = (form.format(variables[int(share * len(variables))]) for form in _SAME[self._language])
            return same, other
        equal, unequal = _EQUAL[self._language]
        return f"({number} {equal} {number})", f"({number} {unequal} {number})"

    def _variables(self, text: str, function: Function | None) -> list[str]:
        """Parameters that surely have a value here, and may be read."""
        if function is None or self._looking:
            return []
        match self._language:
            case "python":
                return [] if _UNSURE.search(self._text(function)) else list(function.parameters)
            case "javascript":  # one declared again in a block cannot be read above its declaration
                return [name for name in function.parameters if self._count[name] == 1]
            case "java":  # a lambda may read only what never changes: what it reads already
                return self._mentioned(text, function)
        return list(function.parameters)

    @cached_property
    def _count(self) -> Counter[str]:
        return Counter(binding.name for binding in self._code.bindings)

    def _mentioned(self, text: str, function: Function | None) -> list[str]:
        """The parameters that a condition reads."""
        if function is None or "{" in text:
            return []
        plain = _STRING.sub("", text)
        return [p for p in function.parameters if re.search(rf"(?<![\w.$]){re.escape(p)}(?![\w$]|\s*\()", plain)]
