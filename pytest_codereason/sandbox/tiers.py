"""Opens a sandbox with the strongest layers that this machine offers and that pass the self-test."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

from pytest_codereason.errors import SandboxError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_codereason.sandbox.sandbox import Sandbox

Mode = Literal["auto", "require", "off"]

#: The tiers from the strongest down. A machine gets the first one that starts.
TIERS: tuple[tuple[str, ...], ...] = (
    ("namespaces", "landlock", "seccomp"),
    ("namespaces", "seccomp"),
    ("namespaces",),
    ("landlock", "seccomp"),
    ("landlock",),
    ("seccomp",),
    (),
)


def warn_of_tier(tier: str) -> str:
    """Says what programs can reach in a tier. Empty if files and network are protected.

    ``seccomp`` gives ``programs can read your files, and the keys in them``.
    """
    layers = tier.split("+")
    open_to_programs = []
    if not {"namespaces", "landlock"} & {*layers}:
        open_to_programs.append("read your files, and the keys in them")
    if not {"namespaces", "seccomp"} & {*layers}:
        open_to_programs.append("use the network")
    return f"programs can {' and '.join(open_to_programs)}" if open_to_programs else ""


def open_sandbox(mode: Mode = "auto") -> Sandbox:
    """A sandbox in the strongest tier that the machine offers, after its self-test.

    Raises:
        UsageError: the mode is ``require``, and the machine offers no namespaces or they fail the self-test.
        SandboxError: no process can be started, or this is no Linux.
    """
    if sys.platform != "linux":
        raise SandboxError(
            f"programs run only on Linux, in its sandbox, and this is {sys.platform}: use a container "
            "(docs/install.md), or suites whose questions need no run, such as quickstart"
        )
    from pytest_codereason.sandbox.sandbox import Sandbox

    if mode == "off":
        return Sandbox((), "off")
    return open_first_tier(TIERS, required=mode == "require")


def open_first_tier(tiers: Iterable[tuple[str, ...]], *, required: bool = False) -> Sandbox:
    """A sandbox in the first of these tiers that starts. Its tier names the layers that passed the self-test.

    From now on other processes of the same user cannot read this process (it is not "dumpable").
    """
    from pytest_codereason.sandbox import selftest
    from pytest_codereason.sandbox.keeper import kernel
    from pytest_codereason.sandbox.sandbox import Sandbox

    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    trouble = "no tier was given"
    for layers in tiers:
        if required and "namespaces" not in layers:
            break
        sandbox = Sandbox(layers, "+".join(layers) or "processes")
        try:
            holding = selftest.find_holding_layers(sandbox)
        except SandboxError as error:
            sandbox.close()
            trouble = str(error)
            continue
        if required and "namespaces" not in holding:
            sandbox.close()
            trouble = "namespaces failed the self-test"
            break
        sandbox.tier = "+".join(holding) or "processes"
        return sandbox
    if required:
        raise UsageError(f"this machine offers no isolation by namespaces, which is required: {trouble}")
    raise SandboxError(trouble)
