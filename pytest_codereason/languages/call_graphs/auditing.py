"""Says why edges of an answer are wrong, and which edges it misses, by mechanical evidence (TraceEval, section 3.4).

    def parse(text):
        if is_short(text):
            return [text]
        return split(text)      # line 4 never ran, so an answer that names split took a branch that is not taken

The evidence is the program's text, as the static baseline reads it, the edges that were witnessed, and the lines that
ran. Names are compared as they are written. An edge has the first tag that fits. Each edge says whether the study's
comparison, by normalised names, forgives it, so that what is left are the edges that precision and recall count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

from pytest_codereason.core.facts import Edges
from pytest_codereason.core.language.calls import CallSite, FunctionFacts
from pytest_codereason.core.language.naming import Naming
from pytest_codereason.languages.call_graphs.comparing import make_simplifier
from pytest_codereason.languages.call_graphs.kinds import EdgeKind, Kind, sort_edges
from pytest_codereason.languages.call_graphs.resolving import Resolution, find_named_callers, read_last, read_word

#: Why an edge that an answer names is wrong.
WrongTag = Literal[
    "class-for-constructor",  #: the name of a class; an edge names the constructor
    "unwritten-constructor",  #: a constructor that nobody wrote, so that no edge enters it
    "other-spelling",  #: a function that is called, under a name that is not quite its own
    "declared-type",  #: the method of a class or interface above the class that the object had when the program ran
    "branch-not-taken",  #: a call that the text shows, in a place that was not reached
    "wrong-place",  #: the name of a function that is called, in another class or file
    "other-target",  #: a function that a call could enter, as the text goes; the call ran and entered another one
    "indirect",  #: a function that is called by what the caller calls
    "never-called",  #: a function of the program that nothing called
    "library",  #: a function of the standard library, which has no edges
    "no-such-name",  #: nothing in the program is called like this
    "other",  #: none of these
]
WRONG_TAGS: tuple[WrongTag, ...] = get_args(WrongTag)
#: Why an edge is missing: the answer names the callee otherwise, says nothing of the caller, or has the edge left out.
MissedTag = Literal["named-otherwise", "caller-unanswered", "left-out"]
MISSED_TAGS: tuple[MissedTag, ...] = get_args(MissedTag)


class AuditedEdge(NamedTuple):
    """An edge that an answer has and should not, or should have and has not."""

    caller: str
    callee: str
    tag: WrongTag | MissedTag
    file: str = ""  #: where the evidence is; empty where the evidence is that something is nowhere
    line: int = 0
    code: str = ""  #: the text of the line
    instead: str = ""  #: the callee that an answer should have named, or the name that it gave
    kind: Kind | Literal[""] = ""  #: of a missed edge
    forgiven: bool = False  #: whether it is an edge by strict names alone: normalised names have it right, or once

    @property
    def wrong(self) -> bool:
        """Whether the answer has the edge; else it misses the edge."""
        return self.tag in WRONG_TAGS


def audit_graph(
    resolution: Resolution,
    naming: Naming,
    files: Mapping[str, str],
    truth: Edges,
    named: Mapping[str, Sequence[str]],
    lines: Mapping[str, Mapping[int, int]],
) -> list[AuditedEdge]:
    """The wrong edges of an answer, then the missed ones, each with the reason.

    Args:
        resolution: The program's calls, resolved.
        naming: The names of the program's language.
        files: The program's files.
        truth: The edges that were witnessed.
        named: The callees that the answer names, by caller; callers that ``truth`` lacks are left alone.
        lines: How often each line ran, by file. Without lines no branch is known to be left out.
    """
    auditor = _Auditor(resolution, naming, files, truth, lines)
    wrong = [
        auditor.audit_wrong(caller, callee)
        for caller, callees in truth.items()
        for callee in dict.fromkeys(named.get(caller, ()))
        if callee not in callees
    ]
    renamed = {(edge.caller, edge.instead): edge for edge in wrong if edge.instead}
    missed = [
        auditor.audit_missed(caller, callee, named.get(caller, ()), renamed.get((caller, callee)))
        for caller, callees in truth.items()
        for callee in callees
        if callee not in named.get(caller, ())
    ]
    return mark_forgiven(naming, truth, named, wrong + missed)


def mark_forgiven(
    naming: Naming, truth: Edges, named: Mapping[str, Sequence[str]], audited: Sequence[AuditedEdge]
) -> list[AuditedEdge]:
    """The edges of an audit, each with whether the comparison by normalised names forgives it."""
    simplify = make_simplifier(naming, truth)
    sides = [{caller: {*map(simplify, names)} for caller, names in edges.items()} for edges in (truth, named)]
    seen: set[tuple[bool, str, str]] = set()
    marked = []
    for edge in audited:
        simple, other = simplify(edge.callee), sides[0 if edge.wrong else 1].get(edge.caller, set())
        is_again = (edge.wrong, edge.caller, simple) in seen
        seen.add((edge.wrong, edge.caller, simple))
        marked.append(edge._replace(forgiven=not simple or simple in other or is_again))
    return marked


@dataclass
class _Auditor:
    resolution: Resolution
    naming: Naming
    files: Mapping[str, str]
    truth: Edges
    lines: Mapping[str, Mapping[int, int]]

    @cached_property
    def _kinds(self) -> Mapping[tuple[str, str], EdgeKind]:
        return sort_edges(self.resolution, self.truth)

    @cached_property
    def _behind(self) -> Mapping[str, set[str]]:
        return find_named_callers(self.resolution)

    @cached_property
    def _own(self) -> frozenset[str]:
        """The names of the program's files, classes and functions."""
        facts = self.resolution.facts
        return frozenset(
            (*self._functions, *self._classes, *(name for name, around in facts.scopes.items() if not around))
        )

    @cached_property
    def _by_word(self) -> Mapping[str, list[str]]:
        """The functions by the last word of their names."""
        named: dict[str, list[str]] = defaultdict(list)
        for name in self._functions:
            named[read_last(name)].append(name)
        return named

    @cached_property
    def _called(self) -> frozenset[str]:
        return frozenset(callee for callees in self.truth.values() for callee in callees)

    @property
    def _functions(self) -> Mapping[str, FunctionFacts]:
        return self.resolution.evaluator.functions

    @property
    def _classes(self) -> Mapping[str, object]:
        return self.resolution.evaluator.classes

    def audit_missed(self, caller: str, callee: str, named: Sequence[str], renamed: AuditedEdge | None) -> AuditedEdge:
        """Why an edge is missing."""
        kind, site = self._kinds[caller, callee]
        tag: MissedTag = "left-out" if named else "caller-unanswered"
        if renamed is not None:
            tag = "named-otherwise"
        instead = renamed.callee if renamed is not None else ""
        return self._report(caller, callee, tag, site, instead)._replace(kind=kind)

    def audit_wrong(self, caller: str, name: str) -> AuditedEdge:
        """Why an edge is wrong."""
        function = self._functions.get(name)
        if function is None or function.transparent:
            return self._audit_stranger(caller, name)
        namesakes = [callee for callee in self.truth[caller] if _have_one_name(callee, name)]
        below = next((callee for callee in namesakes if self._overrides(callee, function)), "")
        if below:
            return self._report(caller, name, "declared-type", self._kinds[caller, below].site, below)
        sites = self._list_sites(caller, name)
        if self.lines and sites and all(site.conditional or not self._ran(site) for site in sites):
            return self._report(caller, name, "branch-not-taken", sites[0])
        if namesakes:
            return self._report(caller, name, "wrong-place", self._kinds[caller, namesakes[0]].site, namesakes[0])
        if right := next(filter(None, (self._find_target(caller, site) for site in sites)), ""):
            return self._report(caller, name, "other-target", self._kinds[caller, right].site, right)
        if name in self._called and (by := self._find_between(caller, name)):
            return self._report(caller, name, "indirect", self._kinds[by, name].site)
        if name not in self._called:
            return self._locate(caller, name, "never-called", function)
        return self._report(caller, name, "other", sites[0] if sites else None)

    def _audit_stranger(self, caller: str, name: str) -> AuditedEdge:
        """Why a name that no function of the program has is wrong."""
        if name in self._classes:
            made = [callee for callee in self.truth[caller] if self._is_constructor(callee, name)]
            site = self._find_making(caller, name)
            return self._report(caller, name, "class-for-constructor", site, made[0] if made else "")
        if self._find_class(name) in self._classes:
            return self._report(
                caller, name, "unwritten-constructor", self._find_making(caller, self._find_class(name))
            )
        spelled = [callee for callee in self.truth[caller] if self._is_alike(name, callee)]
        if spelled:
            return self._report(caller, name, "other-spelling", self._kinds[caller, spelled[0]].site, spelled[0])
        if self.naming.is_library(name, self._own):
            return AuditedEdge(caller, name, "library")
        namesakes = [known for known in self._by_word.get(read_last(name), ()) if _have_one_name(known, name)]
        if namesakes:
            right = [known for known in namesakes if known in self.truth[caller]]
            place = (right or namesakes)[0]
            return self._locate(caller, name, "wrong-place", self._functions[place])._replace(
                instead=(right or [""])[0]
            )
        return AuditedEdge(caller, name, "no-such-name")

    def _is_constructor(self, callee: str, cls: str) -> bool:
        facts = self._functions.get(callee)
        above = self.resolution.evaluator.list_ancestors(cls)
        return facts is not None and facts.constructor and facts.owner in above

    def _find_class(self, name: str) -> str:
        """The class whose constructor a name could be: ``main.A`` for ``main.A.__init__``."""
        last = read_last(name)
        return name[: name.rindex(last) - 1] if last in self.resolution.facts.constructors else ""

    def _find_making(self, caller: str, cls: str) -> CallSite | None:
        word = read_last(cls).rpartition("$")[2]
        return next((site for site in self._list_own(caller) if read_word(site.text) == word), None)

    def _is_alike(self, name: str, callee: str) -> bool:
        """Whether two names end alike: ``Square.area`` and ``main.Square.area``; in Java also other types."""
        plain, other = name.partition("(")[0], callee.partition("(")[0]
        return plain == other or other.endswith((f".{plain}", f"${plain}", f":{plain}")) or plain.endswith(f".{other}")

    def _overrides(self, callee: str, function: FunctionFacts) -> bool:
        """Whether a callee stands for a method in a class below its own."""
        facts = self._functions.get(callee)
        if facts is None or not facts.owner or not function.owner or facts.owner == function.owner:
            return False
        return function.owner in self.resolution.evaluator.list_ancestors(facts.owner)

    def _list_own(self, caller: str) -> list[CallSite]:
        """The call sites of a caller, those of the lambdas that it may run among them."""
        sites = self.resolution.facts.sites
        return [site for site in sites if caller in self._behind.get(site.caller, {site.caller})]

    def _list_sites(self, caller: str, callee: str) -> list[CallSite]:
        """The sites of a caller that the text leads to a callee."""
        targets = zip(self.resolution.facts.sites, self.resolution.targets, self.resolution.callbacks, strict=True)
        return [
            site
            for site, entered, called in targets
            if callee in entered | called and caller in self._behind.get(site.caller, {site.caller})
        ]

    def _find_target(self, caller: str, site: CallSite) -> str:
        """A function that a caller entered when the program ran, among those that a call could enter."""
        i = self._places[site]
        entered = self.resolution.targets[i] | self.resolution.callbacks[i]
        return next((callee for callee in sorted(entered) if callee in self.truth[caller]), "")

    @cached_property
    def _places(self) -> Mapping[CallSite, int]:
        return {site: i for i, site in enumerate(self.resolution.facts.sites)}

    def _ran(self, site: CallSite) -> bool:
        """Whether a line of a site ran."""
        ran = self.lines.get(site.file, {})
        return any(line in ran for line in range(site.first_witness, site.last_witness + 1))

    def _find_between(self, caller: str, name: str) -> str:
        """The function through which a caller reaches another one; empty if it does not."""
        waiting, seen = [*self.truth.get(caller, ())], {caller}
        while waiting:
            inner = waiting.pop(0)
            if name in self.truth.get(inner, ()):
                return inner
            if inner not in seen:
                seen.add(inner)
                waiting += self.truth.get(inner, ())
        return ""

    def _report(
        self, caller: str, callee: str, tag: WrongTag | MissedTag, site: CallSite | None, instead: str = ""
    ) -> AuditedEdge:
        if site is None:
            return AuditedEdge(caller, callee, tag, instead=instead)
        return AuditedEdge(caller, callee, tag, site.file, site.line, self._quote(site.file, site.line), instead)

    def _locate(self, caller: str, callee: str, tag: WrongTag, function: FunctionFacts) -> AuditedEdge:
        code = self._quote(function.file, function.line)
        return AuditedEdge(caller, callee, tag, function.file, function.line, code)

    def _quote(self, file: str, line: int) -> str:
        texts = self.files[file].splitlines()
        return texts[line - 1].strip()[:200] if line <= len(texts) else ""


def _have_one_name(callee: str, name: str) -> bool:
    """Whether two functions are called alike, wherever they are. Numbers of functions without a name do not count."""
    last = read_last(callee)
    return last == read_last(name) and (not last.startswith("<") or last == "<init>")
