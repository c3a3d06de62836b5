"""The answer store: what is kept, what is reused, and that nothing is paid twice."""

from __future__ import annotations

import hashlib
import json
import math
import os
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from pytest_codereason.core import Completion, Usage
from pytest_codereason.engine.storage.store import FOR_EVER, Store, StoredText, read_sent, read_spent
from pytest_codereason.errors import StoreError

ANSWER = Completion(
    text="[1, 2] \ud800 \x1b[31m",
    finish="length",
    prefilled=True,
    usage=Usage(prompt=7, completion=None),
    reasoning="r",
)
TEXT = StoredText(["42", "writer", ""], time.time() - 600, "run", "session")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_an_answer_comes_back_as_it_was(store: Store) -> None:
    store.put("k", FOR_EVER, "scope", ANSWER)
    entry = store.get("k", FOR_EVER)
    assert entry is not None
    assert entry.completion == ANSWER


def test_answers_of_an_endpoint_serve_their_own_run_only(store: Store) -> None:
    first = store.open_run("scope")
    store.put("k", first, "scope", ANSWER)
    assert store.open_run("scope") == first, "an unfinished run is taken up again"
    store.close_run("scope")
    second = store.open_run("scope")
    assert second != first
    assert store.get("k", second) is None


def test_the_suites_of_a_session_share_answers_to_equal_questions(store: Store) -> None:
    store.put("k", "run of one", "scope of one", ANSWER, session="now")
    assert store.get("k", "run of two") is None
    assert store.share("k", "run of two", "scope of two", "another session") is None
    shared = store.share("k", "run of two", "scope of two", "now")
    assert shared is not None
    assert shared.completion == ANSWER
    again = store.get("k", "run of two")
    assert again == shared == store.get("k", "run of one"), "the run that goes on finds it too, with its age"
    assert store.count("scope of two", "run of two") == 1


def test_a_commands_answers_are_not_shared(store: Store) -> None:
    store.put("k", "run of one", "scope", ANSWER)
    assert store.share("k", "run of two", "scope", "") is None


def test_earlier_answers_serve_within_the_age_the_user_allows(tmp_path: Path) -> None:
    Store(tmp_path).put("k", "an earlier run", "scope", ANSWER)
    assert Store(tmp_path, reuse_s=60).get("k", "this run") is not None
    assert Store(tmp_path, reuse_s=0).get("k", "this run") is None


@pytest.mark.parametrize("reuse_s", [0, 60])
def test_a_clock_that_is_set_back_makes_no_answer_younger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reuse_s: int
) -> None:
    store, now = Store(tmp_path, reuse_s=reuse_s), time.time
    store.put("k", "an earlier run", "scope", ANSWER)
    monkeypatch.setattr(time, "time", lambda: now() - 86_400)
    assert store.get("k", "this run") is None
    assert store.count("scope", "this run") == 0


def test_a_pinned_answer_does_not_serve_an_endpoint(tmp_path: Path) -> None:
    Store(tmp_path).put("k", FOR_EVER, "scope", ANSWER)
    assert Store(tmp_path, reuse_s=60).get("k", "a run") is None


def test_a_damaged_row_is_set_aside_and_asked_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("k", FOR_EVER, "scope", ANSWER)
    with sqlite3.connect(store.path) as db:
        db.execute("UPDATE answers SET body = replace(body, '[1, 2]', '[1, 3]')")
    assert store.get("k", FOR_EVER) is None
    with sqlite3.connect(store.path) as db:
        ((body,),) = db.execute("SELECT body FROM damaged").fetchall()
    assert json.loads(body)["text"].startswith("[1, 3]")


@pytest.mark.parametrize(
    "damage",
    [
        "body = CAST(x'7b22ff7d' AS TEXT)",
        "body = CAST(body AS BLOB)",
        "body = NULL",
        "checksum = x'ff'",
        "checksum = CAST(x'ff' AS TEXT)",
        "created = 'yesterday'",
        "created = NULL",
        "created = x'00'",
    ],
)
def test_whatever_a_damaged_row_holds_the_answer_is_asked_again(tmp_path: Path, damage: str) -> None:
    store = Store(tmp_path)
    store.put("k", "run", "scope", ANSWER)
    store.close()
    with sqlite3.connect(store.path) as db:  # a table without the constraints, as a damaged file has none
        db.execute("CREATE TABLE loose AS SELECT * FROM answers")
        db.execute("DROP TABLE answers")
        db.execute("ALTER TABLE loose RENAME TO answers")
        db.execute(f"UPDATE answers SET {damage}")
    again = Store(tmp_path)
    assert again.get("k", "run") is None
    again.put("k", "run", "scope", ANSWER)
    stored = again.get("k", "run")
    assert stored is not None
    assert stored.completion == ANSWER
    assert count_rows(again, "damaged") == 1


