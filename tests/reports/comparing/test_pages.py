"""What the pages of a comparison say, in which order, and what foreign text does to them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_codereason.core import AxisValue
from pytest_codereason.reports.comparing.flips import FlipCount
from pytest_codereason.reports.comparing.json_page import write_json
from pytest_codereason.reports.comparing.markdown_page import write_markdown
from pytest_codereason.reports.comparing.sentences import describe_suite
from pytest_codereason.reports.comparing.text_page import format_flip_count, write_text
from tests.reports.comparing.words import compare_small, make_small_run

OLD, NEW = make_small_run({"m": "c" * 40}), make_small_run({"m": "c" * 20 + "w" * 15 + "t" * 5})


def test_a_worse_side_whose_answers_were_cut_off_is_not_certain() -> None:
    runs = make_small_run({"m": "c" * 40}), make_small_run({"m": "c" * 20 + "t" * 20})
    comparison = compare_small(*runs)
    said = (
        "Not certain: 20 answers were truncated (0 in A, 20 in B). If all of them were right, the change would be "
        "0.000; if all were wrong, −0.500."
    )
    (pair,) = comparison.pairs
    (suite,) = pair.suites
    sentences = list(describe_suite(suite, pair))
    assert sentences[0].startswith("B is worse than A: exact falls from 1.000 to 0.500")
    assert sentences[0].endswith(said)


def test_the_answer_comes_first_then_the_table_then_the_flips() -> None:
    text = write_text(compare_small(OLD, NEW, flips=2), 120)
    assert text.splitlines()[:5] == [
        "A  m, one, 2026-11-21 10:00",
        "B  m, two, 2026-11-21 10:00",
        "",
        "B against A",
        "  semtrace: same plan, 40 questions.",
    ]
    answer = "B is worse than A: exact falls from 1.000 to 0.500 (−0.500 [−0.650, −0.350], p < 0.001) on 40 answers"
    assert text.splitlines()[5].startswith(f"    {answer}")
    assert "    Of 20 answers lost in all conditions: 15 wrong (a list of another length), 5 truncated.\n" in text
    assert "  exact      1.000  0.500  −0.500 [−0.650, −0.350]    20    0  < 0.001    < 0.001         worse\n" in text
    assert (
        text.index("verdict")
        < text.index("lost python/20[] (wrong)")
        < text.index("18 more; show them with --flips 20")
    )


def test_a_flip_names_the_repository_unless_its_id_does() -> None:
    old, new = (
        (run, [row | {"repository": "shop", "id": row["id"].replace("/1[", "/shop_1[")} for row in rows])
        for run, rows in (make_small_run({"m": "cc"}), make_small_run({"m": "ww"}))
    )
    comparison = compare_small(old, new)
    for page in (write_text(comparison), write_markdown(comparison).replace("\\", "")):
        assert "lost python/0[] of shop (wrong)" in page
        assert "lost python/shop_1[] (wrong)" in page
    (pair,) = json.loads(write_json(comparison))["pairs"]
    assert [flip["repository"] for flip in pair["suites"]["semtrace"]["flips"]["shown"]] == ["shop", "shop"]


def test_what_is_worse_in_part_is_said_before_what_is_not_clear() -> None:
    axes: dict[str, list[Any]] = {"language": ["python"], "perturbation": ["vanilla", "dead-code"]}
    at = [{"perturbation": value} for value in axes["perturbation"]]
    old, (run, rows) = (make_small_run({"m": "c" * 40}, axes=axes, at=at) for _ in range(2))
    wrong = {"outcome": "wrong", "answer": "[0]", "metrics": {"exact": 0.0}}
    rows = [row | wrong if row["axes"]["perturbation"] == "dead-code" else row for row in rows]
    lines = " ".join(write_text(compare_small(old, (run, rows)), 400).split())
    worst = lines.index("B is worse than A: exact, perturbation dead-code falls from 1.000 to 0.000")
    assert worst < lines.index("No difference: exact (vanilla) is 1.000 in both")


def test_two_endpoints_of_one_name_are_told_apart() -> None:
    old, new = make_small_run({"m": "cc"}), make_small_run({"m": "cw"})
    for (run, _), port in ((old, 8001), (new, 8002)):
        run["models"]["m"]["identity"] = {"endpoint": f"http://127.0.0.1:{port}/v1"}
    sentence = "A was asked at http://127.0.0.1:8001/v1, B at http://127.0.0.1:8002/v1."
    assert sentence in write_text(compare_small(old, new))
    assert "was asked at" not in write_text(compare_small(old, old))


def test_no_line_is_wider_than_the_terminal() -> None:
    assert max(map(len, write_text(compare_small(OLD, NEW), 80).splitlines())) <= 80


@pytest.mark.slow
def test_no_line_ends_within_an_interval_or_a_percentage() -> None:
    for width in range(80, 140):
        lines = write_text(compare_small(OLD, NEW), width).splitlines()
        assert not [line for line in lines if line.rfind("[") > line.rfind("]")]
        assert "95 % interval" in " ".join(" ".join(lines).split())
        assert not [line for line in lines if line.endswith(" 95") or line.lstrip().startswith("% ")]


def test_a_run_against_itself_is_said_to_be_the_same() -> None:
    text = write_text(compare_small(OLD, OLD), 120)
    assert "No difference: exact is 1.000 in both, and none of 40 answers about 40 programs flips." in text
    assert "A true difference of 0.223 would be clear in 4 of 5 such comparisons." in " ".join(text.split())
    assert "flipped" not in text
    few = make_small_run({"m": "ccc"})
    assert "No difference could have been clear on so few questions." in " ".join(
        write_text(compare_small(few, few)).split()
    )


def test_a_difference_that_so_few_programs_cannot_show_is_not_denied() -> None:
    sizes = {
        programs: (make_small_run({"m": "c" * programs}), make_small_run({"m": "w" * programs})) for programs in (5, 9)
    }
    text = " ".join(write_text(compare_small(*sizes[5]), 120).split())
    assert "Too few programs to tell: exact goes from 1.000 to 0.000 (" in text
    assert " too few to tell " in text
    assert "No clear difference" not in text
    assert "B is worse than A" in " ".join(write_text(compare_small(*sizes[9]), 120).split())


def test_the_first_lines_say_what_is_left_out() -> None:
    old = make_small_run({"m": "ccc", "x": "c"}, programs=["a", "b", "c"], complete=False)
    new = make_small_run({"m": "cc"}, plan="q", programs=["a", "z"])
    new[0]["suites"]["ladder"] = new[0]["suites"]["semtrace"]
    new[1].append({"suite": "semtrace"})
    text = write_text(compare_small(old, new), 300)
    assert text.splitlines()[:8] == [
        "A  m, one, 2026-11-21 10:00, PARTIAL: the run is incomplete",
        "B  m, two, 2026-11-21 10:00",
        "Not compared: x (one), which the other run did not ask.",
        "Not compared: ladder, a suite of B alone.",
        "1 damaged line of records is left out, the first: row 3: the key 'id' is missing.",
        "",
        "B against A",
        "  semtrace: other plans, 1 question of 3 in A and 2 in B; 1 is in A alone; 1 question of one id has another "
        "program or answer.",
    ]


def test_answers_from_the_store_and_second_answers_are_said() -> None:
    run, rows = make_small_run({"m": "c" * 40}, reused_oldest_s=3 * 86_400.0)
    kept = [row | {"reused": True} for row in rows[:10]] + rows[10:]
    again = [row | {"repeat": 1, "outcome": "wrong", "metrics": {"exact": 0.0}} for row in rows[:4]]
    text = write_text(compare_small(OLD, (run, [*kept, *again])), 300)
    assert "B: 10 answers are reused from the store; the oldest is 3 days old. An answer that both runs" in text
    assert (
        "    Noise floor: B asked again, 4 of 4 answers flipped (1.000 [0.510, 1.000]) and 0 texts changed.\n" in text
    )
    assert "none of 40 answers" in text, "second answers are in no comparison"


def test_runs_of_one_suite_share_no_question() -> None:
    text = write_text(compare_small(make_small_run({"m": "c-"}), make_small_run({"m": "-c"})))
    assert "A and B share no question, so nothing is compared." in text


def test_what_a_model_wrote_is_text_and_no_markup() -> None:
    old, new = make_small_run({"m": "c"}), make_small_run({"m": "w"})
    new[1][0]["answer"] = "\x1b[31m<script>| *"
    assert "\x1b" not in write_text(compare_small(old, new))
    page = write_markdown(compare_small(old, new))
    assert "<script>" not in page
    assert "\x1b" not in page
    assert "&lt;script&gt;\\| \\*" in page


def test_markdown_and_json_say_what_the_text_says() -> None:
    comparison = compare_small(OLD, NEW)
    assert "| semtrace | exact | 1.000 | 0.500 |" in write_markdown(comparison)
    content = json.loads(write_json(comparison))
    (pair,) = content["pairs"]
    row = pair["suites"]["semtrace"]["rows"][0]
    assert (row["metric"], row["verdict"], row["difference"]["value"]) == ("exact", "worse", -0.5)
    assert pair["suites"]["semtrace"]["flips"]["lost"] == 20
    assert content["sides"]["B"] == {
        "model": "m",
        "run": "two",
        "started": "2026-11-21T10:00:00+00:00",
        "partial_because": None,
    }


def test_a_number_of_an_axis_is_no_part_of_a_count() -> None:
    def word(axis: str, value: AxisValue, pairs: int = 5) -> str:
        return format_flip_count(FlipCount(axis=axis, value=value, lost=2, won=0, pairs=pairs))

    assert word("level", 1) == "1 (2 lost of 5)"
    assert word("density", 0.5) == "0.5 (2 lost of 5)"
    assert word("language", "php") == "php 2 lost of 5"
    assert word("", "truncated", 0) == "truncated 2 lost"
