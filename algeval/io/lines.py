"""What DuckDB leaves to us about lines: ends of two kinds, and lines longer than its buffer."""

from __future__ import annotations

import gzip
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path

from algeval.errors import DataError
from algeval.io.opened import is_packed
from algeval.progress import counted

__all__ = ["LONGEST_LINE", "one_line_ending", "survey", "too_long"]

LONGEST_LINE = 2_000_000
"""Bytes; DuckDB's own limit, which it forgets beyond its buffer of 32 MB: it drops such a line."""

_BLOCK = 1 << 20


def too_long(path: Path, line: int | None = None) -> DataError:
    """Return the complaint about a line that is too long."""
    where = "" if line is None else f" near line {line}"
    return DataError(
        f"every line of {path.name} must be shorter than 2 MB; got a longer one{where}; leave long "
        "texts out of the table"
    )


def survey(path: Path) -> None:
    """Refuse a file with a line so long that DuckDB would drop it without a word."""
    if not is_packed(path) and path.stat().st_size < 4 * _BLOCK:
        return
    without = 0
    for block in _blocks(path):
        without = 0 if b"\n" in block or b"\r" in block else without + 1
        if without > 2:
            raise too_long(path)


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, unpacked, and say how many there were."""
    packed = is_packed(path)
    size = None if packed else path.stat().st_size
    opener = gzip.open if packed else open
    with opener(path, "rb") as stream, counted("looking at the lines", size) as read:
        while block := stream.read(_BLOCK):
            yield block
            read.step(len(block))


class _Folder:
    """A temporary folder that lives as long as this object."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="algeval-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def one_line_ending(path: Path) -> tuple[Path, _Folder | None]:
    """Return a file whose lines all end alike: this one, or a copy where it mixes CRLF and LF."""
    if not _mixed(path):
        return path, None
    folder = _Folder()
    copy = folder.path / "votes.csv"
    opener = gzip.open if is_packed(path) else open
    with opener(path, "rb") as source, copy.open("wb") as target:
        while block := source.read(_BLOCK):
            while block.endswith(b"\r") and (more := source.read(1)):
                block += more
            target.write(block.replace(b"\r\n", b"\n"))
    return copy, folder


def _mixed(path: Path) -> bool:
    """Whether some lines end in CRLF and some in LF alone."""
    both = alone = False
    last = b""
    for block in _blocks(path):
        ends, pairs = block.count(b"\n"), block.count(b"\r\n")
        pairs += last == b"\r" and block[:1] == b"\n"
        both, alone = both or pairs > 0, alone or ends > pairs
        if both and alone:
            break
        last = block[-1:]
    return both and alone