@pytest.mark.parametrize("damage", ["body = CAST(x'5bff5d' AS TEXT)", "body = x'5b5d'", "checksum = x'ff'"])
def test_a_damaged_text_is_set_aside_and_written_again(store: Store, damage: str) -> None:
    store.keep_text("k", TEXT)
    store._db.execute(f"UPDATE texts SET {damage}")
    assert store.text("k", "run", "session") is None
    store.keep_text("k", TEXT)
    assert store.text("k", "run", "session") == TEXT
    assert count_rows(store, "damaged") == 1


def test_an_answer_under_the_key_of_another_question_is_set_aside(store: Store) -> None:
    store.put("k", FOR_EVER, "scope", ANSWER)
    store._db.execute("UPDATE answers SET key = 'other'")
    assert store.get("other", FOR_EVER) is None
    store.keep_text("k", TEXT)
    store._db.execute("UPDATE texts SET key = 'other'")
    assert store.text("other", "run", "session") is None
    assert count_rows(store, "damaged") == 2


def test_an_answer_of_before_whose_checksum_does_not_cover_its_key_is_read(store: Store) -> None:
    store.put("k", FOR_EVER, "scope", ANSWER)
    ((body,),) = store._db.execute("SELECT body FROM answers").fetchall()
    store._db.execute("UPDATE answers SET checksum = ?", (hashlib.blake2b(body.encode(), digest_size=12).hexdigest(),))
    stored = store.get("k", FOR_EVER)
    assert stored is not None
    assert stored.completion == ANSWER


@pytest.mark.parametrize("words", [[], ["42", "writer"], ["42", "writer", "", ""], ["42", "writer", 7]])
def test_a_text_of_another_shape_is_written_again(store: Store, words: list[str]) -> None:
    store.keep_text("k", TEXT._replace(words=words))
    assert store.text("k", "run", "session") is None
    assert count_rows(store, "damaged") == 1


def test_a_run_that_is_no_name_is_not_taken_up(store: Store) -> None:
    store.open_run("scope")
    store._db.execute("UPDATE runs SET run = x'ff'")
    run = store.open_run("scope")
    assert isinstance(run, str)
    store.put("k", run, "scope", ANSWER)
    assert store.get("k", run) is not None


@pytest.mark.parametrize("body", ["[" * 100_000, '{"text": "of another version"}', "7", "nothing"])
def test_a_body_that_is_no_answer_is_set_aside(store: Store, body: str) -> None:
    checksum = hashlib.blake2b(body.encode(), digest_size=12).hexdigest()
    store.put("k", "run", "scope", ANSWER)
    store.keep_text("k", TEXT)
    for table in ("answers", "texts"):
        store._db.execute(f"UPDATE {table} SET body = ?, checksum = ?", (body, checksum))
    assert store.get("k", "run") is None
    assert store.text("k", "run", "session") is None
    assert count_rows(store, "damaged") == 2


@pytest.mark.parametrize(
    ("run", "session", "reuse_s", "serves"),
    [
        ("run", "another", 0, True),
        ("another", "session", 0, True),
        ("another", "another", 0, False),
        ("another", "another", 3_600, True),
        ("another", "another", 60, False),
    ],
)
def test_a_text_serves_its_run_its_session_and_later_runs_within_the_age(
    store: Store, run: str, session: str, reuse_s: float, serves: bool
) -> None:
    store.keep_text("k", TEXT)
    assert (store.text("k", run, session, reuse_s=reuse_s) is not None) is serves


VERSION_1 = """
CREATE TABLE texts (key TEXT PRIMARY KEY, created REAL NOT NULL, body TEXT NOT NULL, checksum TEXT NOT NULL);
PRAGMA user_version = 1;
"""


