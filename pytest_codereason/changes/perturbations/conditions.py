"""Rewrites conditions: ``if x > 3`` becomes ``if (lambda: x > 3)()``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from pytest_codereason import registry
from pytest_codereason.changes.perturbations._examples import read_examples
from pytest_codereason.changes.perturbations._known_values import KnownValues
from pytest_codereason.changes.perturbations._places import parse_program
from pytest_codereason.core import EMPTY, Dialect, Dose, Perturbation, Program
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.facts import Forms
from pytest_codereason.core.language.dialects import ConditionForms, ConditionTemplate, ConditionText
from pytest_codereason.core.language.structure import Code, Function, Site
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.core.text.junctions import insert_apart
from pytest_codereason.errors import NothingToChange, Skip

_DEFINED = re.compile(r"\b(?:def|class) (\w+)")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_CALL_OR_INDEX = re.compile(r"\w\s*\(|\[")


class Conditions(Perturbation):
    """Rewrites conditions by templates (CodeCrash, appendix B.1.2). The dialect of a language holds its templates.

    A condition gets the study's own text, or a safe text where the study's might change what the program does.
    """

    name = "conditions"
    version = 4
    doses = Dose.SETTINGS
    capabilities = frozenset({"syntax", "dialect"})

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Programs of four languages, in ``examples/conditions.toml``."""
        return read_examples(cls.name)

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program with conditions rewritten; ``strength`` is the number of conditions.

        Raises:
            NothingToChange: There is no condition to rewrite.
            Skip: The dose leaves no condition, or there is no template in the language.
        """
        dialect = registry.language(program.language).dialect
        forms = dialect.conditions
        if forms is None:
            raise Skip(f"the language {program.language} has no templates for conditions")
        code = parse_program(program)
        sites = [site for site in code.sites_of("condition") if not _is_compiled(site, forms)]
        if not sites:
            raise NothingToChange("there is no condition to rewrite")
        writer = _ConditionWriter(program, code, dialect, forms)
        texts = {site: writer.write_condition(site, draws) for site in sites}
        chosen = dose.choose(sites, draws, code.source, lambda site: site.span.start)
        # A condition may stand within another. At one offset, the text before the outer condition comes first, and the
        # text behind it comes last.
        before = sorted(chosen, key=lambda site: (site.span.start, -site.span.end))
        after = sorted(chosen, key=lambda site: (site.span.end, -site.span.start))
        edits = [insert_apart(code.source, site.span.start, texts[site].before) for site in before]
        edits += [insert_apart(code.source, site.span.end, texts[site].behind) for site in after]
        published = sum(texts[site].published for site in chosen)
        counted = {self.name: Forms(published, len(chosen) - published)} if chosen else EMPTY
        return change(program, Change(edits=tuple(edits), forms=counted))


def _is_compiled(site: Site, forms: ConditionForms) -> bool:
    """Whether the compiler looks at a condition to see what can be reached, as at ``while (true)``."""
    return site.form == "constant" and site.holder in forms.compiled_holders


class _Condition(NamedTuple):
    """A condition and what is known about its place."""

    site: Site
    text: str
    function: Function | None  #: in whose body it stands
    variables: Sequence[str]  #: the parameters that may be read there


class _WrittenCondition(NamedTuple):
    """What stands around a condition."""

    before: str
    behind: str
    published: bool  #: whether it is the study's own text


def _list_texts(template: ConditionTemplate) -> tuple[ConditionText, ...]:
    """The texts of a template, the study's first."""
    return template.published, *template.safe


