"""Prompt templates: texts of sections, each section a Jinja2 template.

A section starts after a line ``=== name ===``:

``system``
    the system message, rendered once. Optional.
``user``
    the question, rendered for every worked example and then for the question itself.
``assistant``
    the right reply to a worked example. Needed only where there are worked examples, unless ``user`` shows them itself
    by the variable ``examples``: then the conversation has a single question, and no section ``assistant``.
``prefill``
    how the reply is to begin. Optional.

Only blank lines and ``{# comments #}`` may stand before the first section. The text is cut into sections before
anything is rendered, so no program can start a section. A line that holds only a Jinja2 statement leaves no line
behind. Values are put in unchanged. Whitespace around a rendered section is dropped: a prefill that ended with a
blank would split a token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_codereason.core import Message, Task, Template, digest
from pytest_codereason.core.files.caps import MOST_TEXT, read_text
from pytest_codereason.errors import UsageError

if TYPE_CHECKING:
    import jinja2

SUFFIX = ".jinja"
SECTIONS = ("system", "user", "assistant", "prefill")
SHIPPED = Path(__file__).parent
#: The variable of a question that holds its worked examples.
EXAMPLES = "examples"
_MARKER = re.compile(r"===[ \t]*([\w-]+)[ \t]*===[ \t]*")
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)


def load(task: str, prompting: str, override: Path | None = None) -> Template:
    """The template in a file, for a task and a way of prompting.

    Args:
        task: the task's name.
        prompting: ``direct`` or ``cot``, or what else the task's templates are called.
        override: a template file, used for every way of prompting, or a folder that holds
            ``<prompting>.jinja``; ``None`` takes the shipped one.

    Raises:
        UsageError: the file is missing or not a template; the message names file and line.
    """
    path = override or SHIPPED / task
    if override is None or path.is_dir():
        path = path / f"{prompting}{SUFFIX}"
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        raise UsageError(
            f"the task {task} has no template for prompting {prompting!r} (looked for {path}): "
            "write that file, name another with 'template' in the suite, or give the task a 'template'"
        ) from None
    return _load(path, changed)


def find_forms(task: str) -> dict[str, Path]:
    """The folders of shipped templates that a suite may choose by name for a task, such as ``cruxeval``."""
    folder = SHIPPED / task
    return {path.name: path for path in sorted(folder.iterdir()) if path.is_dir()} if folder.is_dir() else {}


def load_for_task(task: Task, prompting: str, override: Path | None = None) -> Template:
    """The template of a task for a way of prompting.

    That is the file or folder ``override`` if there is one, else the text that the task itself has as its
    ``template``, else the shipped file.

    Raises:
        UsageError: there is no template, or it has a mistake; the message names file and line, or the task.
    """
    text = task.template if isinstance(task.template, str) else task.template.get(prompting, "")
    if task.template and not (text or override or task.templates_of):
        mend = f"add one for {prompting!r}" if prompting else "give the task an axis 'prompting' with these values"
        raise UsageError(f"the task {task.name} has templates for {', '.join(task.template)} alone: {mend}")
    if override or not text:
        return load(task.templates_of or task.name, prompting, override)
    return _parse(text, f"{type(task).__module__}:{type(task).__qualname__}.template")


@lru_cache(maxsize=64)
def _parse(text: str, name: str) -> PromptTemplate:
    return PromptTemplate(text, name)


@lru_cache(maxsize=64)
def _load(path: Path, _changed: int) -> PromptTemplate:
    return PromptTemplate(read_text(path, MOST_TEXT), str(path))


class PromptTemplate(Template):
    """A template read from ``text``; ``name`` stands in error messages."""

    def __init__(self, text: str, name: str) -> None:
        self._name = name
        self._text = text.replace("\r\n", "\n")
        sources = {section: (source, line) for section, line, source in _split(self._text, name)}
        self._sections = {section: self._compile(*place) for section, place in sources.items()}
        if "user" not in self._sections:
            raise UsageError(f"{name}: the section '=== user ===' is missing: it holds the question")
        self._has_prefill = bool(sources.get("prefill", ("", 0))[0].strip())
        self._shows_examples = EXAMPLES in _list_variables(sources["user"][0])
        if self._shows_examples and "assistant" in self._sections:
            raise UsageError(
                f"{name}: the template shows worked examples twice: leave out the section '=== assistant ===' or the "
                f"variable {EXAMPLES!r}"
            )

    def render(
        self, shots: Sequence[Mapping[str, object]], question: Mapping[str, object]
    ) -> tuple[tuple[Message, ...], str]:
        """The messages of a conversation that ends with the question, and the prefill.

        Raises:
            UsageError: the template uses a value that the task does not give, or fails on it.
        """
        messages = [Message("system", system)] if (system := self._read_section("system", question)) else []
        if shots and "assistant" not in self._sections and not self._shows_examples:
            raise UsageError(
                f"{self._name}: the section '=== assistant ===' is missing: worked examples need it, or the variable "
                f"{EXAMPLES!r} in the section '=== user ==='"
            )
        for shot in () if self._shows_examples else shots:
            messages.append(Message("user", self._read_section("user", shot)))
            messages.append(Message("assistant", self._read_section("assistant", shot)))
        messages.append(Message("user", self._read_section("user", {**question, EXAMPLES: shots})))
        return tuple(messages), self._read_section("prefill", question)

    @property
    def sha(self) -> str:
        """Digest of the file's text."""
        return digest(self._text)

    @property
    def has_prefill(self) -> bool:
        """Whether it has a section ``prefill`` with a text."""
        return self._has_prefill

    def _read_section(self, section: str, values: Mapping[str, object]) -> str:
        import jinja2

        if section not in self._sections:
            return ""
        try:
            return self._sections[section].render(values).strip()
        except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            message = f"{error} (this template may use: {', '.join(sorted(values))})"
            raise UsageError(f"{self._name}:{_find_line(error)}: section {section!r}: {message}") from None

    def _compile(self, source: str, line: int) -> jinja2.Template:
        import jinja2

        # Blank lines in front make Jinja2 count the lines as they stand in the file.
        try:
            template = _make_environment().from_string("\n" * (line - 1) + source)
        except jinja2.TemplateSyntaxError as error:
            raise UsageError(f"{self._name}:{error.lineno}: {error.message}") from None
        template.globals = dict(template.globals)  # each rendering copies them, and a chain of maps is slow to copy
        return template


