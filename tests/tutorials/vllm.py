"""Stands in for ``vllm run-batch`` on pages: answers a file of requests as the models of the tutorials do."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tests.tutorials.readers import answer

SCRIPT = """#!/bin/sh
PYTHONPATH={root} exec {python} -m tests.tutorials.vllm "$@"
"""


def main() -> None:
    """Answers the requests of ``-i`` into ``-o``."""
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["run-batch"])
    parser.add_argument("-i", dest="requests", required=True)
    parser.add_argument("-o", dest="results", required=True)
    parser.add_argument("--model", required=True)
    args = parser.parse_args()
    results = []
    for line in Path(args.requests).read_text().splitlines():
        request = json.loads(line)
        body = request["body"]
        assert (request["method"], request["url"], body["model"]) == ("POST", "/v1/chat/completions", args.model)
        message = {"role": "assistant", "content": answer(body["messages"], body)}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        response = {"status_code": 200, "request_id": "r", "body": {"model": args.model, "choices": choices}}
        results.append({"id": "vllm-1", "custom_id": request["custom_id"], "response": response, "error": None})
    Path(args.results).write_text("".join(json.dumps(result) + "\n" for result in results))


if __name__ == "__main__":
    main()