def test_a_store_of_version_1_keeps_its_texts(tmp_path: Path) -> None:
    body = '["42", "writer", ""]'
    with closing(sqlite3.connect(tmp_path / "answers.sqlite")) as db:
        db.executescript(VERSION_1)
        checksum = hashlib.blake2b(body.encode(), digest_size=12).hexdigest()
        db.execute("INSERT INTO texts VALUES ('k', 0.0, ?, ?)", (body, checksum))
        db.commit()
    for _ in range(2):
        store = Store(tmp_path)
        assert store.text("k", "run", "session", reuse_s=60) is None
        kept = store.text("k", "run", "session", reuse_s=math.inf)
        assert kept is not None
        assert (kept.words, kept.created) == (["42", "writer", ""], 0.0)
        store.close()


def test_damaged_rows_about_processes_stop_nobody(tmp_path: Path) -> None:
    one, two = Store(tmp_path), Store(tmp_path)
    assert one.lease("k")
    one.reserve("s", 1.0, 2.0)
    one.notices.pause("model", 60)
    two._db.execute("UPDATE processes SET beat = 'never', pid = x'ff'")
    two._db.execute("INSERT INTO processes VALUES ('ghost', char(97, 0), '1', ?, ?, 0.5)", boot_and_namespace(two))
    two._db.execute("UPDATE leases SET owner = CAST(owner || x'ff' AS TEXT)")
    two._db.execute("UPDATE ledgers SET reserved = x'ff'")
    two._db.execute("UPDATE pauses SET until = 'then'")
    assert two.lease("k")
    assert not two.processes.lives("ghost")
    assert two.spent("s") == 0
    assert two.notices.find_pause("model") == 0


def boot_and_namespace(store: Store) -> tuple[str, str]:
    boot, namespace = store._db.execute("SELECT boot, namespace FROM processes").fetchone()
    return boot, namespace


def count_rows(store: Store, table: str) -> int:
    count: int = store._db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    return count


def test_only_one_of_two_sessions_may_ask(tmp_path: Path) -> None:
    one, two = Store(tmp_path), Store(tmp_path)
    assert one.lease("k")
    assert not two.lease("k")
    one.release("k")
    assert two.lease("k")


def test_an_answer_gives_its_lease_back(tmp_path: Path) -> None:
    one, two = Store(tmp_path), Store(tmp_path)
    assert one.lease("k")
    one.put("k", "run", "scope", ANSWER)
    assert two.lease("k")


def test_a_dead_owner_loses_its_leases(tmp_path: Path) -> None:
    script = (
        "import os, sys, pathlib; from pytest_codereason.engine.storage.store import Store;"
        "assert Store(pathlib.Path(sys.argv[1])).lease('k'); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", script, tmp_path], check=False).returncode == 9
    assert Store(tmp_path).lease("k")


