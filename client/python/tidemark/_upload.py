"""Uploads a file for an import: whole, or in parts if it is large."""

from __future__ import annotations

import os
import random
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Callable, Iterator, Mapping, Optional, Union
from urllib.error import HTTPError

from ._errors import (
    FileChangedError,
    TidemarkConnectionError,
    TidemarkProblem,
    UploadError,
)
from ._operations import Id, Operations
from ._transport import is_outage, open_url

#: Parts that are sent at once.
PARTS_AT_ONCE = 4

#: Rounds in which not one part arrived. After them the upload fails.
FRUITLESS_ROUNDS = 5

#: An expired address, a store that still works on an earlier attempt (409), a late or
#: overloaded store: another attempt may succeed.
PASSING_IN_STORE = {None, 403, 408, 409, 429, 500, 502, 503, 504}

PIECE = 65_536


@dataclass(frozen=True)
class Content:
    """Bytes in memory, under a name."""

    name: str
    data: bytes

    @property
    def size(self) -> int:
        return len(self.data)

    def read(self, offset: int, size: int) -> Iterator[bytes]:
        for start in range(offset, offset + size, PIECE):
            yield self.data[start : min(start + PIECE, offset + size)]


@dataclass(frozen=True)
class File:
    """A file on disk, as it was when the upload began."""

    name: str
    path: Union[str, os.PathLike[str]]
    state: os.stat_result

    @property
    def size(self) -> int:
        return self.state.st_size

    def read(self, offset: int, size: int) -> Iterator[bytes]:
        with open(self.path, "rb") as file:
            file.seek(offset)
            while size > 0:
                piece = file.read(min(PIECE, size))
                size -= len(piece)
                # The store takes a part only with its last bytes, so these wait for the
                # check.
                if not piece or (size == 0 and self._has_changed()):
                    raise FileChangedError
                yield piece

    def _has_changed(self) -> bool:
        now = os.stat(self.path)
        return (now.st_ino, now.st_size, now.st_mtime_ns) != (
            self.state.st_ino,
            self.state.st_size,
            self.state.st_mtime_ns,
        )


Source = Union[Content, File]


def source_of(
    file: Union[str, os.PathLike[str], bytes], file_name: Optional[str]
) -> Source:
    """What to upload, with its name and size."""
    if isinstance(file, bytes):
        if file_name is None:
            raise TypeError("Content needs a file_name.")
        return Content(file_name, file)
    if not os.path.isfile(file):
        raise FileNotFoundError(f"{os.fspath(file)} is no file.")
    return File(file_name or os.path.basename(file), file, os.stat(file))


