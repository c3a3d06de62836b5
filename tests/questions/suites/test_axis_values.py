"""What a suite file says of axes and of sampling; each mistake is named with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_codereason.core.files.toml_files import read_toml
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.axis_values import AxisReader
from pytest_codereason.questions.suites.suite import list_axes
from pytest_codereason.questions.suites.tables import SuiteTables
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction
from tests.engine.tellers import make_suite


def make_reader(folder: Path, text: str, *stages: str) -> AxisReader:
    path = folder / "a.suite.toml"
    path.write_text(text)
    task, suite = OutputPrediction(), make_suite(folder)
    return AxisReader(SuiteTables(read_toml(path)), task, list_axes(suite.source, suite.stages, task), stages)


def test_axes_stand_in_the_matrix_alone_in_the_source_or_at_their_default(tmp_path: Path) -> None:
    text = 'shots = 2\n[matrix]\nprompting = ["direct", "cot"]\n'
    conditions = make_reader(tmp_path, text).read_conditions({"name": "semtrace", "digits": 4})
    assert conditions.matrix == {"prompting": ("direct", "cot")}
    assert conditions.fixed["shots"] == 2
    assert conditions.fixed["digits"] == 4, "of the source"
    assert "prompting" not in conditions.fixed
    assert conditions.fixed["query"] == OutputPrediction.axes["query"].default
    assert "temperature" not in conditions.fixed, "an axis of sampling counts only where it is set"
    assert conditions.prompted == {}


def test_an_axis_may_have_a_value_for_each_way_of_prompting(tmp_path: Path) -> None:
    text = 'shots = {direct = 2, cot = 1}\n[matrix]\nprompting = ["direct", "cot"]\n'
    conditions = make_reader(tmp_path, text).read_conditions({})
    assert conditions.prompted == {"direct": {"shots": 2}, "cot": {"shots": 1}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[matrix]\ndigit = [2]\n", "a.suite.toml:2: unknown axis 'digit' (did you mean 'digits'?)"),
        ("[matrix]\nsamples = [2]\n", "a.suite.toml:2: 'samples' is no axis: write it into [sampling]"),
        ("[matrix]\ndigits = []\n", "a.suite.toml:2: 'digits' has no value: give at least one of"),
        ("[matrix]\ndigits = [2, 2]\n", "a.suite.toml:2: 'digits' names a value twice"),
        ('[matrix]\nprompting = ["cott"]\n', "a.suite.toml:2: 'prompting' cannot be 'cott' (did you mean 'cot'?)"),
        ("digits = [2, 3]\n", "a.suite.toml:1: 'digits' takes one value here, not [2, 3]: write a list of values"),
        ("digits = 2\n[matrix]\ndigits = [2]\n", "a.suite.toml:1: 'digits' is set twice, here and in [matrix]"),
        ("shots = {directt = 2}\n", "[shots.directt] names no way of prompting (did you mean 'direct'?)"),
    ],
)
def test_a_mistake_in_an_axis_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        make_reader(tmp_path, text).read_conditions({})


def test_the_table_of_a_stage_may_have_the_name_of_an_axis(tmp_path: Path) -> None:
    text = "[digits]\nmark = 1\n[matrix]\ndigits = [2]\n"
    assert make_reader(tmp_path, text, "digits").read_conditions({}).matrix == {"digits": (2,)}
    with pytest.raises(UsageError, match="'digits' is set twice"):
        make_reader(tmp_path, text).read_conditions({})


def test_answers_are_drawn_as_the_file_says_or_as_the_user_says(tmp_path: Path) -> None:
    text = "[sampling]\ntemperature = 0.5\nsamples = 3\n[sampling.cot]\nmax_tokens = 9\nsamples = 5\n"
    drawing = make_reader(tmp_path, text).read_drawing({"top_p": 0.5})
    plain, cot = drawing.settings_for("direct"), drawing.settings_for("cot")
    assert (plain.temperature, plain.max_tokens, plain.top_p) == (0.5, 200, 0.5)
    assert (cot.temperature, cot.max_tokens, cot.top_p) == (0.5, 9, 0.5)
    assert (drawing.samples_for("direct"), drawing.samples_for("cot")) == (3, 5)
    assert make_reader(tmp_path, "").read_drawing({}).samples == {"": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[sampling]\nsamples = 0\n", "a.suite.toml:2: 'samples' must be a whole number from 1 to 1000, not 0"),
        ("[sampling]\nsamples = 1001\n", "not 1001"),
        ("[sampling]\nsamples = true\n", "not True"),
        ("[sampling]\ntemperature = 3\n", "a.suite.toml:2: 'temperature' must be a number from 0 to 2, not 3"),
        ("[sampling]\nprompting = 3\n", "a.suite.toml:2: 'prompting' does not belong here: write it into [matrix]"),
        ("[sampling.co]\nsamples = 1\n", "a.suite.toml:1: [sampling.co] names no way of prompting"),
    ],
)
def test_a_mistake_in_sampling_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        make_reader(tmp_path, text).read_drawing({})
