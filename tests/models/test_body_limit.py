"""A server that sends too much costs neither memory nor the run."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import pytest

from pytest_codereason.core import Completion
from pytest_codereason.errors import TransientModelError
from pytest_codereason.models.openai import OpenAIModel
from pytest_codereason.models.openai.body_limit import MAX_BODY
from pytest_codereason.models.openai.client import Client
from tests.models.asking import answers, request
from tests.servers import Disruption, Server

#: Bytes of a body that would be noticed, and do no harm where nothing stops them.
LARGE = 128 * 2**20
#: The most that the memory of the client may grow, in bytes.
GROWTH = 64 * 2**20

CLIENT = """
import asyncio, resource, sys
from pytest_codereason.models.openai import OpenAIModel
from pytest_codereason.models.openai import client
from tests.models.asking import request

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

async def ask(url):
    model = OpenAIModel.create("scripted", url=url, args={})
    before = peak()
    try:
        await model.start()
        completion = await model.answer(request())
        print(completion.finish, len(completion.text), end=" ")
    except Exception as error:
        print(type(error).__name__, str(error).replace(" ", "_"), end=" ")
    print(peak() - before, flush=True)

for line in sys.stdin:
    asyncio.run(ask(line.strip()))
"""
#: What a client in a process of its own gets from a server, after its growth was checked.
Ask = Callable[[str], tuple[str, str]]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """One process asks all servers: to start one takes longer than to read what a server sends."""
    command = [sys.executable, "-c", CLIENT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines, replies = process.stdin, process.stdout

        def ask_there(url: str) -> tuple[str, str]:
            print(url, file=lines, flush=True)
            kind, words, growth = replies.readline().split()
            assert int(growth) < GROWTH
            return kind, words

        yield ask_there


@cache
def pack(size: int) -> bytes:
    """A completion of ``size`` zeros, packed by gzip: a thousandth of its length."""
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(b'{"choices": [{"message": {"content": "')]
    parts += [packer.compress(b"0" * 2**20) for _ in range(size // 2**20)]
    return b"".join([*parts, packer.compress(b'"}, "finish_reason": "stop"}]}'), packer.flush()])


def ask_here(server: Server) -> Completion:
    """What a client in this process gets."""
    return answers(OpenAIModel.create("scripted", url=server.url, args={}), request())[0]


@pytest.mark.slow
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_reply_that_is_too_long_was_cut_off(ask: Ask, packed: bool) -> None:
    body, headers = (pack(LARGE), {"Content-Encoding": "gzip"}) if packed else (b" " * LARGE, {})
    with Server(script=[Disruption(body=body, headers=headers)]) as server:
        assert ask(server.url) == ("length", "0")


def test_an_error_that_is_too_long_is_that_error(ask: Ask) -> None:
    with Server(script=[Disruption(status=503, body=b" " * LARGE)]) as server:
        assert ask(server.url) == ("TransientModelError", "HTTP_503:_no_message")


def test_a_list_of_models_that_is_too_long_is_no_list(ask: Ask) -> None:
    with Server(listing=Disruption(body=pack(LARGE), headers={"Content-Encoding": "gzip"})) as server:
        assert ask(server.url)[0] == "stop"


def test_a_reply_that_is_packed_twice_is_trouble(ask: Ask) -> None:
    twice = Disruption(body=gzip.compress(pack(LARGE)), headers={"Content-Encoding": "gzip, gzip"})
    with Server(script=[twice]) as server:
        kind, words = ask(server.url)
    assert kind == "TransientModelError"
    assert "did_not_allow" in words


@pytest.mark.parametrize("packing", ["br", "zstd", "compress", "gzip, br"])
def test_a_packing_that_was_not_asked_for_is_trouble(packing: str) -> None:
    packed = Disruption(headers={"Content-Encoding": packing})
    with Server(script=[packed]) as server, pytest.raises(TransientModelError, match="did not allow"):
        ask_here(server)


def test_many_members_are_unpacked_to_the_limit_only(ask: Ask) -> None:
    members = gzip.compress(b" " * 2**20) * (LARGE // 2**20)
    with Server(script=[Disruption(body=members, headers={"Content-Encoding": "gzip"})]) as server:
        assert ask(server.url) == ("length", "0")


@pytest.mark.parametrize(
    "pieces", [gzip.compress(b"") * 10_000, gzip.compress(b"{}") + b"x" * 2**17], ids=["empty", "tail"]
)
def test_much_that_unpacks_to_nothing_is_too_long(ask: Ask, pieces: bytes) -> None:
    body = pieces * (LARGE // 4 // len(pieces))
    with Server(script=[Disruption(body=body, headers={"Content-Encoding": "gzip"})]) as server:
        assert ask(server.url) == ("length", "0")


def test_a_reply_that_cannot_be_unpacked_is_trouble() -> None:
    broken = Disruption(body=b"x" * 100, headers={"Content-Encoding": "gzip"})
    with Server(script=[broken]) as server, pytest.raises(TransientModelError, match="cannot be unpacked"):
        ask_here(server)


@pytest.mark.parametrize("size", [MAX_BODY - 1_000, 10])
@pytest.mark.parametrize(
    ("packing", "pack_body"),
    [
        ("identity", bytes),
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body, wbits=9)),
        ("deflate", lambda body: zlib.compress(body, wbits=-15)),
        ("gzip", lambda body: gzip.compress(body[:9]) + gzip.compress(b"") + gzip.compress(body[9:])),
        ("gzip", lambda body: gzip.compress(body) + b"\0" * 9),
        ("X-GZIP", gzip.compress),
        ("identity, gzip", gzip.compress),
        ("gzip, utf-8", gzip.compress),
        *((word, bytes) for word in ("", "utf-8", "UTF8", "none", "binary", "aws-chunked", "identity, identity")),
    ],
)
def test_an_honest_reply_arrives(size: int, packing: str, pack_body: Callable[[bytes], bytes]) -> None:
    content = "x" * size
    body = {"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}
    disruption = Disruption(body=pack_body(json.dumps(body).encode()), headers={"Content-Encoding": packing})
    with Server(script=[disruption]) as server:
        assert ask_here(server).text == content


@contextmanager
def raw_server(opening: bytes, piece: bytes, times: int, *, pause_s: float = 0.0) -> Iterator[str]:
    """Sends the same bytes to whoever connects."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            try:
                connection.recv(65536)
                connection.sendall(opening)
                for _ in range(times):
                    connection.sendall(piece)
                    time.sleep(pause_s)
            except OSError:
                pass
            finally:
                connection.close()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        listener.close()


