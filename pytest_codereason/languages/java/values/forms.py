"""Java: the forms in which data are given, and how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Type:
    """``Map<String, int[]>``; ``arguments`` is ``None`` without angle brackets and empty for ``<>``."""

    name: str
    arguments: tuple[Type, ...] | None = None
    dimensions: int = 0

    def __str__(self) -> str:
        inside = "" if self.arguments is None else f"<{', '.join(map(str, self.arguments))}>"
        return f"{self.name}{inside}{'[]' * self.dimensions}"


@dataclass(frozen=True, slots=True)
class ArgumentForm:
    """One allowed form, and the forms inside.

    ======== ==================================== ==========================
    kind     name                                 example
    ======== ==================================== ==========================
    literal  the literal, as ``write`` gives it   ``1L``
    cast     the type                             ``(short) 1``
    array    the type of the array                ``new int[] {1, 2}``
    braces                                        ``{1, 2}`` within an array
    call     the method                           ``List.of(1, 2)``
    new      the type                             ``new ArrayList<>(List.of(1))``
    ======== ==================================== ==========================
    """

    kind: Literal["literal", "cast", "array", "braces", "call", "new"]
    name: str | Type = ""
    parts: tuple[ArgumentForm, ...] = ()
    filling: tuple[ArgumentForm, ...] = ()  #: calls that fill a new collection: ``{{ add(1); add(2); }}``


def write_form(form: ArgumentForm) -> str:
    """The text of a form."""
    inside = ", ".join(map(write_form, form.parts))
    match form.kind:
        case "literal":
            return str(form.name)
        case "cast":
            return f"({form.name}) ({inside})" if inside.startswith("-") else f"({form.name}) {inside}"
        case "array":
            return f"new {form.name} {{{inside}}}"
        case "braces":
            return f"{{{inside}}}"
        case "call":
            return f"{form.name}({inside})"
    filling = " ".join(f"{write_form(call)};" for call in form.filling)
    return f"new {form.name}({inside})" + (f" {{{{ {filling} }}}}" if filling else "")
