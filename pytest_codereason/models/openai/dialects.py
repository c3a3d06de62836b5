"""How providers speak of batches: one row for each dialect. All are OpenAI's form, with other names and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pytest_codereason.core.batches import BatchEnd, BatchTerms

#: How a batch may end, by the word of a provider in small letters. With any other word it is under way.
ENDS: Mapping[str, BatchEnd] = {
    "completed": "completed",
    "success": "completed",
    "failed": "failed",
    "expired": "expired",
    "timeout_exceeded": "expired",
    "cancelled": "cancelled",
}


#: What OpenAI says of its batches.
TERMS = BatchTerms()


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchDialect:
    """How a provider speaks of batches."""

    terms: BatchTerms = TERMS
    batches: str = "/batches"  #: where batches are created, listed and looked at
    chat: str = "/v1/chat/completions"  #: where questions are asked, as a batch names it
    upload: str = "/files"  #: where a file of requests is brought
    form: Mapping[str, str] = field(default_factory=dict)  #: what is sent with the file; ``name`` is the batch's
    input_file: str = "input_file_id"  #: the key of the file in a batch; its value may be a list
    lists_inputs: bool = False  #: whether it is a list
    create: Mapping[str, object] = field(default_factory=dict)  #: what else a batch is created with
    names_model: bool = False  #: whether a batch names the model
    notes: bool = True  #: whether a batch may carry ``metadata``
    whole_lines: bool = True  #: whether a line names its method and address
    output_file: str = "output_file_id"
    error_file: str = "error_file_id"
    page: str = "?limit=100"  #: how a page of the list of batches is asked for
    following: str = "&after={last}"  #: how the page after it is; ``last`` is an id, ``page`` a number


_OPENAI = BatchDialect(form={"purpose": "batch"}, create={"completion_window": "24h"})

DIALECTS: Mapping[str, BatchDialect] = {
    "openai": _OPENAI,
    "azure": replace(_OPENAI, chat="/chat/completions"),
    "mistral": replace(
        _OPENAI,
        terms=BatchTerms(most_bytes=500 * 10**6),
        batches="/batch/jobs",
        input_file="input_files",
        lists_inputs=True,
        names_model=True,
        create={"timeout_hours": 24},
        whole_lines=False,
        output_file="output_file",
        error_file="error_file",
        page="?page_size=100",
        following="&page={page}",
    ),
    "together": replace(
        _OPENAI,
        terms=BatchTerms(most_bytes=100 * 10**6),
        upload="/files/upload",
        form={"purpose": "batch-api", "file_name": "{name}.jsonl", "file_type": "jsonl"},
        notes=False,
        whole_lines=False,
        page="",
        following="",
    ),
}

#: The dialect of a server by the end of its host, where the user gives an address.
HOSTS: Mapping[str, str] = {".azure.com": "azure"}
