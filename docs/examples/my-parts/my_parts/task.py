from pytest_codereason.core import Ask, Metric, Task, Verdict

WORDS = ("even", "odd")


class Parity(Task):
    """Is the value of the call even or odd?"""

    name = "parity"
    version = 1  # raise it when the same reply gets another score
    needs = frozenset({"output"})  # facts of the program
    asks = "output"
    metrics = (Metric(name="exact", title="Exact match"),)  # the first is the headline
    template = """
=== user ===
{{ code }}
Is {{ call }} even or odd? Answer with one word.
"""

    def steps(self, instance):
        expected = WORDS[instance.program.facts["output"] % 2]
        messages, _ = instance.template.render((), {"code": instance.code, "call": instance.program.call})
        completion = yield Ask(
            messages=messages,
            truth=expected,  # what baseline:truth replies
            guess=lambda random: WORDS[random() < 0.5],  # what baseline:chance replies
        )
        answer = completion.text.strip(" .\n").lower()
        outcome = "invalid" if answer not in WORDS else "correct" if answer == expected else "wrong"
        return Verdict(
            outcome=outcome, expected=expected, answer=answer, metrics={"exact": float(outcome == "correct")}
        )
