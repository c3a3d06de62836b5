"""The long texts of answers, prompts and replies, packed so that a page loads them when a reader asks for them.

Answers to one question share its prompt, so each chunk of texts holds every text once. A small page holds its chunks
itself. The chunks of a large page are scripts beside it, because a page on disk may load a script but no data.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_codereason.core import Record, RecordStep
from pytest_codereason.core.display import visible
from pytest_codereason.core.text import wording

#: Characters of a single text that a page has. The middle of a longer text is left out.
LONGEST = 40_000
#: Characters of texts in a chunk, before the chunk ends.
CHUNK = 1_000_000
#: Characters of texts that a page holds itself.
INSIDE = 8_000_000


@dataclass
class TextPacker:
    """Collects the texts of answers, one answer after the other, for the page that will lie at ``page``.

    Chunks are kept until they are too large for the page. From then on each is written into a folder beside it, so no
    run has to fit into memory. The folder of an earlier page is removed.
    """

    page: Path
    starts: list[int] = field(default_factory=list)  #: the first answer of each chunk
    chunks: list[str] = field(default_factory=list)  #: JSON of the chunks that the page holds
    count: int = 0
    _texts: dict[str, int] = field(default_factory=dict)
    _rows: list[Mapping[str, object]] = field(default_factory=list)
    _size: int = 0
    _kept: int = 0
    _written: int = 0

    def __post_init__(self) -> None:
        if self._folder.is_dir():
            shutil.rmtree(self._folder)

    @property
    def _folder(self) -> Path:
        return self.page.with_name(f"{self.page.stem}-data")

    def add(self, record: Record | None) -> None:
        """Adds the texts of one record, which may be lost."""
        if not self._rows:
            self.starts.append(self.count)
        self._rows.append(self._pack(record) if record else {})
        self.count += 1
        if self._size > CHUNK:
            self._end_chunk()

    def finish(self) -> str:
        """The name of the folder with the texts; empty if the page holds them, in ``chunks``."""
        if self._rows:
            self._end_chunk()
        return self._folder.name if self._written else ""

    def _end_chunk(self) -> None:
        content = {"texts": list(self._texts), "rows": self._rows}
        self.chunks.append(json.dumps(content, ensure_ascii=True, separators=(",", ":")))
        self._kept += len(self.chunks[-1])
        self._texts, self._rows, self._size = {}, [], 0
        if self._kept > INSIDE:
            self._write_chunks()

    def _write_chunks(self) -> None:
        self._folder.mkdir(exist_ok=True)
        for chunk in self.chunks:
            path = self._folder / f"{self._written:03}.js"
            path.write_text(f"codereasonTexts({self._written},{chunk});\n", encoding="utf-8")
            self._written += 1
        self.chunks.clear()

    def _pack(self, record: Record) -> Mapping[str, object]:
        texts = {name: self._put(getattr(record, name)) for name in ("expected", "answer", "response", "traceback")}
        steps = [self._pack_step(step) for step in record.steps]
        packed = {**texts, "steps": steps, "audit": [_list_edge(edge) for edge in record.audit]}
        return {name: value for name, value in packed.items() if value not in (None, [])}

    def _pack_step(self, step: RecordStep) -> Mapping[str, object]:
        messages = [[message.get("role", ""), self._put(message.get("content"))] for message in step.messages]
        texts = {name: self._put(getattr(step, name)) for name in ("prefill", "reasoning")}
        texts["response"] = self._put(step.response, keep_empty=True)
        return {"messages": messages, **texts, "finish": step.finish}

    def _put(self, value: str | None, *, keep_empty: bool = False) -> int | None:
        """The place of a text in the chunk; ``None`` where there is none. A reply may be there and empty."""
        if value is None or (value == "" and not keep_empty):
            return None
        text = shorten(value)
        place = self._texts.setdefault(text, len(self._texts))
        if place == len(self._texts) - 1:
            self._size += len(text)
        return place


def shorten(text: str) -> str:
    """``text`` with control characters written out, without its middle if it is long."""
    if len(text) > LONGEST:
        half = LONGEST // 2
        gap = f"… {wording.count(len(text) - 2 * half)} characters are left out here; records.jsonl has them …"
        text = f"{text[:half]}\n{gap}\n{text[-half:]}"
    return visible(text)


def _list_edge(edge: Mapping[str, object]) -> Sequence[str]:
    names = ("tag", "caller", "callee", "instead", "file", "line", "code")
    return [wording.one_line(str(edge.get(name) or ""), 200) for name in names]
