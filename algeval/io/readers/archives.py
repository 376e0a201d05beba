"""Members of a zip archive as JSON, whatever they are packed with."""

from __future__ import annotations

import struct
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from algeval.errors import DataError
from algeval.io.opened import connect, sql_text
from algeval.io.readers.parsing import parsed
from algeval.progress import steps

__all__ = ["Archive", "members", "names_in"]

_ZSTD = 93
_MOST_BYTES = 256 * 2**20
"""Of a member, unpacked."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip archive and the names of its members."""

    path: Path
    names: tuple[str, ...]

    def json(self, names: list[str]) -> list[dict[str, Any]]:
        """Return members as JSON objects.

        Raises
        ------
        DataError
            If one is broken, too large, or no object.
        """
        try:
            with zipfile.ZipFile(self.path) as archive:
                found = [archive.getinfo(name) for name in names]
                _check_sizes(self.path, found)
                if any(info.compress_type == _ZSTD for info in found):
                    return self._unpacked_by_duckdb(found)
                each = steps(found, "reading samples")
                return [self._object(info.filename, archive.read(info)) for info in each]
        except (
            zipfile.BadZipFile,
            KeyError,
            NotImplementedError,
            zlib.error,
            EOFError,
            OSError,
        ) as error:
            raise _broken(self.path, error) from None

    def _object(self, name: str, text: bytes | str) -> dict[str, Any]:
        try:
            found = parsed(text, self.path.name)
        except DataError:
            raise
        except (ValueError, RecursionError) as error:
            raise _broken(self.path, error) from None
        if not isinstance(found, dict):
            raise _broken(self.path, ValueError(f"{name} is no JSON object"))
        return found

    def _unpacked_by_duckdb(self, found: list[zipfile.ZipInfo]) -> list[dict[str, Any]]:
        """Unpack Zstandard frames, which zipfile knows from Python 3.14 on only."""
        import duckdb

        with tempfile.TemporaryDirectory() as folder:
            for place, info in enumerate(found):
                frame = Path(
                    folder, f"{place:08d}.{'zst' if info.compress_type == _ZSTD else 'txt'}"
                )
                frame.write_bytes(self._raw(info))
            texts: dict[str, str] = {}
            for kind, packed in (("zst", "zstd"), ("txt", "uncompressed")):
                if not list(Path(folder).glob(f"*.{kind}")):
                    continue
                pattern = sql_text(str(Path(folder, f"*.{kind}")))
                query = (
                    f"SELECT filename, json FROM read_json_objects({pattern}, compression='{packed}', "
                    f"format='unstructured', filename=true, maximum_object_size={_MOST_BYTES})"
                )
                try:
                    rows = connect().execute("SET threads = 1").execute(query).fetchall()
                except duckdb.Error as error:
                    raise _broken(self.path, error) from None
                texts |= {Path(str(name)).stem: str(text) for name, text in rows}
        absent = [info.filename for place, info in enumerate(found) if f"{place:08d}" not in texts]
        if absent:
            raise _broken(self.path, ValueError(f"{absent[0]} cannot be unpacked"))
        return [self._object(i.filename, texts[f"{place:08d}"]) for place, i in enumerate(found)]

    def _raw(self, info: zipfile.ZipInfo) -> bytes:
        """Return a member's bytes as packed; others than Zstandard unpacked."""
        if info.compress_type != _ZSTD:
            with zipfile.ZipFile(self.path) as archive:
                return archive.read(info)
        with self.path.open("rb") as stream:
            stream.seek(info.header_offset)
            head = stream.read(30)
            n_name, n_extra = struct.unpack("<HH", head[26:30])
            stream.seek(info.header_offset + 30 + n_name + n_extra)
            return stream.read(info.compress_size)


def members(path: Path) -> Archive:
    """Return what an archive holds.

    Raises
    ------
    DataError
        If it is broken.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return Archive(path, tuple(archive.namelist()))
    except (zipfile.BadZipFile, OSError) as error:
        raise _broken(path, error) from None


def names_in(path: Path) -> tuple[str, ...]:
    """Return the names of an archive's members, none where it is broken."""
    try:
        return members(path).names
    except DataError:
        return ()


def _check_sizes(path: Path, found: list[zipfile.ZipInfo]) -> None:
    large = next((info for info in found if info.file_size > _MOST_BYTES), None)
    if large is not None:
        raise DataError(
            f"every member of {path.name} must be smaller than {_MOST_BYTES >> 20} MB; {large.filename} has "
            f"{large.file_size >> 20} MB; is this the right file?"
        )


def _broken(path: Path, error: Exception) -> DataError:
    told = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
    return DataError(
        f"{path.name} must be a whole archive; got a broken one ({told}); copy it again"
    )
