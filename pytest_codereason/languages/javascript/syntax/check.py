"""Checks a JavaScript program with other parsers."""

from __future__ import annotations

import re
import shutil
import subprocess

_MODULE = re.compile(r"^\s*(?:import|export)\b", re.MULTILINE)
#: Seconds after which node, which only parses, must have answered.
_PATIENCE = 20


def check(source: str) -> str:
    """The complaint of esprima, or of node if esprima refuses, because esprima lags behind the language."""
    module = bool(_MODULE.search(source))
    complaint = _check_with_esprima(source, module)
    return complaint and _check_with_node(source, module, complaint)


def _check_with_esprima(source: str, module: bool) -> str:
    import esprima

    try:
        (esprima.parseModule if module else esprima.parseScript)(source)
    except RecursionError:
        return "nested too deep for esprima"
    except Exception as error:  # besides its own errors those of Python, on syntax that it does not expect
        return str(error) or "cannot be parsed"
    return ""


def _check_with_node(source: str, module: bool, complaint: str) -> str:
    """The complaint of ``node --check``, which runs nothing. Without node, ``complaint``."""
    node = shutil.which("node")
    if node is None:
        return complaint
    done = subprocess.run(
        [node, f"--input-type={'module' if module else 'commonjs'}", "--check", "-"],
        input=source.encode("utf-8", "surrogatepass"),
        capture_output=True,
        timeout=_PATIENCE,
        check=False,
    )
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stderr.decode(errors="replace").splitlines() if "Error" in line]
    return errors[0] if errors else complaint
