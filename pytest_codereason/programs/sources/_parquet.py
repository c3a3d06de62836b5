"""Files in the format Parquet, as the Hugging Face hub keeps data sets."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.errors import NotHere, UsageError

if TYPE_CHECKING:
    from pyarrow import parquet

#: Rows that are unpacked at once: a file may be small and its rows all the same large value.
BATCH = 16


def _write_value(value: object) -> str:
    """Bytes are text, as some data sets keep their columns so; a date is its text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _write_rows(packed: parquet.ParquetFile) -> Iterator[str]:
    for batch in packed.iter_batches(BATCH):
        for row in batch.to_pylist():
            yield json.dumps(row, default=_write_value) + "\n"


def json_lines(path: Path, data: bytes, most: int) -> str:
    """The rows of a file as one JSON object a line; dates are text.

    Raises:
        UsageError: the file is not Parquet, is damaged, unpacks to more than ``most`` bytes, or pyarrow is missing.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise NotHere(
            f"{shorten_path(path)}: reading Parquet needs pyarrow: pip install 'pytest-codereason[parquet]', "
            "or write the rows as one JSON object a line"
        ) from None
    try:
        packed = parquet.ParquetFile(io.BytesIO(data))
        groups = map(packed.metadata.row_group, range(packed.metadata.num_row_groups))
        size, text = sum(group.total_byte_size for group in groups), ""
        if size <= most:
            # The file states the size of a dictionary once, however many rows repeat it. So the rows are measured one
            # by one before they are kept.
            sizes = accumulate(map(len, _write_rows(packed)))
            size = next((size for size in sizes if size > most), 0)
            text = "" if size else "".join(_write_rows(packed))
    except (pyarrow.ArrowException, OSError) as error:
        raise UsageError(
            f"{shorten_path(path)}: damaged, or not Parquet ({error}): delete the file and fetch it again"
        ) from error
    if size > most:
        raise UsageError(f"{shorten_path(path)}: unpacks to more than {most >> 20} MiB")
    return text