class _ConditionWriter:
    """Writes the conditions of one program."""

    def __init__(self, program: Program, code: Code, dialect: Dialect, forms: ConditionForms) -> None:
        self._code, self._dialect, self._forms = code, dialect, forms
        self._values = KnownValues(program, code)
        self._functions: dict[str, list[Function]] = {}
        for function in code.functions:
            self._functions.setdefault(function.name, []).append(function)
        self._graphed = "edges" in program.facts
        self._sees_names = bool(forms.sees_names.search(code.source))
        self._new_names = 0

    def write_condition(self, site: Site, draws: Draws) -> _WrittenCondition:
        """The text before and behind a condition. Draws three times, whatever the condition is."""
        text = self._code.source[slice(*site.span)]
        function = self._find_function(site)
        condition = _Condition(site, text, function, self._list_variables(text, function))
        form, templates = self._list_templates(condition)
        chosen = draws.choice(templates)
        template = next(usable for usable in _list_texts(chosen) if self._is_usable(usable, condition))
        number, share = draws.below(100), draws.uniform()
        same, other = self._write_comparisons(condition.variables, number, share)
        before, behind = template.text.split("@")
        name = ""
        if "{name}" in before:
            self._new_names += 1
            name = self._dialect.fresh(f"Temp_Var_{self._new_names}", self._code.taken)
        p = ""
        if "{p}" in behind:
            equal = self._list_equal(condition)
            p = equal[int(share * len(equal))]
        published = template is chosen.published and form == site.form
        return _WrittenCondition(
            before.format(name=name), behind.format(copy=text, same=same, other=other, p=p), published
        )

    def _find_function(self, site: Site) -> Function | None:
        """The function in whose body a condition stands."""
        around = [f for f in self._functions.get(site.function, ()) if f.body.start <= site.span.start < f.body.end]
        return around[-1] if around else None

    def _read_function(self, function: Function | None) -> str:
        """The text of a function; of the whole program outside functions."""
        return self._code.source if function is None else self._code.source[slice(*function.span)]

    def _list_templates(self, condition: _Condition) -> tuple[str, list[ConditionTemplate]]:
        """The form of a condition and the templates that can be used for it.

        A form for which there is none counts as the form ``other``.
        """
        for form in (condition.site.form, "other"):
            templates = [
                template
                for template in self._forms.templates
                if form in template.forms
                # The last text demands least.
                and any(self._is_usable(usable, condition) for usable in reversed(_list_texts(template)))
            ]
            if templates:
                return form, templates
        raise Skip(f"no template fits the condition {condition.text!r}")

    def _is_usable(self, usable: ConditionText, condition: _Condition) -> bool:
        """Whether a text is safe here."""
        return self._keeps_names(usable.text) and all(self._does_meet(demand, condition) for demand in usable.demands)

    def _list_equal(self, condition: _Condition) -> list[str]:
        """The parameters that may be read and are equal to themselves."""
        function = condition.function
        if function is None or condition.site.form == "other":
            return []
        return [name for name in condition.variables if self._values.is_equal(name, function)]

    def _does_meet(self, demand: str, condition: _Condition) -> bool:
        site, text, function = condition.site, condition.text, condition.function
        match demand:
            case "obsolete":
                met = False
            case "boolean":
                met = site.form == "constant" or self._values.is_plain
            case "equal":
                met = bool(self._list_equal(condition))
            case "pure":
                met = self._code.is_pure(site)
            case "closed":
                word = self._forms.closed_by
                met = not self._sees_names and not (word and word in self._read_function(function))
            case "ungraphed":
                met = not self._graphed
            case "spare":
                met = "_" not in self._code.taken
            case "variable":
                statement = self._code.source[slice(*site.statement)]
                met = function is not None and self._forms.takes_variable(site, statement, text)
            case _:  # varying
                met = bool(_CALL_OR_INDEX.search(text) or self._list_mentioned(text, function))
        return met

    def _keeps_names(self, text: str) -> bool:
        """Whether the program gives no other meaning to the names in a text."""
        return not any(name in text for name in self._declared)

    @cached_property
    def _declared(self) -> frozenset[str]:
        """The names in templates to which the program may give another meaning."""
        source, forms = self._code.source, self._forms
        if forms.redefines and not forms.redefines.search(source):
            return frozenset()
        if forms.imports_all.search(source):
            return forms.names
        return forms.names & {*(binding.name for binding in self._code.bindings), *_DEFINED.findall(source)}

    def _write_comparisons(self, variables: Sequence[str], number: int, share: float) -> tuple[str, str]:
        """A comparison that always holds and one that never does: of a variable with itself, else of a number."""
        if variables and self._keeps_names(self._forms.of_variable[0]):
            same, other = (form.format(variables[int(share * len(variables))]) for form in self._forms.of_variable)
            return same, other
        equal, unequal = self._forms.of_numbers
        return f"({number} {equal} {number})", f"({number} {unequal} {number})"

    def _list_variables(self, text: str, function: Function | None) -> list[str]:
        """Parameters that surely have a value here, and may be read."""
        forms = self._forms
        if function is None or self._sees_names:
            return []
        if forms.drops and forms.drops.search(self._read_function(function)):
            return []
        if forms.captures_constants:  # what the condition reads already may be read
            return self._list_mentioned(text, function)
        if forms.redeclares:
            return [name for name in function.parameters if self._declarations[name] == 1]
        return list(function.parameters)

    @cached_property
    def _declarations(self) -> Counter[str]:
        return Counter(binding.name for binding in self._code.bindings)

    def _list_mentioned(self, text: str, function: Function | None) -> list[str]:
        """The parameters that a condition reads."""
        if function is None or "{" in text:
            return []
        plain = _STRING.sub("", text)
        return [p for p in function.parameters if re.search(rf"(?<![\w.$]){re.escape(p)}(?![\w$]|\s*\()", plain)]
