"""The client: one object for one user and, usually, one property."""

from __future__ import annotations

import copy
import json
import os
import re
import time
import uuid
from http.client import HTTPResponse
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union
from urllib.parse import parse_qsl, unquote, urlsplit

from . import _upload, _waiting, models
from ._errors import TidemarkProblem, UnexpectedAnswerError
from ._operation import NONE, Answer, ListOperation, Operation, Parameters
from ._operations import Id, Operations
from ._pages import Item, Page, Pages, Query
from ._request import base_of, check_header, request_of
from ._session import Session, Token
from ._transport import Patience, Result, Sending, send

#: The service knows an `Idempotency-Key` for 24 hours. The client uses it for half of
#: this time.
KEY_LIVES = 12 * 3600


class Tidemark(Operations):
    """A client of the API. Every operation of the API document is a method.

    Threads may share a client. Without a token it can call the public operations.

    `property_id` fills in the property of each call. `retries` is the number of further
    attempts after a failure that may pass, `longest_wait` the longest wait before one,
    and `timeout` the time for an answer, in seconds. `headers` are sent with each
    request.
    """

    def __init__(
        self,
        base_url: str,
        *,
        token: Optional[str] = None,
        property_id: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
        retries: int = 4,
        longest_wait: float = 30,
        timeout: float = 60,
    ) -> None:
        self._base_url = base_of(base_url)
        self._headers = dict(headers or {})
        self._patience = Patience(retries, longest_wait, timeout)
        self._session = Session(Token(token) if token is not None else None)
        #: The property of the client, if it has one.
        self.property_id = property_id

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
        return send(sending, self._patience, _as_is)

    def _newest_job(self, export_id: Id) -> str:
        page = self.list_export_jobs(export_id, order="newest", limit=1).first()
        if not page["jobs"]:
            raise LookupError(f"Export {export_id} has no job yet.")
        return page["jobs"][0]["id"]

    def _call(
        self,
        operation: Operation[Answer],
        *,
        path: Parameters = NONE,
        query: Parameters = NONE,
        body: Any = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer:
        sending = self._sending(operation, path, query, body, idempotency_key)
        try:
            text, _ = self._send(operation, sending, _read)
        except TidemarkProblem as error:
            # An earlier attempt may have deleted what is gone now.
            is_gone = error.status == 404 and error.code == "not_found"
            if not (sending.may_be_done and is_gone and operation.deletes):
                raise
            last = unquote(urlsplit(sending.url).path.rpartition("/")[2])
            text = json.dumps({"id": operation.deletes(last)}).encode()
        return _parsed(operation, sending, text)

    def _open(
        self,
        operation: Operation[Any],
        *,
        path: Parameters = NONE,
        query: Parameters = NONE,
    ) -> HTTPResponse:
        sending = self._sending(operation, path, query)
        return self._send(operation, sending, _as_is)

    def _list(
        self,
        operation: ListOperation[Page, Item],
        *,
        path: Parameters = NONE,
        query: Parameters = NONE,
    ) -> Pages[Page, Item]:
        def fetch(following: Optional[Query]) -> tuple[Page, Optional[Query]]:
            asked = query if following is None else following
            sending = self._sending(operation, path, asked)
            text, link = self._send(operation, sending, _read)
            page = _parsed(operation, sending, text)
            found = _next_query(page, link)
            # A page that names itself as the next page would never end.
            if found is not None and found == following:
                raise UnexpectedAnswerError(sending.shown)
            return page, found

        def items(page: Page) -> Iterable[Item]:
            found: Any = page
            if operation.items is None:
                found = [page]
            elif operation.items:
                found = found.get(operation.items) if isinstance(found, dict) else None
            if not isinstance(found, list):
                raise UnexpectedAnswerError(f"{operation.method} {operation.path}")
            return found

        return Pages(fetch, items)

    def _sending(
        self,
        operation: Operation[Any],
        path: Parameters,
        query: Parameters,
        body: Any = None,
        idempotency_key: Optional[str] = None,
    ) -> Sending:
        headers = dict(self._headers)
        if operation.keyed:
            # All attempts share the key, so that a retry creates nothing twice.
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if "property_id" in path and path["property_id"] is None:
            path = {**path, "property_id": self.property_id}
        sending = request_of(operation, self._base_url, path, query, body, headers)
        if operation.keyed:
            # The process may sleep for days after its first attempt.
            sending.repeatable_until = time.time() + KEY_LIVES
        return sending

    def _send(
        self,
        operation: Operation[Any],
        sending: Sending,
        read: Callable[[HTTPResponse], Result],
    ) -> Result:
        """Sends a request, and once more with a new token if the first is refused."""
        if not operation.token:
            return send(sending, self._patience, read)
        token = self._session.token()
        try:
            return send(_signed(sending, token), self._patience, read)
        except TidemarkProblem as error:
            if error.status != 401:
                raise
            other = self._session.token_after(token)
            if other is None:
                raise
        return send(_signed(sending, other), self._patience, read)


def _signed(sending: Sending, token: str) -> Sending:
    value = f"Bearer {token}"
    check_header("Authorization", value)
    sending.headers["Authorization"] = value
    return sending


def _as_is(answer: HTTPResponse) -> HTTPResponse:
    return answer


def _read(answer: HTTPResponse) -> tuple[bytes, Optional[str]]:
    """The body of an answer, and its links to other pages."""
    # The body is read within the attempt: a connection that breaks in the middle of an
    # answer is tried again.
    with answer:
        return answer.read(), answer.headers.get("Link")


def _parsed(operation: Operation[Answer], sending: Sending, text: bytes) -> Answer:
    # The service's tests hold its answers to the API document, so their types are
    # trusted.
    data: Any = None
    try:
        data = text.decode() if operation.text else json.loads(text)
    except ValueError:
        pass
    if not isinstance(data, str if operation.text else (dict, list)):
        raise UnexpectedAnswerError(sending.shown)
    answer: Answer = data
    return answer


def _next_query(page: Any, header: Optional[str]) -> Optional[Query]:
    """The query of the next page, from `paging.next_page` or the header `Link`.

    Only the query is used: the client may reach the service under another address.
    """
    paging = page.get("paging") if isinstance(page, dict) else None
    link = paging.get("next_page") if isinstance(paging, dict) else None
    if link is None and header is not None:
        target = re.search(r'<([^<>]*)>; rel="next"', header)
        link = target[1] if target else None
    if link is None:
        return None
    return dict(parse_qsl(urlsplit(link).query, keep_blank_values=True))
