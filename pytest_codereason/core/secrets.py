"""Values that never reach output: keys, headers, passwords in addresses.

A user gives a secret by the name of an environment variable, ``--model-arg header.Authorization=env:MY_HEADER``, or as
it is. Each secret is remembered for the life of the process. Whoever writes text for people or files passes it through
:func:`hide`, so that a secret that a server or an exception repeats is not written either.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, TypeGuard
from urllib.parse import quote, unquote

from pytest_codereason.core.text.settings import split_urls
from pytest_codereason.errors import UsageError

HIDDEN = "[hidden]"
#: ``KEY=env:NAME`` takes the value from an environment variable.
REFERENCE = re.compile(r"env:([A-Za-z_][A-Za-z0-9_]*)")
#: A shorter secret might be any word. Only the messages of servers are searched for it.
LEAST = 8
#: Texts shorter than this are not searched for at all.
SHORTEST = 4
#: If one of these words is in the name of a setting, its value is a secret.
NAMES = frozenset({"apikey", "auth", "authorization", "bearer", "cookie", "credential", "credentials"})
NAMES |= {"key", "passwd", "password", "secret", "secrets", "token"}
#: What stands before credentials in a header.
SCHEMES = frozenset({"basic", "bearer", "token"})
#: Headers that everybody may know. They name the caller, or a format.
PUBLIC = frozenset({"accept", "content-type", "http-referer", "referer", "user-agent", "x-title"})
#: A word, words that are joined, or a number. A reply may hold it without repeating what was sent.
ORDINARY = re.compile(r"[A-Za-z]+(?:[-_.][A-Za-z]+)*|[\d.,:-]+")

_shown: dict[str, str] = {}  # what stands in the place of a text that is a secret, the longest text first


class Secret:
    """A value that is never printed. Only the code that sends it calls :meth:`reveal`."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value."""
        return self._value

    def __repr__(self) -> str:
        return HIDDEN

    def __bool__(self) -> bool:
        return bool(self._value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")


def remember(value: str, shown: str = HIDDEN) -> None:
    """Hides a value from now on, and the forms in which a server or a library may repeat it."""
    scheme, _, credentials = value.partition(" ")
    forms = {value}
    if scheme.lower() in SCHEMES:
        forms.add(credentials)
        with suppress(binascii.Error, ValueError):  # only those of "Basic" are encoded
            both = base64.b64decode(credentials, validate=True).decode()
            forms |= {both, both.partition(":")[2]}
    for form in list(forms):
        forms |= {quote(form, safe=""), json.dumps(form)[1:-1], base64.b64encode(form.encode()).decode()}
    known = {form: shown for form in forms if len(form) >= SHORTEST}
    merged = {**known, **_shown}
    _shown.clear()
    _shown.update(sorted(merged.items(), key=lambda item: -len(item[0])))


def hide(text: str, least: int = LEAST) -> str:
    """A text without secrets of at least so many characters."""
    for form, shown in _shown.items():
        if len(form) >= least and form in text:
            text = text.replace(form, shown)
    return text


def holds_secret(text: str) -> bool:
    """Whether :func:`hide` would change a text."""
    return any(form in text for form in _shown if len(form) >= LEAST)


def hides(value: object) -> TypeGuard[str]:
    """Whether a value is a secret."""
    return isinstance(value, str) and value in _shown


def hide_inside(value: Any) -> Any:
    """A value of plain types without secrets: texts, lists, tuples, the values of dictionaries."""
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, dict):
        return {key: hide_inside(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(hide_inside(item) for item in value)
    return value


def read_value(option: str, key: str, text: str) -> str:
    """The value of ``KEY=VALUE``, taken from the environment for ``KEY=env:NAME``. A secret is remembered.

    Raises:
        UsageError: there is no such environment variable.
    """
    if match := REFERENCE.fullmatch(text):
        value = os.environ.get(match[1])
        if not value:
            raise UsageError(f"{option} {key}={text}: set the environment variable {match[1]}")
        remember_if_secret(key, value, text)
        return value
    if is_hidden(key):
        remember_if_secret(key, text)
    return text


def is_hidden(key: str) -> bool:
    """Whether the value of a setting is not shown, by the name of the setting. No header is shown."""
    return key.rpartition(":")[2].startswith("header.") or _names_secret(key)


def _names_secret(key: str) -> bool:
    return bool({*re.split(r"[\W_]+", key.lower())} & NAMES) and not key.endswith("_env")


def remember_if_secret(key: str, value: str, shown: str = HIDDEN) -> None:
    """Remembers a value if its name says that it is a secret, or if no text would hold it by chance.

    A public header or an ordinary word is not searched for: ``header.X-Title=benchmark`` must not change a reply.
    """
    public = key.removeprefix("header.").lower() in PUBLIC
    if _names_secret(key) or not (public or ORDINARY.fullmatch(value)):
        remember(value, shown)


def hide_pair(pair: str) -> str:
    """``KEY=VALUE`` as it may be shown, also ``NAME:KEY=VALUE`` for one of several models."""
    key, equals, value = pair.partition("=")
    if key.endswith(":url"):
        return f"{key}={hide_url(value)}"
    if not equals or not is_hidden(key) or REFERENCE.fullmatch(value):
        return pair
    return f"{key}={HIDDEN}"


#: Scheme, user with password, host with path, query, fragment. A password may hold any character.
URL = re.compile(r"([A-Za-z][\w+.-]*://)?(?:(.*)@)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


def hide_url(url: str) -> str:
    """An address as it may be shown: without user, password and the values behind it. Secrets in it are remembered."""
    match = URL.fullmatch(url)
    assert match is not None, "each part may be missing"
    scheme, user, rest, query, fragment = match.groups(default="")
    name, _, password = user.partition(":")
    fields = [field.rpartition("=") for field in query.split("&")] if query else []
    for key, value in [
        ("password", user if password else ""),
        ("password", password),
        ("user", name),
        *((key, value) for key, _, value in fields),
        ("fragment", fragment),
    ]:
        remember_if_secret(key, value)
        remember_if_secret(key, unquote(value))
    shown = f"{scheme}{HIDDEN}@{rest}" if user else f"{scheme}{rest}"
    if fields:
        shown += "?" + "&".join(f"{key}{equals}{HIDDEN}" for key, equals, _ in fields)
    return f"{shown}#{HIDDEN}" if fragment else shown


def hide_urls(text: str) -> str:
    """Addresses as they may be shown, see :func:`hide_url`: one, or several with commas between them."""
    return ",".join(map(hide_url, split_urls(text)))


#: Options whose value is ``KEY=VALUE`` for a model, and options whose value is an address.
PAIR_FLAGS = ("--model-arg", "--codereason-model-arg", "--writer-arg")
URL_FLAGS = ("--model-url", "--codereason-model-url", "--eval-writer-url", "--writer-url")
#: Settings of pytest's ini file, which ``-o`` sets.
INI = re.compile(r"(codereason_model_arg|codereason_model_url|codereason_writer_url)=(.*)", re.DOTALL)


def hide_arguments(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command as they may be shown."""
    shown, before = [], ""
    for argument in arguments:
        flag, equals, value = argument.partition("=")
        if before in (*PAIR_FLAGS, *URL_FLAGS):
            shown.append(_hide_value(before, argument))
        elif equals and flag in (*PAIR_FLAGS, *URL_FLAGS):
            shown.append(f"{flag}={_hide_value(flag, value)}")
        else:
            shown.append(INI.sub(_hide_setting, argument))
        before = argument
    return shown


def _hide_value(flag: str, value: str) -> str:
    return hide_urls(value) if flag in URL_FLAGS else hide_pair(value)


def _hide_setting(match: re.Match[str]) -> str:
    if match[1].endswith("_url"):
        return f"{match[1]}=" + "\n".join(map(hide_urls, match[2].split("\n")))
    return f"{match[1]}=" + "\n".join(map(hide_pair, match[2].split("\n")))


def sign(value: str) -> str:
    """A digest of a secret, to tell two secrets apart. It cannot be tried out without a key that this machine keeps.

    Raises:
        UsageError: the key cannot be kept.
    """
    return hashlib.blake2b(value.encode("utf-8", "surrogatepass"), key=_read_key(), digest_size=8).hexdigest()


def _read_key() -> bytes:
    from pytest_codereason.core.files.locations import cache_folder

    path = cache_folder() / "secret.key"
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = Path(f"{path}.{os.getpid()}")
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(secrets.token_bytes(32))
            with suppress(FileExistsError):  # another process was faster
                os.link(fresh, path)
            fresh.unlink()
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be kept: {error}; name another folder with CODEREASON_CACHE") from error
