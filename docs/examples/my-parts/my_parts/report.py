from pytest_codereason.results.reporter import Reporter


class AnswersCsv(Reporter):
    """Writes answers.csv: the outcome of each answer."""

    name = "answers-csv"

    def write(self, report, folder):
        path = folder / "answers.csv"
        report.data.records[["id", "model", "outcome"]].to_csv(path, index=False)
        return path
