"""The answer store: keeps every paid answer in one SQLite file on each host.

Sessions and processes share the store. When a question is sent, its key is *leased*, so that two sessions that want
the same answer pay for it once. A lease ends with its answer, or with the process that holds it.

An answer of a *pinned* model (its weights are known by digest) serves every later run. An endpoint's model may change
tomorrow, so its answers serve the run that asked for them. That run stays open until it ends without an error. Later
runs use the answer only if it is not older than ``reuse_s``. A text that a model wrote before a question was built is
kept in the same way.

The suites of one session share answers to equal questions, so that a first question that several suites ask is paid
for once. Such an answer then belongs to the run of each of them.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pytest_codereason.core import Completion, Usage, shallow
from pytest_codereason.engine.storage.batches import Batches
from pytest_codereason.engine.storage.notices import Notices
from pytest_codereason.engine.storage.processes import Processes
from pytest_codereason.engine.storage.store_file import StoreFile, explain_failure
from pytest_codereason.engine.storage.store_schema import UPGRADE, VERSION, WHOLE_SCHEMA, list_columns
from pytest_codereason.errors import StoreError

#: The ``run`` of a pinned model's answers, which belong to no run.
FOR_EVER = ""
#: How often a session looks for an answer that another session has asked for.
POLL_S = 0.2
#: A run that was opened longer ago than this is not resumed, unless a batch of it is under way.
RESUME_WITHIN_S = 7 * 86_400.0

#: A smaller sum of dollars is a rounding error.
ROUNDING = 1e-9


class StoredText(NamedTuple):
    """What a writer wrote, when (seconds since the epoch), and for whom."""

    words: list[str]
    created: float
    run: str
    session: str


class StoredAnswer(NamedTuple):
    """A stored answer and when it was given (seconds since the epoch)."""

    completion: Completion
    created: float


class Store:
    """One process's view of the store. Use it from one thread.

    Args:
        folder: holds ``answers.sqlite``. It is made if it is missing. It must not be on a network drive.
        reuse_s: the greatest age of an unpinned model's answer from an earlier run, in seconds.
        clock: seconds since the start of the machine, by which leases are kept.

    Raises:
        StoreError: the folder cannot be written, or the file is not a store.
    """

    def __init__(self, folder: Path, *, reuse_s: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = folder / "answers.sqlite"
        self._reuse_s = reuse_s
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with ExitStack() as failing:
                self._db = failing.enter_context(closing(StoreFile(self.path)))
                self._check_version()
                self._db.executescript(WHOLE_SCHEMA)
                self._check_columns()
                self.notices = Notices(self._db, clock)
                self.processes = Processes(self._db, clock)
                self.batches = Batches(self._db)
                self.owner = self.processes.owner
                self.processes.heartbeat()
                failing.pop_all()
        except (OSError, StoreError) as error:
            raise StoreError(
                f"the answer store {self.path} cannot be used: {explain_failure(self.path, error)}; "
                "name another folder with --eval-store"
            ) from error

    def _check_version(self) -> None:
        # In this order: whoever makes a store gives it its version before its tables.
        (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version == 1:
            self._upgrade()
            version = VERSION
        if tables and version != VERSION:
            raise StoreError(f"it is a store of version {version}, not {VERSION}")
        if version != VERSION:  # a disk that is full allows no write
            self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _check_columns(self) -> None:
        for table, columns in list_columns().items():
            found = {row[1] for row in self._db.execute(f"PRAGMA table_info({table})").fetchall()}
            if lacking := columns - found:
                raise StoreError(f"its table {table} has no column {min(lacking)}")

    def _upgrade(self) -> None:
        try:
            self._db.executescript(UPGRADE)
        except StoreError:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version != VERSION:  # else another process has done it meanwhile
                raise

    def get(self, key: str, run: str) -> StoredAnswer | None:
        """The answer with this key from this run, else from an earlier run if the answer may be reused."""
        now = time.time()
        rows = self._db.execute(
            "SELECT rowid, created, body, checksum FROM answers"
            " WHERE key = ? AND (run = ? OR (run != ? AND created BETWEEN ? AND ?)) ORDER BY run = ? DESC,"
            " created DESC",
            (key, run, FOR_EVER, now - self._reuse_s, now, run),
        ).fetchall()
        for place, created, body, checksum in rows:
            if (whole := _read_body(key, body, checksum)) is not None and isinstance(created, float) and created >= 0:
                with suppress(KeyError, TypeError):  # another version of this package wrote it
                    return StoredAnswer(_read_completion(whole), created)
            self._set_aside("answers", place)
        return None

    def share(self, key: str, run: str, scope: str, session: str) -> StoredAnswer | None:
        """The answer that another suite of the session was given to an equal question. It now serves this run too."""
        row = self._db.execute("SELECT run FROM asked WHERE key = ? AND session = ?", (key, session)).fetchone()
        if row is None or row[0] == run:
            return None
        self._db.execute(
            "INSERT OR IGNORE INTO answers SELECT key, ?, ?, created, body, checksum FROM answers"
            " WHERE key = ? AND run = ?",
            (run, scope, key, row[0]),
        )
        return self.get(key, run)

    def put(self, key: str, run: str, scope: str, completion: Completion, *, session: str = "") -> None:
        """Stores one answer; see :meth:`put_all`."""
        self.put_all([(key, run, scope, completion)], session=session)

    def put_all(self, answers: Sequence[tuple[str, str, str, Completion]], *, session: str = "") -> None:
        """Stores answers (key, run, scope, completion) and ends their leases, in one transaction.

        All suites of ``session`` may :meth:`share` them, except those of pinned models, which serve everybody anyway.

        Raises:
            StoreError: the answers could not be written, for example because the disk is full.
        """
        now = time.time()
        bodies = [_format_completion(completion) for *_, completion in answers]
        rows = [
            (key, run, scope, now, body, _compute_checksum(key, body))
            for (key, run, scope, _), body in zip(answers, bodies, strict=True)
        ]
        shared = [(key, session, run, now) for key, run, *_ in rows if session and run not in (FOR_EVER, session)]
        with self.write_whole(f"an answer could not be stored in {self.path}"):
            self._db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", rows)
            self._db.executemany("INSERT OR REPLACE INTO asked VALUES (?, ?, ?, ?)", shared)
            self._db.executemany("DELETE FROM leases WHERE key = ?", [(key,) for key, *_ in answers])

    def lease_all(self, keys: Sequence[str]) -> list[bool]:
        """Calls :meth:`lease` for each key, in one transaction."""
        with self.write_whole(f"the answer store {self.path} cannot be written"):
            return [self.lease(key) for key in keys]

    def lease(self, key: str) -> bool:
        """Whether this process may ask the question. It may not while another live process asks it."""
        self.processes.heartbeat()
        taken = self._db.execute("INSERT OR IGNORE INTO leases VALUES (?, ?)", (key, self.owner)).rowcount
        if taken:
            return True
        row = self._db.execute("SELECT owner, hex(owner) FROM leases WHERE key = ?", (key,)).fetchone()
        if row is None:
            return self.lease(key)
        owner, stored = row
        if owner == self.owner or self.processes.lives(owner):
            return False
        stolen = self._db.execute(  # in hexadecimal: the row may be damaged
            "UPDATE leases SET owner = ? WHERE key = ? AND hex(owner) = ?", (self.owner, key, stored)
        ).rowcount
        return bool(stolen)

    def text(self, key: str, run: str, session: str, *, reuse_s: float = 0.0) -> StoredText | None:
        """The text with this key of this run, else one of this session, else one that is not older than ``reuse_s``."""
        now = time.time()
        rows = self._db.execute(
            "SELECT rowid, run, session, created, body, checksum FROM texts"
            " WHERE key = ? AND (run = ? OR session = ? OR created BETWEEN ? AND ?)"
            " ORDER BY run = ? DESC, session = ? DESC, created DESC",
            (key, run, session, now - reuse_s, now, run, session),
        ).fetchall()
        for place, of_run, of_session, created, body, checksum in rows:
            words = _read_body(key, body, checksum)
            if _is_text(words) and isinstance(created, float):
                return StoredText(words, created, str(of_run), str(of_session))
            self._set_aside("texts", place)
        return None

    def keep_text(self, key: str, text: StoredText) -> None:
        """Keeps what was written for a run and gives its lease back, in one transaction."""
        body = json.dumps(text.words, ensure_ascii=True)
        row = (key, text.run, text.session, text.created, body, _compute_checksum(key, body))
        with self.write_whole(f"a text could not be kept in {self.path}"):
            self._db.execute("INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?, ?, ?)", row)
            self._db.execute("DELETE FROM leases WHERE key = ? AND owner = ?", (key, self.owner))

    def release(self, key: str) -> None:
        """Ends a lease without an answer."""
        self._db.execute("DELETE FROM leases WHERE key = ? AND owner = ?", (key, self.owner))

    def open_run(self, scope: str) -> str:
        """The open run of this scope (plan and model), else a new run."""
        fresh = uuid.uuid4().hex
        self._db.execute(
            "DELETE FROM runs WHERE opened < ? AND run NOT IN (SELECT run FROM batched)",
            (time.time() - RESUME_WITHIN_S,),
        )
        self._db.execute("DELETE FROM asked WHERE created < ?", (time.time() - RESUME_WITHIN_S,))
        self._db.execute("INSERT OR IGNORE INTO runs VALUES (?, ?, ?)", (scope, fresh, time.time()))
        (run,) = self._db.execute("SELECT run FROM runs WHERE scope = ?", (scope,)).fetchone()
        return run if isinstance(run, str) else fresh  # a damaged row

    def close_run(self, scope: str) -> None:
        """Ends a run that has all its answers. The next run of its scope asks anew."""
        self._db.execute("DELETE FROM runs WHERE scope = ?", (scope,))

    def count(self, scope: str, run: str) -> int:
        """How many stored answers a run may use."""
        now = time.time()
        count: int = self._db.execute(
            "SELECT count(DISTINCT key) FROM answers"
            " WHERE scope = ? AND (run = ? OR (run != ? AND created BETWEEN ? AND ?))",
            (scope, run, FOR_EVER, now - self._reuse_s, now),
        ).fetchone()[0]
        return count

    def reserve(self, session: str, amount: float, limit: float) -> bool:
        """Reserves ``amount`` dollars, if the sum that all processes have spent and reserved stays within ``limit``."""
        self._db.execute("INSERT OR IGNORE INTO ledgers VALUES (?, ?, 0, 0)", (session, self.owner))
        changed = self._db.execute(
            "UPDATE ledgers SET reserved = reserved + ? WHERE session = ? AND owner = ?"
            " AND (SELECT sum(spent + reserved) FROM ledgers WHERE session = ?) + ? <= ?",
            (amount, session, self.owner, session, amount, limit + ROUNDING),
        ).rowcount
        return bool(changed)

    def spent(self, session: str) -> float:
        """The dollars that are spent. A process that died may have paid for all that it had reserved."""
        rows = self._db.execute(
            "SELECT owner, total(spent), total(reserved) FROM ledgers WHERE session = ? GROUP BY owner", (session,)
        )
        return math.fsum(
            spent if self.processes.lives(owner) else spent + reserved for owner, spent, reserved in rows.fetchall()
        )

    def settle(self, session: str, reserved: float, spent: float) -> None:
        """Replaces a reservation of this process by the dollars that were really spent."""
        self._db.execute(
            "UPDATE ledgers SET reserved = max(0, reserved - ?), spent = spent + ? WHERE session = ? AND owner = ?",
            (reserved, spent, session, self.owner),
        )

    def note_sent(self, session: str, requests: int) -> None:
        """Notes how many requests this process has sent to the models of a session."""
        if not (session and requests):
            return
        with suppress(StoreError):  # on a full disk; the run has said so already
            self._db.execute("INSERT INTO sent VALUES (?, ?, ?)", (session, self.owner, requests))

    def count_sent(self, session: str) -> int:
        """How many requests the processes of a session have sent to its models."""
        (sent,) = self._db.execute(
            "SELECT total(requests) FROM sent WHERE session = ? AND typeof(requests) = 'integer'", (session,)
        ).fetchone()
        return int(sent)

    def close(self) -> None:
        """Ends this process's leases and closes the file."""
        with suppress(StoreError):  # on a full disk; the leases end with this process anyway
            self._db.execute("DELETE FROM leases WHERE owner = ?", (self.owner,))
            self.processes.leave()
        self._db.close()

    @contextmanager
    def write_whole(self, complaint: str) -> Iterator[None]:
        """Writes all that the ``with`` block writes, or nothing, in one transaction. A block within a block joins it.

        Raises:
            StoreError: nothing could be written; the message begins with ``complaint``.
        """
        if self._db.in_transaction:
            yield
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if not isinstance(error, StoreError):
                raise
            raise StoreError(f"{complaint}: {explain_failure(self.path, error)}") from error

    def _set_aside(self, table: Literal["answers", "texts"], place: int) -> None:
        """Moves a damaged row, so that its question is asked again."""
        run = "run" if table == "answers" else "''"
        self._db.execute(
            f"INSERT INTO damaged SELECT key, {run}, ?, body FROM {table} WHERE rowid = ?", (time.time(), place)
        )
        self._db.execute(f"DELETE FROM {table} WHERE rowid = ?", (place,))


