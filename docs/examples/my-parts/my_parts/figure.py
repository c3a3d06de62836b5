from pytest_codereason.results.figure import Figure
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.values import Count, Label


class Outcomes(Figure):
    """Counts the outcomes of all answers."""

    name = "outcomes"

    def pictures(self, data):
        counts = data.records["outcome"].value_counts()
        yield Picture(
            name="my-outcomes",
            kind="outcomes",
            title="Outcomes of all answers",
            table=Table(
                columns=[Column("outcome", "Outcome"), Column("answers", "Answers")],
                rows=[[Label(outcome), Count(int(count))] for outcome, count in counts.items() if count],
            ),
            sentence=f"{len(data.records)} answers were recorded.",
        )
