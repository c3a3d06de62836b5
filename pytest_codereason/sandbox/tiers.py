"""Which layers there are, which of them this machine offers, and what may be claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pytest_codereason.errors import SandboxError, UsageError
from pytest_codereason.sandbox import selftest
from pytest_codereason.sandbox.keeper import kernel
from pytest_codereason.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterable

Mode = Literal["auto", "require", "off"]

#: From the strongest down; a machine gets the first that starts.
TIERS: tuple[tuple[str, ...], ...] = (
    ("namespaces", "landlock", "seccomp"),
    ("namespaces", "seccomp"),
    ("namespaces",),
    ("landlock", "seccomp"),
    ("landlock",),
    ("seccomp",),
    (),
)


def open_sandbox(mode: Mode = "auto") -> Sandbox:
    """A sandbox in the strongest tier that the machine offers, having attacked itself.

    Raises:
        UsageError: ``require``, and the machine offers no namespaces, or they do not hold.
        SandboxError: not even a process can be started.
    """
    if mode == "off":
        return Sandbox((), "off")
    return opened(TIERS, required=mode == "require")


def opened(tiers: Iterable[tuple[str, ...]], *, required: bool = False) -> Sandbox:
    """A sandbox in the first of these tiers that starts; its claim is what held against the self-test.

    From then on this process cannot be read by others of its user (it is not "dumpable").
    """
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    trouble = "no tier was given"
    for layers in tiers:
        if required and "namespaces" not in layers:
            break
        sandbox = Sandbox(layers, "+".join(layers) or "processes")
        try:
            held = selftest.held(sandbox)
        except SandboxError as error:
            sandbox.close()
            trouble = str(error)
            continue
        if required and "namespaces" not in held:
            sandbox.close()
            trouble = "namespaces do not hold against the self-test"
            break
        sandbox.tier = "+".join(held) or "processes"
        return sandbox
    if required:
        raise UsageError(f"this machine offers no isolation by namespaces, which is required: {trouble}")
    raise SandboxError(trouble)