def test_an_owner_that_is_a_zombie_is_dead(tmp_path: Path) -> None:
    script = (
        "import os, sys, pathlib; from pytest_codereason.engine.storage.store import Store;"
        "assert Store(pathlib.Path(sys.argv[1])).lease('k'); print(flush=True); os._exit(9)"
    )
    with subprocess.Popen([sys.executable, "-c", script, tmp_path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read() == b"\n"
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and nobody has reaped it
        assert Store(tmp_path).lease("k")


def test_many_threads_ask_each_question_once(tmp_path: Path) -> None:
    keys = [f"k{i}" for i in range(50)]
    leases: list[str] = []

    def worker() -> None:
        store = Store(tmp_path)
        leases.extend(key for key in keys if store.lease(key))

    threads = [threading.Thread(target=worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(leases) == sorted(keys)


def test_a_limit_holds_over_all_processes(tmp_path: Path) -> None:
    one, two = Store(tmp_path), Store(tmp_path)
    assert one.reserve("s", 0.6, limit=1.0)
    assert not two.reserve("s", 0.6, limit=1.0)
    one.settle("s", 0.6, 0.1)
    assert two.reserve("s", 0.6, limit=1.0)
    assert two.spent("s") == pytest.approx(0.1)
    assert not one.reserve("s", 0.4, limit=1.0)


def test_reservations_leave_nothing_behind(store: Store) -> None:
    amounts = [0.1, 0.2, 0.3, 0.7, 1e-7]
    for amount in amounts:
        assert store.reserve("s", amount, limit=2.0)
    for amount in amounts:
        store.settle("s", amount, 0.0)
    assert store.spent("s") == 0.0
    assert store.reserve("s", 2.0, limit=2.0)


def test_a_dead_process_holds_no_reservation_but_what_it_reserved_may_be_spent(tmp_path: Path) -> None:
    script = (
        "import os, sys, pathlib; from pytest_codereason.engine.storage.store import Store;"
        "assert Store(pathlib.Path(sys.argv[1])).reserve('s', 0.5, 1.0); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", script, tmp_path], check=False).returncode == 9
    store = Store(tmp_path)
    assert store.spent("s") == 0.5
    assert not store.reserve("s", 0.6, limit=1.0)


def test_a_file_that_is_no_store_is_named(tmp_path: Path) -> None:
    (tmp_path / "answers.sqlite").write_text("not a database, but long enough to be taken for one" * 10)
    with pytest.raises(StoreError, match=r"answers\.sqlite.*--eval-store"):
        Store(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="--eval-store"):
        Store(tmp_path / "file" / "store")


def test_a_process_that_leaves_is_forgotten_with_its_leases(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as other:
        one = Store(tmp_path)
        assert one.lease("k")
        assert other.processes.lives(one.owner)
        one.close()
        assert not other.processes.lives(one.owner)
        assert other.lease("k")
        assert other._db.execute("SELECT count(*) FROM processes").fetchone() == (1,)


def test_a_lease_is_given_back_by_who_holds_it_alone(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as one, closing(Store(tmp_path)) as other:
        assert one.lease_all(["a", "b", "a"]) == [True, True, False]
        other.release("a")
        assert other.lease_all(["a", "c"]) == [False, True]
        one.release("a")
        assert other.lease("a")


def test_the_requests_of_all_processes_of_a_session_are_counted(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as one, closing(Store(tmp_path)) as other:
        for store, session, requests in ((one, "s", 3), (other, "s", 4), (one, "t", 5), (one, "s", 0), (one, "", 6)):
            store.note_sent(session, requests)
        assert (other.count_sent("s"), other.count_sent("t"), other.count_sent("u"), other.count_sent("")) == (
            7,
            5,
            0,
            0,
        )
        assert one._db.execute("SELECT count(*) FROM sent").fetchone() == (3,)
    assert (read_sent(tmp_path, "s"), read_spent(tmp_path, "s")) == (7, 0)
    with closing(Store(tmp_path)) as store:
        store.reserve("s", 3.0, math.inf)
        store.settle("s", 3.0, 2.0)
        assert read_spent(tmp_path, "s") == 2
    (tmp_path / "file").touch()
    assert (read_sent(tmp_path / "file", "s"), read_spent(tmp_path / "file", "s")) == (None, None)


def test_a_store_of_a_later_version_is_refused_and_a_new_one_has_a_version(tmp_path: Path) -> None:
    for _ in range(2):
        with closing(Store(tmp_path)) as store:
            assert store._db.execute("PRAGMA user_version").fetchone() == (2,)
    with closing(sqlite3.connect(tmp_path / "answers.sqlite")) as db:
        db.execute("PRAGMA user_version = 3")
    with pytest.raises(
        StoreError,
        match="it is a store of version 3, not 2; name another folder with --eval-store",
    ):
        Store(tmp_path)


def test_a_run_of_a_week_ago_is_not_taken_up(store: Store) -> None:
    run = store.open_run("scope")
    store._db.execute("UPDATE runs SET opened = ?", (time.time() - 6.9 * 86_400,))
    assert store.open_run("scope") == run
    store._db.execute("UPDATE runs SET opened = ?", (time.time() - 7.1 * 86_400,))
    assert store.open_run("scope") != run


def test_answers_that_a_run_may_use_are_counted(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        for key, run, scope in (
            ("a", "r", "s"),
            ("b", "r", "s"),
            ("a", "q", "s"),
            ("c", "r", "t"),
            ("d", FOR_EVER, "s"),
        ):
            store.put(key, run, scope, ANSWER)
        assert [store.count("s", run) for run in ("r", "q", "x", FOR_EVER)] == [2, 1, 0, 1]
    with closing(Store(tmp_path, reuse_s=60)) as store:
        assert [store.count("s", run) for run in ("r", "q", "x")] == [2, 2, 2], "each question once"
