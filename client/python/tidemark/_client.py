"""The client: one object for one user and, usually, one property."""

from __future__ import annotations

import copy
import os
import time
from http.client import HTTPResponse
from typing import Callable, Mapping, Optional, Sequence, Union
from urllib.parse import urlsplit

from . import _upload, _waiting, models
from ._caller import as_is
from ._operations import Id, Operations
from ._session import Session, Token
from ._transport import Sending, send


class Tidemark(Operations):
    """A client of the API. Every operation of the API document is a method.

    Threads may share a client. Without a token it can call the public operations.

    `property_id` fills in the property of each call. `retries` is the number of further
    attempts after a failure that may pass, `longest_wait` the longest wait before one,
    and `timeout` the time for an answer, in seconds. `headers` are sent with each
    request.
    """

    @classmethod
    def sign_in(
        cls,
        base_url: str,
        username: str,
        password: str,
        *,
        client_id: str,
        scope: Optional[Sequence[models.Permission]] = None,
        property_ids: Optional[Sequence[int]] = None,
        token: Optional[str] = None,
        on_token: Optional[Callable[[Token], object]] = None,
        property_id: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
        retries: int = 4,
        longest_wait: float = 30,
        timeout: float = 60,
    ) -> Tidemark:
        """Signs a user in and returns the client, which renews its token by itself.

        `scope` and `property_ids` narrow what the tokens may do. With a `token` that
        you have kept, the client signs in only when the service refuses it. `on_token`
        is called with each token that the client obtains.

        Raises `TidemarkProblem` (`invalid_grant`) when the user is refused.
        """
        client = cls(
            base_url,
            property_id=property_id,
            headers=headers,
            retries=retries,
            longest_wait=longest_wait,
            timeout=timeout,
        )
        request: models.TokenRequest = {
            "grant_type": "password",
            "client_id": client_id,
            "username": username,
            "password": password,
        }
        if scope is not None:
            request["scope"] = " ".join(scope)
        if property_ids is not None:
            request["property_ids"] = list(property_ids)

        def obtain() -> Token:
            asked = time.time()
            answer = client.issue_token(request)
            return Token(answer["access_token"], asked + answer["expires_in"])

        kept = Token(token) if token is not None else None
        client._session = Session(kept, obtain, on_token)
        client.token()
        return client

    def token(self) -> str:
        """The access token, for requests without the client."""
        return self._session.token()

    def for_property(self, property_id: int) -> Tidemark:
        """A client of another property that shares the token of this client."""
        client = copy.copy(self)
        client.property_id = property_id
        return client

    def upload_file(
        self,
        import_id: Id,
        file: Union[str, os.PathLike[str], bytes],
        *,
        file_name: Optional[str] = None,
        dry_run: bool = False,
        job_id: Optional[Id] = None,
        on_job: Optional[Callable[[int], object]] = None,
        on_progress: Optional[Callable[[int, int], object]] = None,
    ) -> int:
        """Uploads a file for an import definition, and returns the id of its job.

        `file` is a path, or the content itself, which needs a `file_name`. A file is
        read while it is sent, and a large file goes up in parts. `dry_run` judges the
        file and stores nothing. `on_job` gets the id of the job before the first byte
        is sent. To continue an upload that ended early, give this `job_id` and the same
        file. `on_progress` gets the bytes that are sent and the size of the file. It is
        called in another thread.

        Raises `UploadError` when the store of files does not take the file, and
        `FileChangedError` when the file changes meanwhile.
        """
        upload = _upload.Upload(
            self,
            import_id,
            _upload.source_of(file, file_name),
            self._patience.timeout,
            on_progress,
        )
        return upload.run(dry_run=dry_run, job_id=job_id, on_job=on_job)

    def wait_for_import(
        self,
        import_id: Id,
        job_id: Id,
        *,
        timeout: Optional[float] = None,
        on_progress: Optional[Callable[[models.ImportJobDetail], object]] = None,
    ) -> models.ImportJobDetail:
        """Waits until a job of an import has ended, and returns the job.

        A failed job is returned, not raised. Raises `TimeoutError` after `timeout`
        seconds; the job goes on.
        """
        return _waiting.ended(
            lambda: self.get_import_job(import_id, job_id),
            _waiting.share_of_import,
            timeout,
            on_progress,
        )

    def wait_for_export(
        self,
        export_id: Id,
        job_id: Optional[Id] = None,
        *,
        timeout: Optional[float] = None,
        on_progress: Optional[Callable[[models.ExportJob], object]] = None,
    ) -> models.ExportJob:
        """Waits until a job of an export has ended, and returns the job.

        Without a `job_id` it waits for the newest job. A failed job is returned, not
        raised. Raises `TimeoutError` after `timeout` seconds; the job goes on.
        """
        job = job_id if job_id is not None else self._newest_job(export_id)
        return _waiting.ended(
            lambda: self.get_export_job(export_id, job),
            _waiting.share_of_export,
            timeout,
            on_progress,
        )

    def wait_for_segment(
        self,
        segment_id: Id,
        *,
        timeout: Optional[float] = None,
        on_progress: Optional[Callable[[models.Segment], object]] = None,
    ) -> models.Segment:
        """Waits until the service has prepared a segment by condition, and returns it.

        Other segments are returned at once. Raises `TimeoutError` after `timeout`
        seconds.
        """
        return _waiting.ended(
            lambda: self.get_segment(segment_id),
            _waiting.share_of_segment,
            timeout,
            on_progress,
        )

    def open_location(self, location: str) -> HTTPResponse:
        """Opens the file of an export job by its `location`, without a token."""
        url = urlsplit(location)
        if url.scheme not in ("http", "https"):
            raise ValueError("The location is no web address.")
        shown = f"GET {url.scheme}://{url.netloc.rpartition('@')[2]}/..."
        sending = Sending("GET", location, shown, {}, None, repeatable=True)
        return send(sending, self._patience, as_is)

    def _newest_job(self, export_id: Id) -> str:
        page = self.list_export_jobs(export_id, order="newest", limit=1).first()
        if not page["jobs"]:
            raise LookupError(f"Export {export_id} has no job yet.")
        return page["jobs"][0]["id"]
