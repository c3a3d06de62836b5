"""Another name for a binding, written at each of its uses."""

from __future__ import annotations

from pytest_codereason.core.language.structure import Binding, Span


def list_renamed_uses(binding: Binding, name: str) -> list[tuple[Span, str]]:
    """What stands at each use in the source once the binding has another name."""
    return [(use.span, use.template.format(name)) for use in binding.uses if not use.in_call]
