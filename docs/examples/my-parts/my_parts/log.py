import csv

from pytest_codereason.errors import UsageError
from pytest_codereason.results.log_format import LogFormat
from pytest_codereason.results.logged_answers import LoggedAnswer, build_log

COLUMNS = ["question", "mark"]


class MarksCsv(LogFormat):
    """Reads and writes CSV files with the columns question and mark."""

    name = "marks-csv"
    title = "a CSV file of marks"

    def recognise(self, path):
        return path.suffix == ".csv"

    def read(self, path):
        with path.open(newline="") as file:
            rows = csv.DictReader(file)
            if rows.fieldnames != COLUMNS:
                raise UsageError(f"{path}: the columns are {rows.fieldnames}, and should be {COLUMNS}")
            answers = [LoggedAnswer(id=row["question"], scores={"mark": float(row["mark"])}) for row in rows]
        return build_log({path.stem: answers}, tool="marks", model="student")

    def write(self, log, folder):
        path = folder / "marks.csv"
        with path.open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerows([COLUMNS, *([row["id"], row["outcome"] == "correct"] for row in log.rows)])
        return [path]
