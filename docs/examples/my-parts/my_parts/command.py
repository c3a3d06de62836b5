from pathlib import Path

from pytest_codereason import load
from pytest_codereason.errors import UsageError


def add(commands):
    parser = commands.add_parser(
        "longest",
        help="print the longest replies of a run",
        description="Prints the ids of the longest replies of a run.",
    )
    parser.add_argument("folder", type=Path, metavar="RUN", help="a run folder, such as reports/latest")
    parser.add_argument("--count", type=int, default=3, metavar="N", help="how many (default: 3)")
    parser.set_defaults(run=run)


def run(args):
    if args.count < 1:
        raise UsageError(f"--count {args.count}: give a whole number from 1")
    answers = load(args.folder, texts=True).dropna(subset=["response"])
    length = answers["response"].str.len()
    for place in length.nlargest(args.count).index:
        print(f"{length[place]:>8,}  {answers['id'][place]}")
    return 0
