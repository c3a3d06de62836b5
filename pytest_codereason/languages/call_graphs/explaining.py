"""Says in words why each edge of a call graph fired: the reasoning of a reader who knows what ran.

    main: Line 9 runs build(): main.build. Line 12 never runs, so log() calls nothing.
    main.build: Line 4 runs Shelf(): main.Shelf.__init__.

The reasoning rests on the trace of one run. Without a trace nothing can be said of lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pytest_codereason.core.language.calls import IMPLICIT, CallFacts, CallSite, Form
from pytest_codereason.core.language.tracing import Trace
from pytest_codereason.languages.call_graphs.resolving import Resolution, read_last, resolve_calls

#: Longer texts of callees are cut.
_LONGEST = 60
#: What a language calls by itself, behind the text that makes it do so: ``basket.__len__``.
_HIDDEN = re.compile(r"\.__\w+__$")
#: What is said of sites whose callee no parentheses of their own call.
_IMPLICIT: Mapping[Form, str] = {
    "property": "reads {text}",
    "operator": "uses {text}",
    "iteration": "goes through {text}",
    "conversion": "uses {text}()",
    "decorator": "decorates with {text}",
    "context": "reaches {text}",
}


def explain_calls(facts: CallFacts, trace: Trace, callers: Sequence[str]) -> str:
    """One line for each caller: which of its calls ran, in the order of the text, and what they entered.

    Args:
        facts: what the text of the program shows.
        trace: the edges and the lines of the run.
        callers: the functions that are explained, in this order.
    """
    resolution = resolve_calls(facts)
    return "\n".join(f"{caller}: {_explain(caller, resolution, trace)}" for caller in callers)


def _explain(caller: str, resolution: Resolution, trace: Trace) -> str:
    true = list(dict.fromkeys(trace.edges.get(caller, ())))
    sentences: list[str] = []
    explained: set[str] = set()
    for site, resolved, callbacks in _list_sites(caller, resolution):
        # Where the text leaves open what is called, the trace tells.
        is_open = not resolved | callbacks and site.form not in IMPLICIT
        targets = {name for name in true if read_last(name) == read_last(site.text)} if is_open else resolved
        known = targets | callbacks
        if not _did_run(site, trace.lines):
            if known:
                sentences.append(f"Line {site.line} never runs, so {_quote(site)} calls nothing.")
            continue
        entered = [name for name in true if name in known]
        if not entered:
            continue
        hands_over = not targets.intersection(entered)
        sentence = f"Line {site.line} {_describe(site, hands_over=hands_over)}: {', '.join(entered)}."
        others = [name for name in sorted(targets) if name not in entered]
        if others:
            sentence += f" Nothing here enters {', '.join(others)}."
        sentences.append(sentence)
        explained |= {*entered}
    if rest := [name for name in true if name not in explained]:
        sentences.append(f"{', '.join(rest)}: called without a call of its own in the text, or through a library.")
    return " ".join(dict.fromkeys(sentences)) or "calls no function of the program."


def _list_sites(caller: str, resolution: Resolution) -> Iterator[tuple[CallSite, frozenset[str], frozenset[str]]]:
    sites = zip(resolution.facts.sites, resolution.targets, resolution.callbacks, strict=True)
    own = [(site, targets, callbacks) for site, targets, callbacks in sites if site.caller == caller]
    yield from sorted(own, key=lambda part: (part[0].file, part[0].line, part[0].column))


def _did_run(site: CallSite, lines: Mapping[str, Mapping[int, int]]) -> bool:
    """Whether the place of a site was reached, as far as lines say."""
    if not lines:
        return True
    ran = lines.get(site.file, {})
    first, last = site.first_witness or site.line, site.last_witness or site.end_line
    return any(line in ran for line in range(first, last + 1))


def _quote(site: CallSite) -> str:
    text = " ".join(site.text.split())
    text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
    return f"new {text}()" if site.form == "constructor" else f"{text}()"


def _describe(site: CallSite, *, hands_over: bool) -> str:
    if site.form in IMPLICIT:
        text = _HIDDEN.sub("", " ".join(site.text.split()))
        return _IMPLICIT[site.form].format(text=text[:_LONGEST])
    return f"hands a function to {_quote(site)}, which calls it" if hands_over else f"runs {_quote(site)}"
