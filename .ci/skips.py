"""Counts and names the skipped tests of JUnit files; fails where a test was skipped for data that is there.

python .ci/skips.py DATA_FOLDER JUNIT_FILE...
"""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path


def read_skips(files: list[Path]) -> dict[str, list[str]]:
    """The names of skipped tests by reason."""
    skips: dict[str, list[str]] = defaultdict(list)
    for file in files:
        for case in ET.parse(file).iter("testcase"):
            for skip in case.iter("skipped"):
                skips[skip.get("message", "")].append(f"{case.get('classname')}::{case.get('name')}")
    return dict(skips)


def has_data(reason: str, folder: Path) -> bool:
    """Whether a test was skipped for want of data that lies in ``folder``: the file its reason names, or any."""
    if "CODEREASON_DATA" not in reason:
        return False
    files = re.findall(r"[\w./-]+\.(?:jsonl?|parquet|zip|gz)\b", reason)
    return any((folder / file).exists() for file in files) if files else folder.is_dir()


def main(arguments: list[str]) -> int:
    """Prints the skipped tests; the exit code is 1 where one should have run."""
    folder, *files = map(Path, arguments)
    skips = read_skips(files)
    print(f"{sum(map(len, skips.values()))} tests skipped")
    wrong = 0
    for reason, tests in sorted(skips.items()):
        present = has_data(reason, folder)
        wrong += len(tests) if present else 0
        print(f"  {len(tests)} x {reason}{'  <- THE DATA IS THERE' if present else ''}")
        for test in sorted(tests):
            print(f"      {test}")
    if wrong:
        print(f"{wrong} tests were skipped although their data lies in {folder}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
