"""``codereason shards``: writes or starts the commands of a run that is divided among machines, and joins its parts."""

from __future__ import annotations

import argparse
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.commands import merge
from pytest_codereason.commands._command_line import CommandParser, read_count

if TYPE_CHECKING:
    from pytest_codereason.commands._shard_jobs import Division, ShardJob

#: Options of pytest that this command gives itself, or that a part cannot have.
_OWN = ("--eval-shard", "--eval-report", "--eval-stop-when-decided")
#: Exit codes of pytest with which a part has records: all is well, something is missing or failed, gates are open.
_ENDED = (0, 1, 10)
_INTERRUPTED = 2


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "shards",
        help="write or start the N commands of a run that is divided among machines",
        description="Writes the commands of a run that is divided into N parts, and the one that joins them: lines for "
        "a shell or for hosts behind ssh, a script for Slurm, or a job for Kubernetes. With --run it starts them, "
        "waits, and joins the parts. --eval-max-cost is for all parts together.",
        usage="codereason shards N -o FOLDER [OPTIONS] -- SUITE --model=SPEC [OPTIONS OF PYTEST]",
    )
    parser.add_argument("parts", type=read_count, metavar="N", help="the number of parts")
    parser.add_argument("arguments", nargs="+", metavar="ARGUMENT", help="what pytest is given, after two dashes")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="the new folder for the joined run")
    parser.add_argument("--ssh", metavar="HOSTS", help="hosts with commas between them, which take turns")
    parser.add_argument("--slurm", action="store_true", help="write a script for sbatch")
    parser.add_argument("--kubernetes", metavar="IMAGE", help="write a job of containers of this image")
    parser.add_argument(
        "--cd", type=Path, metavar="FOLDER", help="where the commands run (default: this folder, on every host)"
    )
    parser.add_argument("--run", dest="starts", action="store_true", help="start the commands, wait, join the parts")
    parser.add_argument(
        "--copy", action="store_true", help="with --ssh --run: fetch each part by scp, where hosts share no disk"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the commands, or starts them; the exit code is then that of the joined run."""
    from pytest_codereason.commands._shard_jobs import Division
    from pytest_codereason.errors import UsageError

    for word in args.arguments:
        if (option := word.partition("=")[0]) in _OWN:
            raise UsageError(f"{option}: leave it out; codereason shards gives each part its own, or it has none")
    if sum(map(bool, (args.ssh, args.slurm, args.kubernetes))) > 1:
        raise UsageError("--ssh, --slurm and --kubernetes are three ways: keep one")
    if args.starts and (args.slurm or args.kubernetes):
        raise UsageError("--run starts commands here or by ssh; give what is written to sbatch or kubectl")
    if args.copy and not (args.ssh and args.starts):
        raise UsageError("--copy has no effect without --ssh and --run")
    division = Division(
        arguments=tuple(args.arguments),
        parts=args.parts,
        output=args.output,
        cwd=(args.cd or Path.cwd()).absolute(),
        hosts=tuple(filter(None, map(str.strip, (args.ssh or "").split(",")))),
    )
    if args.starts:
        return _run_all(division, copies=args.copy)
    if args.slurm:
        sys.stdout.write(division.write_slurm())
    elif args.kubernetes:
        sys.stdout.write(division.write_kubernetes(args.kubernetes))
    else:
        sys.stdout.write(division.write_lines())
    return 0


def _run_all(division: Division, *, copies: bool) -> int:
    """Runs all parts side by side and joins them, if all of them have ended."""
    from pytest_codereason.errors import UsageError
    from pytest_codereason.results.runs.run_info import RUN

    output = Path(division.output)
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UsageError(f"-o {output}: it is there already; name a new folder")
    output.parent.mkdir(parents=True, exist_ok=True)
    jobs = division.list_jobs((sys.executable, "-m", "pytest"))
    codes = _wait_for_all(jobs, division)
    place = Path() if copies else division.cwd
    for job in jobs if copies else ():
        _copy(job, division)
    lacking = [
        job
        for job, code in zip(jobs, codes, strict=True)
        if code not in _ENDED or not (place / job.folder / RUN).is_file()
    ]
    for job in lacking:
        print(f"{job.folder} is not joined: see {job.folder}.log", file=sys.stderr)
    if lacking:
        print("to go on, run the same command again: it asks only what is missing", file=sys.stderr)
        return _INTERRUPTED if _INTERRUPTED in codes else 1
    return _merge([str(place / job.folder) for job in jobs], division.output)


def _wait_for_all(jobs: list[ShardJob], division: Division) -> list[int]:
    """The exit code of each job. Ctrl-C reaches them too: their answers in flight land, and they end."""
    with ExitStack() as files:
        started = [
            subprocess.Popen(
                job.words,
                cwd=division.cwd,
                stdin=subprocess.DEVNULL,
                stdout=files.enter_context(open(f"{job.folder}.log", "wb")),
                stderr=subprocess.STDOUT,
            )
            for job in jobs
        ]
        for number, job in enumerate(jobs, 1):
            place = f" on {job.host}" if job.host else ""
            print(f"shard {number}/{division.parts}{place} asks: {job.folder}.log", flush=True)
        try:
            return [process.wait() for process in started]
        except KeyboardInterrupt:
            for process in started:
                process.wait()
            return [_INTERRUPTED] * len(started)


def _copy(job: ShardJob, division: Division) -> None:
    """Fetches the folder of a part from its host, if that has one."""
    target = Path(job.folder).absolute()
    subprocess.call(["scp", "-rq", f"{job.host}:{division.cwd / job.folder}", str(target.parent)])


def _merge(folders: list[str], output: str) -> int:
    parser = CommandParser(prog="codereason")
    merge.add(parser.add_subparsers(parser_class=CommandParser))
    args = parser.parse_args(["merge", *folders, "-o", output])
    code: int = args.run(args)
    return code
