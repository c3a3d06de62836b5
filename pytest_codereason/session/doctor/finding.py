"""What was found out about one thing that a run may need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SANDBOX = "sandbox"  #: the subject without which no program is run as it should be
#: ``missing``: some runs are impossible; ``weak``: possible, but not as they should be; ``absent``: only what names it.
State = Literal["ok", "weak", "missing", "absent"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report of ``codereason doctor``."""

    subject: str  #: ``java``, ``sandbox``, ``smollm2``
    state: State
    words: str
    remedy: str = ""  #: the one command, or the one thing to do, that mends it
