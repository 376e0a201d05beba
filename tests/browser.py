"""A headless Chromium, spoken to over a pipe: no driver, no network and no other package."""

import fcntl
import json
import os
import shutil
import subprocess
import time
from base64 import b64decode
from select import select

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
KEYS = {"Enter": (13, "\r"), " ": (32, " "), "Tab": (9, ""), "ArrowDown": (40, "")}
SECONDS = 30


class Browser:
    """One window, and what it complained of since the last page was opened."""

    def __init__(self, folder):
        to_read, to_write = os.pipe(), os.pipe()
        # the browser reads from 3 and writes to 4, wherever these are taken here
        ends = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (to_read[0], to_write[1])]
        os.close(to_read[0])
        os.close(to_write[1])

        def connect():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        flags += ["--remote-debugging-pipe", "--no-first-run", f"--user-data-dir={folder}"]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = [CHROMIUM, *flags, "about:blank"]
        self.process = subprocess.Popen(
            command, preexec_fn=connect, pass_fds=(3, 4), start_new_session=True, **silent
        )
        for end in ends:
            os.close(end)
        self._in, self._out = to_read[1], to_write[0]
        self._held, self._last, self.events = b"", 0, []
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self._session = None
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, EOFError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self._in)
        os.close(self._out)

    def call(self, method, **params):
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._in, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + SECONDS
        while (reply := self._next(until)).get("id") != self._last:
            self.events.append(reply)
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']['message']}")
        return reply["result"]

    def _next(self, until):
        while b"\0" not in self._held:
            ready, _, _ = select([self._out], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser did not answer")
            part = os.read(self._out, 1 << 16)
            if not part:
                raise EOFError("the browser went away")
            self._held += part
        message, _, self._held = self._held.partition(b"\0")
        return json.loads(message)

    def open(self, path, *, width=1200, height=900, dark=False):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        for url in ("about:blank", path if isinstance(path, str) else path.as_uri()):
            self.events.clear()
            self.call("Page.navigate", url=url)
            until = time.monotonic() + SECONDS
            while not any(event["method"] == "Page.loadEventFired" for event in self.events):
                self.events.append(self._next(until))

    def wait(self, script):
        """Return the value of an expression once it is true."""
        until = time.monotonic() + SECONDS
        while not (value := self.ask(script)):
            if time.monotonic() > until:
                raise TimeoutError(f"never true: {script}")
            time.sleep(0.02)
        return value

    def ask(self, script):
        """Return the value of an expression in the page; an exception in it is raised here."""
        reply = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in reply:
            raise RuntimeError(json.dumps(reply["exceptionDetails"])[:500])
        return reply["result"].get("value")

    def press(self, key):
        code, text = KEYS.get(key) or (ord(key.upper()), key)
        named = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **named)
        self.call("Input.dispatchKeyEvent", type="keyUp", **named)

    def picture(self, path, *, whole=False):
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(b64decode(shot["data"]))

    def complaints(self):
        """Return what the console says of errors, and every address asked for but the page and its data."""
        self.ask("0")
        wrong = []
        for event in self.events:
            method, params = event["method"], event.get("params", {})
            if method == "Runtime.exceptionThrown":
                wrong.append(params["exceptionDetails"]["text"])
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
                wrong.append(str(params["args"]))
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                wrong.append(params["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    wrong.append(url)
            elif method == "Page.javascriptDialogOpening":
                wrong.append(f"dialog: {params['message']}")
        return wrong


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A window of a headless Chromium."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed here")
    window = Browser(tmp_path_factory.mktemp("browser"))
    yield window
    window.close()
