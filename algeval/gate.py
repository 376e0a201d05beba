"""A pytest fixture: a test fails where the judges cannot be as good as required, and keeps the proof.

Installed with algeval, pytest loads it by itself. Where GitHub runs the tests, the verdicts are also written
to the summary of the run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from textwrap import fill, indent
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from algeval.logic.results import Alarm

__all__ = ["Judges", "judges"]

_FOLDER = "algeval-certificates"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the setting of where proofs are kept."""
    help_text = "folder for the certificates of failed gates, from the root of the project"
    parser.addini("algeval_certificates", help_text, default=_FOLDER)


@pytest.fixture
def judges(request: pytest.FixtureRequest) -> Callable[..., Judges]:
    """Return ``judges(source, **reading)``: the judges of a file, to be asked what they must reach.

    `source` is what `algeval.read_votes` reads, and the options are its own.
    """
    index = request.config.rootpath / str(request.config.getini("algeval_certificates"))
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", request.node.name).strip("-")
    return lambda source, **reading: Judges(source, index / name, reading, request.node.nodeid)


class Judges:
    """Judges whose votes are read when something is asked of them.

    Parameters
    ----------
    source : path, table, Votes, Sketch or Summary
    folder : Path
        Where the proof is written if they fall short.
    reading : dict
        Options of `read_votes`.
    test : str
        The name of the test, for the summary.
    """

    def __init__(self, source: Any, folder: Path, reading: dict[str, Any], test: str) -> None:
        self._source, self._folder, self._reading, self._test = source, folder, reading, test

    def at_least(self, accuracy: Any, **options: Any) -> Alarm:
        """Fail the test unless some answer key lets every judge reach this accuracy on every label.

        Parameters
        ----------
        accuracy : number or str
            Such as "2/3", 0.6 or "60%"; or a specification, such as "grade(gpt) >= 0.8".
        **asked
            Further settings of `algeval.alarm`: `order`, `time_limit`, `missing`.

        Returns
        -------
        Alarm
            The silent alarm, with its witness. Silence is no praise: it proves nobody good.
        """
        __tracebackhide__ = True
        from algeval.io import load
        from algeval.logic import alarm

        data: Any = load(self._source, **self._reading)
        result = alarm(data, at_least=accuracy, **options)
        if result.triggered is False:
            _summarise("passed", self._test, f"{result.message}\n{result.meaning}")
            return result
        text = self._sentence(result, data)
        _summarise("failed", self._test, text)
        pytest.fail(text, pytrace=False)

    def _sentence(self, alarm: Alarm, data: Any) -> str:
        """Verdict, what it does not mean, and where the proof is."""
        if alarm.certificate is None:
            return f"{alarm.message} A gate does not pass what was not settled: pass a longer time_limit."
        from algeval.certificates import check, save
        from algeval.data.reading import as_counts

        counts = as_counts(data)
        proofs = {"certificate": alarm.certificate}
        lines = [*check(proofs, counts), *save(str(self._folder), proofs, counts)]
        return "\n".join((alarm.message, f"What this does not mean: {alarm.meaning}", *lines))


def _summarise(verdict: str, test: str, text: str) -> None:
    """Append a verdict in Markdown to the summary of a GitHub run, if this is one."""
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if page:
        quoted = "\n".join(
            indent(fill(line, 100, break_long_words=False), "    ") for line in text.splitlines()
        )
        with open(page, "a", encoding="utf-8") as stream:
            stream.write(f"### Judges gate {verdict}: `{test}`\n\n{quoted}\n\n")
