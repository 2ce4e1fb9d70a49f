"""Sends a request, and sends it again after a failure that may pass."""

from __future__ import annotations

import random
import time
import urllib.request
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Callable, Iterable, Mapping, Optional, TypeVar, Union
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit

from ._errors import TidemarkConnectionError, TidemarkProblem

Result = TypeVar("Result")

#: The first wait is at most so many seconds; each further wait is twice as long.
FIRST_WAIT = 0.5

#: The service or a gateway before it may have done the work.
PASSING = {502, 503, 504}

#: The service's problems are small. A page of a proxy may be of any size.
MOST_ERROR_BYTES = 1_000_000


@dataclass
class Sending:
    """A request that can be sent several times."""

    method: str
    url: str
    #: The method and the path for messages, without secrets.
    shown: str
    headers: dict[str, str]
    body: Optional[bytes]
    #: Whether a second request has no further effect.
    repeatable: bool
    #: The time in seconds after which a second request could act twice after all.
    repeatable_until: float = float("inf")
    #: Whether the service may have done the work before the last attempt.
    may_be_done: bool = False


@dataclass(frozen=True)
class Patience:
    """The rules of retries and timeouts, in seconds."""

    retries: int
    longest_wait: float
    timeout: float


def send(
    sending: Sending, patience: Patience, read: Callable[[HTTPResponse], Result]
) -> Result:
    """Sends a request until it succeeds, and reads the answer with `read`."""
    uncertain = False
    attempt = 0
    while True:
        try:
            return _send_once(sending, patience.timeout, read)
        except (TidemarkProblem, TidemarkConnectionError) as error:
            doubtful = _may_be_done(error)
            uncertain = uncertain or doubtful
            wait = _wait_after(error)
            if (
                attempt >= patience.retries
                or wait is None
                or wait > patience.longest_wait
                or (uncertain and not _is_repeatable(sending))
            ):
                raise
            # The jitter is added, so that clients with the same Retry-After do not
            # come back together.
            jitter = random.random() * FIRST_WAIT * 2**attempt
            time.sleep(wait + min(patience.longest_wait, jitter))
            # A laptop may have slept through the wait, for days.
            if uncertain and not _is_repeatable(sending):
                raise
            sending.may_be_done = sending.may_be_done or doubtful
            attempt += 1


def is_outage(error: Exception) -> bool:
    """Whether the service may be reached again later."""
    if isinstance(error, TidemarkProblem):
        return error.status in PASSING
    return isinstance(error, TidemarkConnectionError)


def _is_repeatable(sending: Sending) -> bool:
    return sending.repeatable and time.time() < sending.repeatable_until


def _wait_after(error: Exception) -> Optional[float]:
    """The seconds before the next attempt; `None` for a failure that does not pass."""
    if not isinstance(error, TidemarkProblem):
        return 0
    passes = (
        error.status == 429
        or error.status in PASSING
        or error.code == "idempotency_in_progress"
    )
    return (error.retry_after or 0) if passes else None


def _may_be_done(error: Exception) -> bool:
    """Whether the service may have done the work of a failed attempt."""
    if isinstance(error, TidemarkProblem):
        return error.status != 429
    cause = error.__cause__
    reason = cause.reason if isinstance(cause, URLError) else cause
    # Nothing listened at the address, so the request never left.
    return not isinstance(reason, ConnectionRefusedError)


def _send_once(
    sending: Sending, timeout: float, read: Callable[[HTTPResponse], Result]
) -> Result:
    try:
        return read(_answer(sending, timeout))
    except HTTPError as error:
        status, headers, body = error.code, error.headers, _error_body(error)
    except (OSError, HTTPException) as error:
        raise TidemarkConnectionError(sending.shown, error) from error
    raise TidemarkProblem(sending.shown, status, headers, body)


def _error_body(error: HTTPError) -> bytes:
    try:
        with error:
            body = error.read(MOST_ERROR_BYTES + 1)
    except (OSError, HTTPException):
        return b""
    return body if len(body) <= MOST_ERROR_BYTES else b""


def _answer(sending: Sending, timeout: float) -> HTTPResponse:
    try:
        return open_url(
            sending.method, sending.url, sending.headers, sending.body, timeout
        )
    except HTTPError as error:
        location = error.headers.get("Location") if error.code in (302, 303) else None
        if location is None:
            raise
        error.close()
    target = urljoin(sending.url, location)
    if urlsplit(target).scheme not in ("http", "https"):
        raise HTTPException("The answer leads to an address that is no web address.")
    # Another server gets neither the token nor another header of the request.
    answer: HTTPResponse = _follower.open(target, timeout=timeout)
    return answer


def open_url(
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: Union[bytes, Iterable[bytes], None],
    timeout: float,
) -> HTTPResponse:
    """The successful answer of one request. Raises `HTTPError`, also for a redirect."""
    data: Any = body
    request = urllib.request.Request(url, data, dict(headers), method=method)
    answer: HTTPResponse = _opener.open(request, timeout=timeout)
    return answer


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Redirects would give the token to another server."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _HTTPConnection(HTTPConnection):
    """A server that refuses need not read to the end. Its answer is the result."""

    def send(self, data: Any) -> None:
        try:
            super().send(data)
        except (BrokenPipeError, ConnectionResetError):
            if self.sock is None:
                raise


class _HTTPSConnection(_HTTPConnection, HTTPSConnection):
    pass


class _HTTPHandler(urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> HTTPResponse:
        return self.do_open(_HTTPConnection, request)


class _HTTPSHandler(urllib.request.HTTPSHandler):
    def https_open(self, request: urllib.request.Request) -> HTTPResponse:
        connection: Any = _HTTPSConnection
        return self.do_open(connection, request)


_opener = urllib.request.build_opener(_NoRedirect, _HTTPHandler, _HTTPSHandler)
_follower = urllib.request.build_opener()
