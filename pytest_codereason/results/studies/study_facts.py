"""What papers fix for their figures, as a table of facts: :data:`ROWS`.

Example: *Sense and Sensitivity* asks about 800 programs of SemTrace, greedily, among 20, 40, 60 or 80 functions of
CodeSearchNet of about 200 tokens. Its figure 4 has 80 functions only, and numbers of 2 to 6 digits. So a row holds for
the whole paper, and a later row replaces two of its facts for figure 4.

:mod:`~pytest_codereason.results.studies.studies` reads from a run what the facts are about, under the same keys.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pytest_codereason.results.studies.study_conditions import (
    AtLeast,
    Every,
    FromPool,
    Mutations,
    NoPool,
    Only,
    Perturbations,
    Places,
    Programs,
    StudyFact,
    Whole,
    WrittenBy,
)


@dataclass(frozen=True, kw_only=True)
class StudyRow:
    """Facts of a paper. A later row replaces those of the rows before it."""

    paper: str  #: how :attr:`Picture.after` begins
    places: Collection[str] = ()  #: the tables and figures, as :attr:`Picture.after` names them; empty: all of them
    #: the ways of prompting; empty: all of them. ``reasoning`` is the direct way without a prefill
    ways: Collection[str] = ()
    tasks: Collection[str] = ()  #: empty: all of them
    facts: Mapping[str, StudyFact | None]  #: ``None`` if the paper leaves it open here

    def is_about(self, place: str, task: str, ways: Collection[str]) -> bool:
        """Whether the facts hold for a figure about this task, asked in one of these ways."""
        asked = ((self.places, {place}), (self.tasks, {task}), (self.ways, {*ways}))
        return all(not named or there & {*named} for named, there in asked)


RECALL, CRASH, GRAPHS, FAULTS = "Sense and Sensitivity", "CodeCrash", "TraceEval", "Haroon et al."
#: The digits of SemTrace are a study of their own within the paper.
DIGITS = ("figure 4", "section 5.3")
#: What CodeCrash says of models that reason. They get the direct prompt without a limit on tokens.
REASONING = ("table 4", "figure 3")
#: What the fourth study says of mutated programs.
MUTATED = ("section V", "section V-A", "section V-B", "figure 6", "figure 8", "figure 10")
DENSITIES = ("figure 4", "figure 4 and table 6", "table 6")

_OUTPUTS, _INPUTS, _COPIES = "output-prediction", "input-prediction", "function-retrieval"
#: The perturbations that CodeCrash averages over, and those that it asks alone besides.
_FOUR = frozenset({"psc-all", "comments", "prints", "hint"})
_SEVEN = _FOUR | {"rename", "conditions", "dead-code"}
_PERTURBED = r"(rename|conditions|dead-code|psc-all|hint|(comments|prints)(\(density=[\d.]+\))?)"
#: How many programs of CRUXEval-X have a test that can be read. The papers say only that they take the languages.
_TRANSLATED = {"python": 800, "javascript": 743, "php": 745}

ROWS = (
    StudyRow(
        paper=RECALL,
        facts={
            "language": Only(("python", "javascript", "php")),
            "programs": Programs(
                {
                    "semtrace": dict.fromkeys(_TRANSLATED, 800),
                    "cruxeval": {"python": 800},
                    "cruxeval-x": _TRANSLATED,
                }
            ),
            "questions": Whole(),
            "task": Only((_OUTPUTS, _INPUTS, _COPIES)),
            "prompting": Only(("direct",)),
            "template": Only(("default",)),
            "query": Only(("both",)),
            "layout": Only(("plain",)),
            "prefill": Only((True,)),
            "shots": Only((0,)),
            "defence": Only(("none",)),
            "samples": Only((1,)),
            "temperature": Only((0,)),  # greedy
            "top_p": Only((None, 1)),
            "reasoning_effort": Only((None,)),
            "max_tokens": AtLeast(100),  # the paper names no limit; the longest list of SemTrace fits into this one
            "perturbation": Only(()),
            "axes": Only(("language", "digits", "removed")),
            "pool": FromPool("code-search-net"),
            "tokens": Only((0,)),
            "distractors": Every((20, 40, 60, 80), besides=(0,)),  # 0 is of the tables 1 and 2
            "position": Places(tuple(range(0, 101, 10))),
        },
    ),
    StudyRow(paper=RECALL, tasks=(_COPIES,), facts={"layout": Only(("keys",))}),
    StudyRow(
        paper=RECALL,
        places=DIGITS,
        facts={
            "language": Only(("python",)),
            "digits": Every((2, 3, 4, 5, 6)),
            "distractors": Every((80,), besides=(0,)),
        },
    ),
    StudyRow(
        paper=RECALL,
        places=("tables 1 and 2",),
        facts=dict.fromkeys(("pool", "tokens", "distractors", "position")),
    ),
    StudyRow(
        paper=RECALL,
        places=("equation 1, figure 3", "equation 1, figures 1 and 3"),
        facts={
            "language": Only(("python",)),
            "programs": Programs({"cruxeval": {"python": 800}}),
            "task": Only((_OUTPUTS, _INPUTS)),
            "versions": AtLeast(4096),  # as many as any of its programs has
            "pool": NoPool(),
            "distractors": None,
            "position": None,
        },
    ),
    StudyRow(
        paper=CRASH,
        facts={
            "language": Only(("python", "javascript")),
            "programs": Programs({"cruxeval": {"python": 800}, "livecodebench": {"python": 479, "javascript": 479}}),
            "questions": Whole(),
            "task": Only((_OUTPUTS, _INPUTS)),
            "prompting": Only(("direct", "cot")),
            "template": Only(("cruxeval",)),
            "query": Only(("after",)),
            "examples": Only(("plain",)),
            "layout": Only(("plain",)),
            "defence": Only(("none",)),
            "temperature": Only((0.2,)),
            "top_p": Only((0.95,)),
            "prefill": Only((False,)),
            "perturbation": Perturbations(_PERTURBED),
            "hints": Only(()),
            "writers": WrittenBy({"hint": "hints"}),
            "axes": Only(("language", "perturbation", "prompting", "reasoning_effort")),
            "pool": NoPool(),
        },
    ),
    StudyRow(
        paper=CRASH,
        ways=("direct",),
        facts={"shots": Only((2,)), "samples": Only((3,)), "max_tokens": Only((200,))},
    ),
    StudyRow(
        paper=CRASH,
        ways=("cot",),
        facts={"shots": Only((1,)), "samples": Only((1,)), "max_tokens": Only((2000,))},
    ),
    StudyRow(
        paper=CRASH,
        places=("tables 1 and 2", "table 2", "tables 2 and 15", "tables 13 and 14", "tables 14 and 16"),
        facts={"task": Only((_OUTPUTS,)), "perturbation": Perturbations(_PERTURBED, _FOUR)},
    ),
    StudyRow(
        paper=CRASH,
        places=("tables 1, 2 and 10", "table 11"),
        facts={"task": Only((_OUTPUTS,)), "perturbation": Perturbations(_PERTURBED, _SEVEN)},
    ),
    StudyRow(
        paper=CRASH,
        places=("table 5", "table 12", "table 17"),
        facts={
            "language": Only(("python",)),
            "programs": Programs({"cruxeval": {"python": 800}}),
            "task": Only((_INPUTS,)),
            "perturbation": Perturbations(_PERTURBED, _FOUR),
        },
    ),
    StudyRow(
        paper=CRASH,
        places=("table 7",),
        facts={
            "programs": Programs({"livecodebench": {"python": 479, "javascript": 479}}),
            "task": Only((_OUTPUTS,)),
            "perturbation": Perturbations(_PERTURBED, _FOUR),
        },
    ),
    StudyRow(
        paper=CRASH,
        places=("tables 8 and 9",),
        facts={
            "language": Only(("python",)),
            "task": Only((_OUTPUTS,)),
            "perturbation": Perturbations(_PERTURBED, _FOUR),
            "defence": Every(("none", "ignore-comments", "refactor")),
            "axes": Only(("language", "perturbation", "prompting", "reasoning_effort", "defence")),
        },
    ),
    StudyRow(
        paper=CRASH,
        places=REASONING,
        facts={
            "language": Only(("python",)),
            "task": Only((_OUTPUTS,)),
            "prompting": Only(("direct",)),
            "perturbation": Perturbations(_PERTURBED, _FOUR),
        },
    ),
    # One answer: the accuracies of the authors' summary.json are whole numbers of 800 programs.
    StudyRow(
        paper=CRASH,
        places=REASONING,
        ways=("direct",),
        facts={"samples": Only((1,)), "max_tokens": Only((None,))},
    ),
    StudyRow(
        paper=CRASH,
        places=DENSITIES,
        facts={"language": Only(("python",)), "task": Only((_OUTPUTS,))},
    ),
    StudyRow(
        paper=CRASH,
        places=DENSITIES,
        ways=("reasoning",),
        facts={"samples": Only((1,)), "max_tokens": Only((None,))},
    ),
    StudyRow(
        paper=GRAPHS,
        facts={
            "language": Only(("python", "javascript", "java")),
            "programs": Programs({}),  # its own set, which a user may have, but no source knows
            "questions": Whole(),
            "template": Only(("default",)),
            "defence": Only(("none",)),
            "temperature": Only((0,)),
            "perturbation": Only(()),
            "axes": Only(("language",)),
            "pool": NoPool(),
        },
    ),
    StudyRow(
        paper=FAULTS,
        facts={
            "language": Only(("python", "java")),
            "programs": Programs({"code-instructions": {"python": 637}, "code-search-net": {"java": 670}}),
            "questions": Whole(),
            "template": Only(("default",)),
            "shots": Only((0,)),
            "defence": Only(("none",)),
            "axes": Only(("language", "fault", "fault_quarter", "perturbation")),
            "pool": NoPool(),
        },
    ),
    StudyRow(
        paper=FAULTS,
        places=MUTATED,
        facts={
            "perturbation": Mutations(
                frozenset({"dead-code", "misleading-comments", "misleading-names", "function-order"})
            ),
            "order": Only(("java", "javascript", "php")),  # Python's functions keep their order there
            "writers": WrittenBy({"dead-code": "dead code", "comments": "comments", "names": "names"}, itself=True),
        },
    ),
)


def select_facts(after: str, task: str, way: str, *, reasons: bool) -> Mapping[str, StudyFact]:
    """What the paper fixes for a figure that ``after`` names, in one way of prompting; empty for other papers.

    Example: ``CodeCrash, table 7`` in the way ``cot``. With ``reasons`` the replies have no prefill.
    """
    paper, _, place = after.partition(", ")
    ways = {way, "reasoning"} if reasons and way != "cot" else {way}
    facts: dict[str, StudyFact | None] = {}
    for row in ROWS:
        if row.paper == paper and row.is_about(place, task, ways):
            facts |= row.facts
    return {key: fact for key, fact in facts.items() if fact is not None}
