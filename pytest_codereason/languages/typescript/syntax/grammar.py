"""TypeScript as tables: those of JavaScript, and where types stand."""

from __future__ import annotations

from dataclasses import replace

from pytest_codereason.languages.frame.tables import Tables
from pytest_codereason.languages.javascript.syntax import grammar as javascript
from pytest_codereason.languages.typescript.parsing import DECLARATIONS, SIGNATURES, TYPES

_S, _D = javascript.STRUCTURE, javascript.DETAILS
STRUCTURE = replace(
    _S,
    statements={
        **_S.statements,
        **dict.fromkeys(DECLARATIONS, "other"),
        "abstract_class_declaration": "class",
    },
    closed=DECLARATIONS | SIGNATURES | TYPES,
    holders={**_S.holders, "abstract_class_declaration": "name"},
    given={**{k: v for k, v in _S.given.items() if k != "field_definition"}, "public_field_definition": "name"},
    binding={**_S.binding, "required_parameter": ("pattern",), "optional_parameter": ("pattern",)},
)
DETAILS = replace(
    _D,
    defaults={**_D.defaults, "required_parameter": "value", "optional_parameter": "value"},
    reads={**_D.reads, "as_expression": (), "non_null_expression": ()},
)
TABLES = Tables(structure=STRUCTURE, places=javascript.PLACES, details=DETAILS)