TRICKLES = {
    "status": (b"HTTP/1.1 200 ", b"O"),
    "header": (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
    "headers": (b"HTTP/1.1 200 OK\r\n", b"X: 1\r\n"),
    "continue": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "body": (b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b" "),
    "events": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"6\r\n: hi\n\n\r\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", TRICKLES)
def test_a_reply_that_trickles_for_ever_is_given_up(kind: str) -> None:
    async def ask_for_it(url: str) -> None:
        client = Client(url, {}, headers={}, timeout_s=0.3, idle_timeout_s=5)
        try:
            await client.post("/chat/completions", b"{}")
        finally:
            await client.close()

    opening, piece = TRICKLES[kind]
    given_up = pytest.raises(TransientModelError, match=r"no answer within 0\.3 seconds")
    with raw_server(opening, piece, 100, pause_s=0.05) as url, given_up:
        asyncio.run(ask_for_it(url))


def test_a_stream_of_events_is_asked_for_again() -> None:
    events = b'data: {"choices": [{"delta": {"content": "4"}}]}\n\ndata: [DONE]\n\n'
    stream = Disruption(body=events, headers={"Content-Type": "text/event-stream"})
    with Server(script=[stream]) as server, pytest.raises(TransientModelError, match="not JSON"):
        ask_here(server)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opening", "piece"),
    [
        (b"HTTP/1.1 200 OK\r\nX: ", b"x" * 2**20),
        (b"HTTP/1.1 200 OK\r\n", b"X: 1\r\n" * 2**17),
        (b"HTTP/1.1 200 ", b"OK" * 2**19),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1;" + b"x" * 2**20),
    ],
    ids=["header", "headers", "status", "chunks"],
)
def test_a_head_without_an_end_is_trouble(ask: Ask, opening: bytes, piece: bytes) -> None:
    with raw_server(opening, piece, LARGE // len(piece)) as url:
        assert ask(url)[0] == "UsageError"  # already the list of models
