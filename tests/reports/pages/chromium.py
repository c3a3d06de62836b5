"""A headless Chromium, driven through its DevTools protocol, to look at a page as a reader does."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

PATH = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
)


@dataclass
class Page:
    """One tab. ``complaints`` are console messages and exceptions, ``requests`` the addresses asked for."""

    socket: aiohttp.ClientWebSocketResponse
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    _last: int = 0
    _session: str | None = None

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of one command; events that arrive before it are noted."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        await self.socket.send_json(message | ({"sessionId": self._session} if self._session else {}))
        while True:
            reply = await self._receive()
            if reply.get("id") == self._last:
                assert "error" not in reply, reply
                result: dict[str, Any] = reply["result"]
                return result

    async def open(self, path: Path, *, width: int, height: int = 900, dark: bool = False) -> None:
        """Shows a file in a window ``width`` CSS pixels wide and waits until it has loaded."""
        if self._session is None:
            target = await self.call("Target.createTarget", url="about:blank")
            session = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
            self._session = session["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                await self.call(f"{domain}.enable")
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.call("Emulation.setEmulatedMedia", features=[scheme])
        await self.call("Page.navigate", url=path.as_uri())
        await self._wait_for_load()

    async def reload(self) -> None:
        """Loads the page again, at its present address, and waits until it has loaded."""
        await self.call("Page.reload")
        await self._wait_for_load()

    async def _wait_for_load(self) -> None:
        while (await self._receive()).get("method") != "Page.loadEventFired":
            pass

    async def evaluate(self, expression: str) -> Any:
        """The JSON value of a JavaScript expression, or of the promise that the expression is."""
        reply = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]
        return reply["result"].get("value")

    async def screenshot(self, path: Path, *, whole: bool = True) -> None:
        """The whole page, or what the window shows, in the format of the file: ``.png`` or ``.webp``."""
        shown = {"captureBeyondViewport": whole, "format": path.suffix[1:]}
        reply = await self.call("Page.captureScreenshot", **shown)
        path.write_bytes(base64.b64decode(reply["data"]))

    async def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads((await self.socket.receive(timeout=30)).data)
        method, params = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(params["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(json.dumps(params["args"]))
        return message


@asynccontextmanager
async def browser(profile: Path) -> AsyncIterator[Page]:
    """A tab of a fresh Chromium whose profile lies in the folder ``profile``."""
    assert PATH is not None
    process = await asyncio.create_subprocess_exec(
        PATH, *_FLAGS, f"--user-data-dir={profile}", stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    try:
        address = b""
        while not address.startswith(b"DevTools listening on "):
            address = await asyncio.wait_for(process.stderr.readline(), 60)
            assert address, "chromium ended before it was up"
        url = address.decode().removeprefix("DevTools listening on ").strip()
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(url, max_msg_size=0) as socket,
        ):
            page = Page(socket)
            yield page
            page._session = None
            await page.call("Browser.close")
    finally:
        if process.returncode is None:
            try:
                await asyncio.wait_for(process.communicate(), 20)
            except TimeoutError:
                process.kill()
                await process.wait()
