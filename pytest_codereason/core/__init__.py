"""The values that travel from source to report, and the abstract types a new part implements.

Everything here is frozen: a program enters on the left and only ever moves right::

    source -> task.steps <-> model -> verdict -> record -> report, gate

Each arrow is one function over these values, and nothing to the left of an arrow knows what
stands to the right of it. This module imports nothing else of the package but what an execution is.
"""

from pytest_codereason.core.answers import (
    ANSWERED,
    SCORED,
    Completion,
    Finish,
    Metric,
    Outcome,
    Record,
    Usage,
    Verdict,
    shallow,
)
from pytest_codereason.core.kinds import Model, ModelExample, Perturbation, Source, Stage, Task
from pytest_codereason.core.languages import Arguments, Capability, Dialect, Example, Language, Runner, Syntax, Values
from pytest_codereason.core.programs import (
    EMPTY,
    Axis,
    AxisValue,
    Context,
    Dose,
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
    asked,
    ran,
)

__all__ = [
    "ANSWERED",
    "EMPTY",
    "SCORED",
    "Arguments",
    "Ask",
    "Axis",
    "AxisValue",
    "Capability",
    "Completion",
    "Context",
    "Dialect",
    "Dose",
    "Example",
    "Finish",
    "Instance",
    "Language",
    "Message",
    "Metric",
    "Model",
    "ModelExample",
    "Outcome",
    "Perturbation",
    "Program",
    "Record",
    "Request",
    "Runner",
    "Sampling",
    "Source",
    "Spec",
    "Stage",
    "Steps",
    "Syntax",
    "Task",
    "TaskExample",
    "Template",
    "Usage",
    "Value",
    "Values",
    "Verdict",
    "asked",
    "derive_seed",
    "digest",
    "ran",
    "shallow",
]
