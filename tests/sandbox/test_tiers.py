"""Which tier ``auto`` chooses on machines that offer less."""

from __future__ import annotations

import subprocess

import pytest

from pytest_codereason.sandbox.tiers import warn_of_tier
from tests.sandbox.commons import Commons

FULL, WITHOUT_NAMESPACES = "namespaces+landlock+seccomp", "landlock+seccomp"
#: ``unshare -r`` gives a namespace in which root is the only user. The last machine allows no further namespaces.
MACHINES = {
    "one user": (("unshare", "-r"), FULL),
    "one user, mounts of its own": (("unshare", "-rm"), FULL),
    "one user, no namespaces": (
        ("unshare", "-r", "sh", "-c", 'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"', "sh"),
        WITHOUT_NAMESPACES,
    ),
    "root may not administer": (("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-all"), FULL),
    "root may not become another": (("setpriv", "--bounding-set=-setuid,-setgid", "--inh-caps=-all"), FULL),
}


@pytest.mark.parametrize("nobody", [False, True], ids=["root", "nobody"])
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.slow
def test_auto_falls_back_to_a_tier_that_starts(machine: str, nobody: bool, commons_of_all: Commons) -> None:
    within, tier = MACHINES[machine]
    if subprocess.run([*within, "true"], capture_output=True, check=False).returncode:
        pytest.skip(f"{within[0]} does not work here")
    assert commons_of_all.run("tests.sandbox.strongest", within=within, nobody=nobody) == [tier, 1]


FILES, NETWORK = "read your files, and the keys in them", "use the network"


@pytest.mark.parametrize(
    ("tier", "warning"),
    [
        ("namespaces+landlock+seccomp", ""),
        ("namespaces", ""),
        ("landlock+seccomp", ""),
        ("landlock", f"programs can {NETWORK}"),
        ("seccomp", f"programs can {FILES}"),
        ("processes", f"programs can {FILES} and {NETWORK}"),
        ("off", f"programs can {FILES} and {NETWORK}"),
    ],
)
def test_a_tier_says_what_it_leaves_open(tier: str, warning: str) -> None:
    assert warn_of_tier(tier) == warning
