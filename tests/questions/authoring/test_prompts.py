"""What a writer is asked rests on templates: a changed one makes every text of the kind anew."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.core import TextKind
from pytest_codereason.questions.authoring._prompts import TemplateText
from pytest_codereason.questions.templates import loading

KINDS = [name for name in registry.list_shipped(TextKind) if (loading.SHIPPED / name).is_dir()]


@pytest.mark.parametrize("name", KINDS)
def test_a_changed_template_changes_the_digest(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = registry.find(TextKind, name)()
    before = kind.digest_for()
    shutil.copytree(loading.SHIPPED / name, tmp_path / name)
    monkeypatch.setattr(loading, "SHIPPED", tmp_path)
    assert kind.digest_for() == before
    for template in (tmp_path / name).iterdir():
        shown = template.read_text("utf-8")
        template.write_text(shown.replace("===\n", "===\nPlease. ", 1), "utf-8")
        assert kind.digest_for() != before, template.name
        template.write_text(shown, "utf-8")


def test_every_kind_with_a_template_is_among_them() -> None:
    assert {"comments", "names", "dead-code", "driver", "translation", "reasoning", "hint"} <= {*KINDS}
    kinds = [registry.find(TextKind, name) for name in KINDS if name != "hint"]
    assert all(issubclass(kind, TemplateText) for kind in kinds)
