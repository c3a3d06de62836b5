"""Holds a trace against the text: an edge stands for a call that somebody wrote, or for one that the text leaves open.

def a(): pass       # a trace with the edge main.a -> main.b is not that of this program
def b(): pass
a()
"""

from __future__ import annotations

from pytest_codereason.core.facts import Edges
from pytest_codereason.core.language.calls import Form
from pytest_codereason.languages.call_graphs.kinds import sort_edges
from pytest_codereason.languages.call_graphs.resolving import Resolution, find_named_callers

#: How calls are written whose callee the text seldom tells: ``table[key]()``, ``for x in values``.
_OPEN: frozenset[Form] = frozenset({"expression", "iteration"})


def list_unexplained(resolution: Resolution, edges: Edges) -> list[tuple[str, str]]:
    """The edges, as caller and callee, that no call in the text of the caller explains.

    The text explains an edge if one of the caller's calls leads to the callee, if the callee is called where no call is
    written (a constructor, a getter, a function that was passed on), or if the text does not tell what one of the
    caller's calls enters.
    """
    kinds = sort_edges(resolution, edges)
    behind = find_named_callers(resolution)
    sites = zip(resolution.facts.sites, resolution.targets, resolution.callbacks, strict=True)
    open_callers = {
        caller
        for site, targets, callbacks in sites
        if not targets | callbacks or site.form in _OPEN
        for caller in behind.get(site.caller, {site.caller})
    }
    return [edge for edge, found in kinds.items() if found.kind == "unknown" and edge[0] not in open_callers]
