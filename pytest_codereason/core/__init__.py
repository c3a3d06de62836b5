"""The values that travel from source to record, and the abstract types that a new part implements.

Every value is frozen. A program enters on the left and moves right::

    source -> stages -> task.steps <-> model -> verdict -> record

A part on the left knows nothing about the parts on its right. What is made of records, figures and reports, has its
values and abstract types in ``results/``.
"""

from pytest_codereason.core.answers import (
    ANSWERED,
    SCORED,
    TRUNCATED,
    Completion,
    Finish,
    Metric,
    Outcome,
    Ratio,
    Record,
    Recorded,
    RecordStep,
    Usage,
    Verdict,
    shallow,
)
from pytest_codereason.core.doses import Dose
from pytest_codereason.core.facts import ABSENT, NO_FACTS, Edges, Facts, Fault, Movement, OwnFact
from pytest_codereason.core.faults import FaultExample, FaultOperator, Injection
from pytest_codereason.core.language.capabilities import (
    Arguments,
    Capability,
    Example,
    Language,
    Package,
    Runner,
    Values,
)
from pytest_codereason.core.language.dialects import Dialect
from pytest_codereason.core.language.syntax import Syntax
from pytest_codereason.core.parts import Model, ModelExample, Perturbation, Source, Stage, StagePlace, Task
from pytest_codereason.core.prices import Price
from pytest_codereason.core.programs import (
    EMPTY,
    Axis,
    AxisValue,
    Context,
    Layout,
    Program,
    Spec,
    Value,
    derive_seed,
    digest,
)
from pytest_codereason.core.questions import (
    Ask,
    Instance,
    Message,
    Request,
    Sampling,
    Steps,
    TaskExample,
    Template,
    ask_model,
    run_program,
)
from pytest_codereason.core.text_kinds import RunProgram, TextKind
from pytest_codereason.core.texts import RULE, Rejected, Text, TextRequest

__all__ = [
    "ABSENT",
    "ANSWERED",
    "EMPTY",
    "NO_FACTS",
    "RULE",
    "SCORED",
    "TRUNCATED",
    "Arguments",
    "Ask",
    "Axis",
    "AxisValue",
    "Capability",
    "Completion",
    "Context",
    "Dialect",
    "Dose",
    "Edges",
    "Example",
    "Facts",
    "Fault",
    "FaultExample",
    "FaultOperator",
    "Finish",
    "Injection",
    "Instance",
    "Language",
    "Layout",
    "Message",
    "Metric",
    "Model",
    "ModelExample",
    "Movement",
    "Outcome",
    "OwnFact",
    "Package",
    "Perturbation",
    "Price",
    "Program",
    "Ratio",
    "Record",
    "RecordStep",
    "Recorded",
    "Rejected",
    "Request",
    "RunProgram",
    "Runner",
    "Sampling",
    "Source",
    "Spec",
    "Stage",
    "StagePlace",
    "Steps",
    "Syntax",
    "Task",
    "TaskExample",
    "Template",
    "Text",
    "TextKind",
    "TextRequest",
    "Usage",
    "Value",
    "Values",
    "Verdict",
    "ask_model",
    "derive_seed",
    "digest",
    "run_program",
    "shallow",
]
