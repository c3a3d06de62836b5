"""Writes the datasheet of a set: where its programs come from, how they were chosen, and what they are fit for."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.harvest.funnel import FunnelContent, draw_funnel
from pytest_codereason.harvest.sets.tables import SizeTable, draw_sizes
from pytest_codereason.harvest.settings import Settings


def write_datasheet(settings: Settings, funnel: FunnelContent, statistics: Mapping[str, SizeTable]) -> str:
    """The datasheet in Markdown. The same harvest gives the same text."""
    accepted = sum(tally["accepted"] for tally in funnel["languages"].values())
    licences = "any" if settings.any_licence else ", ".join(settings.licences)
    repositories = "\n".join(
        f"| {each['name']} | {each['place']} | {each['version']} | {each['split'] or each['complaint'] or 'none'} |"
        for each in funnel.get("repositories", ())
    )
    cap = (
        f"At most {settings.files} files of a repository and language are drawn" if settings.files else "All are taken"
    )
    return f"""\
# Datasheet

{accepted:,} programs whose call graph was witnessed: which of a program's functions called which when the program ran.

## What the set is for

It measures whether a reader of a program knows its call graph, and it trains such readers. A call graph holds the
calls of one run. A call that is not in it may happen with another input.

## What a program is

A folder `LANGUAGE/NAME/` holds the files of the program, `output.txt` (all that it prints), `callgraph.json` (callers
and their callees) and `program.json` (entry, origin, licence, and where its driver comes from).

{chr(10).join(draw_sizes(statistics))}

A line counts if it is not blank. A function counts if the program declares it.

## Where the programs come from

| repository | place | version | split |
|---|---|---|---|
{repositories}

Accepted licences: {licences}. `program.json` names the licence of each program. The programs keep their licences.

## How the programs were chosen

Each file was refused for the first reason that applies, or programs were made of it. {cap}, with the seed
{settings.seed}. A program was run once as it is and three times under trace, in a sandbox, in Python with different
hash seeds. It was accepted if each run ended without an error, printed the same and had the same calls, with at least
two calls between different functions. Of programs that are nearly alike the first stayed.
{_describe_writer(settings, funnel)}
```
{chr(10).join(line.rstrip() for line in draw_funnel(funnel))}
```

## How the programs are split

All programs of a repository are on one side. `split/` holds the ids of each side and the side of each repository.

## What is not known

- No person has looked at the programs. Code of a repository may hold names, mail addresses or offensive words.
- A model may have seen the repositories while it was trained.
- A program that was made to deceive can forge the calls between its own functions.
"""


def _describe_writer(settings: Settings, funnel: FunnelContent) -> str:
    """Whose drivers are in the set besides those by rule; empty if nobody was asked."""
    if not settings.writer:
        return ""
    written = sum(tally.get("written", 0) for tally in funnel["languages"].values())
    return f"""
Where no driver was found by rule, one was asked of a writer: {settings.writer}. {written:,} programs have such a
driver. Each function of their files stands in them as it was, but for layout and comments. Imports of other packages
may be stubs of the writer. `drivers.jsonl` holds what the writer wrote.
"""
