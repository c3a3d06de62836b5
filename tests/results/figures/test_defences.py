"""Defences against misleading text, against numbers worked out by hand."""

from __future__ import annotations

from pytest_codereason.results.figures.defences import Defences
from tests.results.figures.rows import record, run, show

VALUES = ["vanilla", "comments"]


def test_defences_stand_side_by_side_under_each_perturbation() -> None:
    rows = []
    for program in range(40):
        for value in VALUES:
            for defence in ("none", "ignore-comments", "refactor"):
                right = value == "vanilla" or defence == "ignore-comments"
                row = record("s", "m", program, {"perturbation": value, "defence": defence}, right)
                if defence == "refactor":
                    row["metrics"] |= {"rewritten": 1.0, "rewrite_kept": float(value == "vanilla" or program >= 10)}
                rows.append(row)
    axes = {"perturbation": VALUES, "defence": ["none", "ignore-comments", "refactor"]}
    (picture,) = show(Defences(), rows, run({"s": ("output-prediction", axes)}, ["m"]))
    cells = {(row[1], row[2]): row[3:] for row in picture.rows}
    assert cells["comments", "none"][2:] == ("reference", "", "")
    assert cells["comments", "ignore-comments"][2].startswith("+1.000")
    assert cells["comments", "ignore-comments"][3:] == ("", "")
    assert cells["comments", "refactor"][2].startswith("0.000 [")
    assert cells["comments", "refactor"][3:] == ("10 of 40 (25.0 %)", "0 of 40 (0.0 %)")
    assert cells["vanilla", "refactor"][3] == "0 of 40 (0.0 %)"
    (panel,) = picture.panels
    assert panel.labels == VALUES
    assert [round(p.x) for p in panel.lines["refactor"]] == [0, 1]
    assert picture.sentence == (
        f"m gains most under comments with ignore-comments: {cells['comments', 'ignore-comments'][2]} "
        "(4 changes looked at together). Its rewritings broke the program in 10 of 80 (12.5 %)."
    )
