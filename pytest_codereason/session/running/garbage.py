"""Makes Python look for unused objects less often while a run builds questions, because each look takes time."""

from __future__ import annotations

import gc
from collections.abc import Callable

#: How many containers Python makes before it looks through them for circles. Its own number is 700, and a parsed
#: program makes thousands: to look so often takes a tenth of the time in which questions are built.
CONTAINERS = 20_000


def collect_seldom() -> Callable[[], None]:
    """From now on Python looks for garbage less often. A process that never looks still does not.

    Returns:
        What ends this, and lets Python look through what was frozen meanwhile.
    """
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(max(CONTAINERS, before[0]), *before[1:])

    def restore() -> None:
        gc.set_threshold(*before)
        gc.unfreeze()

    return restore
