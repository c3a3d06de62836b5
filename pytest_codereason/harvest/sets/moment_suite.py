"""The suite that comes with a set and asks about moments of the runs of its programs: ``pytest set --model=...``."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pytest_codereason.registry import language

#: Its file in the folder of the set.
NAME = "moments.suite.toml"
_TEXT = """# What happens at one moment of a run of a harvested program? docs/moments.md has an example of each kind.
task = "moment"
languages = {languages}

[source]
name = "corpus"
path = "."

[matrix]
about = ["value", "visits", "branch", "next", "writer", "alias"]

[sampling]
temperature = 0.0
max_tokens = 500
"""


def write_suite(languages: Sequence[str]) -> str:
    """The text of the suite; empty if no tracer of these languages witnesses moments."""
    known = [name for name in languages if language(name).tracer.has_moments]
    return _TEXT.format(languages=json.dumps(known)) if known else ""