@dataclass(frozen=True, slots=True)
class WithoutPrefill(Template):
    """The same template without its section ``prefill``: the model writes the whole reply.

    No model then sees the beginning of the reply, whatever its endpoint does with such a beginning.
    """

    template: Template

    def render(
        self, shots: Sequence[Mapping[str, object]], question: Mapping[str, object]
    ) -> tuple[tuple[Message, ...], str]:
        """The messages, and no prefill."""
        messages, _ = self.template.render(shots, question)
        return messages, ""

    @property
    def sha(self) -> str:
        """Digest of the template's text."""
        return self.template.sha

    @property
    def has_prefill(self) -> bool:
        """None."""
        return False


@lru_cache(maxsize=1)
def _make_environment() -> jinja2.Environment:
    import jinja2
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )


def _list_variables(source: str) -> set[str]:
    """The variables that a section takes from the question."""
    from jinja2 import meta

    return meta.find_undeclared_variables(_make_environment().parse(source))


def _split(text: str, name: str) -> Iterator[tuple[str, int, str]]:
    """Name, number of the first line, and text of each section."""
    lines = text.split("\n")
    starts = [(number, marker[1]) for number, line in enumerate(lines, 1) if (marker := _MARKER.fullmatch(line))]
    before = _COMMENT.sub("", "\n".join(lines[: starts[0][0] - 1] if starts else lines))
    if before.strip():
        raise UsageError(f"{name}:1: text before the first section: begin with a line such as '=== user ==='")
    seen: set[str] = set()
    ends = [*(number for number, _ in starts[1:]), len(lines) + 1]
    for (number, section), end in zip(starts, ends, strict=False):
        if section not in SECTIONS:
            raise UsageError(f"{name}:{number}: unknown section {section!r}: choose from {', '.join(SECTIONS)}")
        if section in seen:
            raise UsageError(f"{name}:{number}: the section {section!r} occurs twice")
        seen.add(section)
        yield section, number + 1, "\n".join(lines[number : end - 1])


def _find_line(error: BaseException) -> int:
    """The line of the template in which rendering failed."""
    line, trace = 1, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
