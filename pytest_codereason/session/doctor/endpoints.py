"""Which endpoints can be asked: a key is there, or a server on this machine answers."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException

from pytest_codereason.core.secrets import hide
from pytest_codereason.models.openai.replies import list_models
from pytest_codereason.models.providers import PRESETS, Preset
from pytest_codereason.session.doctor.finding import Finding

PATIENCE_S = 3.0
_LOCAL = ("http://localhost", "http://127.0.0.1")
_MOST = 1 << 22  #: bytes of a list of models
_SHOWN = 3


def examine_endpoints() -> Iterator[Finding]:
    """Every endpoint whose key is set, and every server that listens here; a line that says so if there is none.

    An endpoint is asked for its list of models. That costs nothing.
    """
    findings = [finding for preset in PRESETS.values() if (finding := _examine(preset)) is not None]
    if not findings:
        words = "no key such as OPENAI_API_KEY is set, and no server listens on a usual port of this machine"
        findings = [Finding("endpoint", "absent", words, "export OPENAI_API_KEY=..., or pytest --model-url=URL")]
    yield from findings


def _examine(preset: Preset) -> Finding | None:
    """What an endpoint says; ``None`` where nobody has set a key or started a server."""
    local = preset.base_url.startswith(_LOCAL)
    key = os.environ.get(preset.key_env or "", "").strip()
    if not local and not key:
        return None
    url = preset.base_url
    if preset.name == "openai":
        url = os.environ.get("OPENAI_BASE_URL") or url
    try:
        models = _list_models(f"{url.rstrip('/')}/models", key)
    except urllib.error.HTTPError as error:
        if local:
            return None
        refused = error.code in (401, 403)
        remedy = f"set {preset.key_env} to a valid key" if refused else ""
        return Finding(preset.name, "missing", f"{url} answers {error.code} {error.reason}", remedy)
    except (OSError, HTTPException, ValueError) as error:
        if local:
            return None
        reason = hide(str(getattr(error, "reason", None) or error))
        return Finding(preset.name, "missing", f"{url} cannot be reached: {reason}", "check the network and the proxy")
    shown = ", ".join(models[:_SHOWN]) + (f" and {len(models) - _SHOWN} more" if len(models) > _SHOWN else "")
    words = f"{url} answers" + (f", with {shown}" if models else "")
    return Finding(preset.name, "ok", words)


def _list_models(url: str, key: str) -> list[str]:
    """The names of the models of an endpoint, none where its answer is no list.

    Raises:
        OSError: the endpoint cannot be reached, or answers with an error.
        ValueError: its answer is no JSON.
    """
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"} if key else {})
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        content = answer.read(_MOST)
    json.loads(content)  # a page that is no JSON comes from something else than a server of models
    return [model.id for model in list_models(content)]
