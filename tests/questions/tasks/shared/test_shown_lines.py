"""Lines are counted in the text that is shown."""

from __future__ import annotations

import pytest

from pytest_codereason.changes.stages.layout import LayoutStage
from pytest_codereason.core import Context, Instance, Program
from pytest_codereason.questions.tasks.shared.shown_lines import ShownLines, find_label
from pytest_codereason.questions.templates.loading import load

FILES = {"main.py": "\n\nimport lib\n\nlib.f()\n\n", "lib.py": "\ndef f():\n    return 1\n"}
ONE = {"main.py": "\n\nx = 1\n\ny = 2\n"}
CONTEXT = Context(distractors=("def a():\n    pass\n", "\ndef b():\n    pass\n", "def c():\n    pass"), place=2)


@pytest.mark.parametrize("layout", ["plain", "numbers", "keys"])
@pytest.mark.parametrize("context", [None, CONTEXT])
@pytest.mark.parametrize("files", [FILES, ONE])
def test_every_line_of_code_is_found_where_it_is_shown(
    files: dict[str, str], context: Context | None, layout: str
) -> None:
    program = Program(language="python", files=files, entry="main.py")
    instance = Instance(
        id="x",
        family="x",
        suite="x",
        program=program,
        axes={"layout": layout},
        matrix={},
        template=load("fault-localization", "direct"),
        context=context,
    )
    instance = LayoutStage.create({}, seed=0, languages=("python",)).apply(instance, lambda _: None)
    shown = ShownLines(instance)
    text = instance.code.strip("\n").split("\n")
    for file, source in files.items():
        for number, line in enumerate(source.split("\n"), 1):
            found = shown.find(file, number)
            assert found is not None or not line
            if found is not None and line:
                assert shown.lines[found - 1] == line
                assert line in text[found - 1], "counted as a reader counts"
                assert find_label(shown.labels, shown.name(found)) == found
                assert find_label(shown.labels, shown.name(found).upper()) == found
    assert find_label(shown.labels, "999") is None
    quarters = [quarter for number in range(1, len(shown.lines) + 1) if (quarter := shown.find_quarter(number))]
    assert quarters == sorted(quarters)
    assert quarters[0] == 1
    assert quarters[-1] >= 3
    assert context is None or shown.find_quarter(1) is None
