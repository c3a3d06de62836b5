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
from markupsafe import Markup

from pytest_codereason.core.display import visible
from pytest_codereason.core.text import wording

#: The files of the script in the order in which they are joined: a file uses what the files before it define.
SCRIPT = (
    *("elements", "answers", "filtering", "ordering", "address", "texts", "differences", "facets", "shares"),
    *("breakdown", "grid", "virtual_list", "conversation", "card", "paper", "explorer"),
)


_INTERVAL = re.compile(r"\[[^\]]*\]")


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
    environment.filters |= {"visible": visible, "plain": _format_plain, "unbroken": _join_intervals}
    return environment.get_template(name)


def _join_intervals(text: str) -> str:
    """The text with intervals such as ``[0.135, 0.617]`` in which no line breaks."""
    return _INTERVAL.sub(lambda found: found[0].replace(" ", "\xa0"), text)


def _format_plain(value: Any) -> str:
    """A value of ``run.json`` in a table: text as it is, ``unknown`` for nothing, JSON for the rest."""
    if value is None:
        return "unknown"
    return visible(value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False))