@dataclass(frozen=True)
class Upload:
    """The upload of a file."""

    api: Operations
    import_id: Id
    source: Source
    timeout: float
    on_progress: Optional[Callable[[int, int], object]]

    def run(
        self,
        *,
        dry_run: bool,
        job_id: Optional[Id],
        on_job: Optional[Callable[[int], object]],
    ) -> int:
        """Sends the file, and returns the id of its job."""
        opened: Any
        if job_id is not None:
            opened = self._refreshed(job_id)
            if opened is None:
                return int(job_id)
        else:
            opened = self.api.create_upload(
                self.import_id,
                {
                    "file_name": self.source.name,
                    "size": self.source.size,
                    "dry_run": dry_run,
                },
            )
        job: int = opened["job_id"]
        if on_job:
            on_job(job)
        in_parts = "parts" in opened
        fruitless = 0
        while True:
            arrived, failure = self._put_all(self._targets(opened), opened["headers"])
            if failure is None:
                break
            fruitless = 0 if arrived > 0 else fruitless + 1
            opened, fruitless = self._reopened(job, fruitless, failure)
            if opened is None:
                return job
        if in_parts:
            self.api.complete_upload(self.import_id, job)
        return job

    def _reopened(
        self, job: int, fruitless: int, failure: Exception
    ) -> tuple[Any, int]:
        """Waits, and returns new addresses and the number of fruitless rounds.

        An outage of the service is a fruitless round, too. Raises the last failure when
        there were too many.
        """
        for rounds in range(fruitless, FRUITLESS_ROUNDS):
            time.sleep(random.random() * 0.5 * 2**rounds)
            try:
                return self._refreshed(job), rounds
            except (TidemarkProblem, TidemarkConnectionError) as error:
                if not is_outage(error):
                    raise
        raise failure

    def _refreshed(self, job_id: Id) -> Any:
        """New addresses for what is missing; `None` when the file has arrived."""
        try:
            return self.api.get_upload(self.import_id, job_id)
        except TidemarkProblem as error:
            if error.code == "uploaded":
                return None
            raise

    def _targets(self, opened: Any) -> list[dict[str, Any]]:
        whole = {"url": opened.get("url"), "offset": 0, "size": self.source.size}
        parts: list[dict[str, Any]] = opened.get("parts", [whole])
        return parts

    def _put_all(
        self, targets: list[dict[str, Any]], headers: Mapping[str, str]
    ) -> tuple[int, Optional[UploadError]]:
        """Sends all targets, a few at once.

        Returns how many arrived, and the first failure that may pass.
        """
        sent = self.source.size - sum(target["size"] for target in targets)
        progress = _Progress(sent, self.source.size, self.on_progress)
        arrived = 0
        failure: Optional[UploadError] = None
        with ThreadPoolExecutor(PARTS_AT_ONCE) as pool:
            work = [
                pool.submit(self._put, target, headers, progress) for target in targets
            ]
            try:
                for done in as_completed(work):
                    try:
                        done.result()
                        arrived += 1
                    except UploadError as error:
                        if error.status not in PASSING_IN_STORE:
                            raise
                        failure = failure or error
            except BaseException:
                progress.stopped = True
                for one in work:
                    one.cancel()
                raise
        return arrived, failure

    def _put(
        self, target: dict[str, Any], headers: Mapping[str, str], progress: _Progress
    ) -> None:
        """Sends one part."""
        sent = 0

        def pieces() -> Iterator[bytes]:
            nonlocal sent
            try:
                for piece in self.source.read(target["offset"], target["size"]):
                    yield piece
                    sent += len(piece)
                    progress.add(len(piece))
            except OSError as error:
                raise _OtherError(error) from error

        all_headers = {
            "Content-Type": "application/octet-stream",
            **headers,
            "Content-Length": str(target["size"]),
        }
        try:
            open_url("PUT", target["url"], all_headers, pieces(), self.timeout).close()
        except _OtherError as error:
            raise error.cause from None
        except HTTPError as error:
            with error:
                reason = _reason_in(error.read(10_000).decode(errors="replace"))
            # 412: an earlier attempt, whose answer was lost, has stored the file.
            if error.code == 412:
                return
            progress.add(-sent)
            raise UploadError(
                f"The upload answered {error.code}: {reason}", error.code
            ) from None
        except (OSError, HTTPException) as error:
            progress.add(-sent)
            raise UploadError(f"The upload got no answer: {error}") from error


class _OtherError(Exception):
    """An error of the file or of `on_progress`, not of the store."""

    def __init__(self, cause: OSError) -> None:
        super().__init__()
        self.cause = cause


class _Progress:
    """Counts the bytes that are sent, from several threads."""

    def __init__(
        self, sent: int, size: int, report: Optional[Callable[[int, int], object]]
    ) -> None:
        self.stopped = False
        self._sent = sent
        self._size = size
        self._report = report
        self._lock = threading.Lock()

    def add(self, count: int) -> None:
        if self.stopped:
            raise InterruptedError("The upload has ended.")
        with self._lock:
            self._sent += count
            if self._report:
                self._report(self._sent, self._size)


def _reason_in(xml: str) -> str:
    """The code and the sentence of an error of S3.

    Its other elements may contain the signature of the address.
    """
    found = [re.search(f"<{name}>([^<]*)</", xml) for name in ("Code", "Message")]
    return ": ".join(match[1] for match in found if match)[:500] or "no reason"
