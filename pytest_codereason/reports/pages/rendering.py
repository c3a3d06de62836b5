"""Templates become pages: one file with its style and its script, whatever texts of models stand in it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup, escape

from pytest_codereason.core.display import visible
from pytest_codereason.core.text import wording

#: The files of the script in the order in which they are joined: a file uses what the files before it define.
SCRIPT = (
    *("scheme", "elements", "passages", "answers", "filtering", "ordering", "address", "texts", "differences"),
    *("facets", "shares", "breakdown", "grid", "virtual_list", "marks", "blocks", "conversation", "card", "paper"),
    "explorer",
)

#: No line breaks in an interval, a condition such as ``>= baseline - 0.05``, ``p < 0.001``, ``n 400``, ``50 %``.
_UNBROKEN = re.compile(r"\[[^\]]*\]|(?:[<>=]=|[<>]) \S+(?: [-+] \S+)?|\bp [=<] \S+|\bn \d\S*|\d %")
#: Parentheses with the evidence for a statement. Those with a condition, such as ``(vanilla)``, are part of it.
_EVIDENCE = re.compile(r"\([^()]*(?:\d\.\d|\bn\s\d|\d pairs?\b)[^()]*\)")


def render_page(template: str, **values: Any) -> str:
    """The page of a template, ``reporters/report.html.j2`` say, which extends ``pages/page.html.j2``."""
    script = read_script()
    return _compile_template(template).render(
        style=Markup(read_asset("pages/page.css") + read_asset("pages/explorer.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        wording=wording,
        **values,
    )


@cache
def read_script() -> str:
    """The whole script of a page."""
    parts = "".join(read_asset(f"pages/script/{name}.js") for name in SCRIPT)
    return f'(() => {{\n"use strict";\n{parts}}})();\n'


def embed_json(value: Any) -> Markup:
    """JSON that may stand in a ``<script>`` element: no text in it can end the element or begin a comment."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


@cache
def read_asset(name: str) -> str:
    """The text of a file in ``reports/``."""
    return files("pytest_codereason.reports").joinpath(name).read_text(encoding="utf-8")


@cache
def _compile_template(name: str) -> jinja2.Template:
    """The template of a page. A process that writes several pages compiles the template once."""
    # Autoescape on: whatever a model wrote is text, and the policy in the page lets no other script run.
    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(read_asset),
    )
    environment.filters |= {"visible": visible, "plain": _format_plain}
    environment.filters |= {"unbroken": join_figures, "set_back": set_evidence_back}
    return environment.get_template(name)


def join_figures(text: str) -> str:
    """The text with figures such as ``[0.135, 0.617]`` or ``>= old - 0.03`` in which no line breaks."""
    return _UNBROKEN.sub(lambda found: found[0].replace(" ", "\xa0"), text)


def set_evidence_back(text: str) -> Markup:
    """A sentence whose evidence in parentheses is set back, so that a reader sees first what the sentence says."""
    parts, end = [], 0
    text = join_figures(text)
    for found in _EVIDENCE.finditer(text):
        parts += [escape(text[end : found.start()]), Markup('<span class="evidence">{}</span>').format(found[0])]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])


def _format_plain(value: Any) -> str:
    """A value of ``run.json`` in a table: text as it is, ``unknown`` for nothing, JSON for the rest."""
    if value is None:
        return "unknown"
    return visible(value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False))