def _format_completion(completion: Completion) -> str:
    whole = {**shallow(completion), "usage": shallow(completion.usage)}
    if completion.endpoint is None:  # so that versions from before models had several addresses can read it
        del whole["endpoint"], whole["failed_at"]
    return json.dumps(whole, ensure_ascii=True, separators=(",", ":"))


def _read_body(key: str, body: object, checksum: object) -> Any:
    """What a row holds, ``None`` if the row is damaged, or belongs to another key: an index may be damaged too."""
    if not isinstance(body, str) or checksum not in (_compute_checksum(key, body), _compute_old_checksum(body)):
        return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _is_text(words: object) -> bool:
    """Whether a body holds a text, its author and the reason why it is the rule's."""
    return isinstance(words, list) and len(words) == 3 and all(isinstance(word, str) for word in words)


def _compute_checksum(key: str, body: str) -> str:
    return _compute_old_checksum(f"{key}\n{body}")


def _compute_old_checksum(body: str) -> str:
    """What rows of before have, which do not cover their key."""
    return hashlib.blake2b(body.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _read_completion(body: Mapping[str, Any]) -> Completion:
    return Completion(
        **{**body, "usage": Usage(**body["usage"]), "failed_at": tuple(body.get("failed_at", ()))},
    )


def read_spent(folder: Path, session: str) -> float | None:
    """The US dollars that a session has spent, as the store in a folder has noted them.

    ``None`` if the store cannot be used, for example because the disk is full: the run has said so already.
    """
    try:
        with closing(Store(folder)) as store:
            return store.spent(session)
    except StoreError:
        return None


def read_sent(folder: Path, session: str) -> int | None:
    """How many requests a session has sent to its models; ``None`` if the store in the folder cannot be used."""
    try:
        with closing(Store(folder)) as store:
            return store.count_sent(session)
    except StoreError:
        return None
