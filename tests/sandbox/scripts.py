"""Runs many scripts that test themselves, and names those that fail."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from pytest_codereason import registry
from pytest_codereason.core import Program
from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.sandbox import Sandbox

Key = TypeVar("Key", bound=Hashable)

#: An interpreter takes far longer to start than a script to run. So many scripts share one where they can.
TOGETHER = 50
_JAVA = """\
class Start {
    static java.util.List<Integer> listFailing() throws ReflectiveOperationException {
        var failing = new java.util.ArrayList<Integer>();
        var names = "%s".split(" ");
        for (int i = 0; i < names.length; i++) {
            var main = Class.forName(names[i]).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            try {
                main.invoke(null, (Object) new String[0]);
            } catch (java.lang.reflect.InvocationTargetException thrown) {
                failing.add(i);
            }
        }
        return failing;
    }
}
"""
_JAVASCRIPT = """\
function listFailing(count) {
    const failing = [];
    for (let i = 0; i < count; i++) {
        try { require(`./script${i}.js`); } catch { failing.push(i); }
    }
    return failing;
}
"""


def list_failing(scripts: Mapping[Key, Program], sandbox: Sandbox) -> dict[Key, str]:
    """How each script ended that did not end well. All are of one language."""
    suspects = _list_suspects(scripts, sandbox)
    executions = sandbox.run_all(Run.from_program(scripts[key]) for key in suspects)
    return {key: execution.words for key, execution in zip(suspects, executions, strict=True) if not execution.returned}


def _list_suspects(scripts: Mapping[Key, Program], sandbox: Sandbox) -> list[Key]:
    """The scripts that fail beside others, or whose company does not end: those that must be run alone."""
    keys = list(scripts)
    put_together = _COMPANIES.get(scripts[keys[0]].language) if keys else None
    if put_together is None:
        return keys
    companies = [keys[start : start + TOGETHER] for start in range(0, len(keys), TOGETHER)]
    executions = sandbox.run_all(put_together([scripts[key].source for key in company]) for company in companies)
    return [
        company[place]
        for company, execution in zip(companies, executions, strict=True)
        for place in (execution.value if execution.returned else range(len(company)))
    ]


def _put_java_together(texts: Sequence[str]) -> Run:
    """A run that gives the places of those scripts that fail. Each has a package of its own."""
    files = {f"p{place}/Script.java": f"package p{place}; {text}" for place, text in enumerate(texts)}
    bodies = registry.language("java").tracer.list_bodies(files, "")
    mains = [body.name.partition(":")[0] for body in bodies if ":main(" in body.name]
    assert len(mains) == len(texts)
    return _start("java", {"Start.java": _JAVA % " ".join(mains), **files}, "Start.listFailing()")


def _put_javascript_together(texts: Sequence[str]) -> Run:
    """A run that gives the places of those scripts that fail. Each is a module of its own."""
    files = {f"script{place}.js": text for place, text in enumerate(texts)}
    return _start("javascript", {"start.js": _JAVASCRIPT, **files}, f"listFailing({len(texts)})")


def _start(language: str, files: Mapping[str, str], call: str) -> Run:
    limits = Limits(wall_s=60, cpu_s=60)
    return Run(language=language, files=files, entry=next(iter(files)), call=call, limits=limits)


_COMPANIES: Mapping[str, Callable[[Sequence[str]], Run]] = {
    "java": _put_java_together,
    "javascript": _put_javascript_together,
}
