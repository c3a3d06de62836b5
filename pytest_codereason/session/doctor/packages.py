"""Which extras of this package are installed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata

from packaging.requirements import Requirement

from pytest_codereason.session.doctor.finding import Finding

PACKAGE = "pytest-codereason"
#: Extras for those who develop this package.
_OWN = frozenset({"dev"})


def examine_packages() -> Iterator[Finding]:
    """Each extra with the packages that it needs, and whether their versions are new enough."""
    requirements = [Requirement(text) for text in metadata.requires(PACKAGE) or ()]
    for extra in metadata.metadata(PACKAGE).get_all("Provides-Extra") or ():
        if extra in _OWN:
            continue
        wanted = [each for each in requirements if _is_wanted_by(each, extra) and not _is_wanted_by(each, "")]
        troubles = [trouble for each in wanted if (trouble := _describe_trouble(each))]
        if troubles:
            remedy = f"pip install '{PACKAGE}[{extra}]'"
            yield Finding(extra, "absent", "; ".join(troubles), remedy)
        else:
            versions = ", ".join(f"{each.name} {metadata.version(each.name)}" for each in wanted)
            yield Finding(extra, "ok", versions)


def _is_wanted_by(requirement: Requirement, extra: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def _describe_trouble(wanted: Requirement) -> str:
    try:
        version = metadata.version(wanted.name)
    except metadata.PackageNotFoundError:
        return f"{wanted.name} is not installed"
    if wanted.specifier.contains(version, prereleases=True):
        return ""
    return f"{wanted.name} is version {version}, needed is {wanted.specifier}"
