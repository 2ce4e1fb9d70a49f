"""The errors that the client raises."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, Optional


class TidemarkError(Exception):
    """Every error of this package is one of these."""


@dataclass(frozen=True)
class Fault:
    """A fault in a request: a JSON pointer or the name of a parameter, and why."""

    pointer: str
    code: str
    detail: str


class TidemarkProblem(TidemarkError):
    """The service refused a request, or could not answer it."""

    def __init__(
        self, request: str, status: int, headers: Message, body: bytes
    ) -> None:
        members = _members(body)
        #: The HTTP status.
        self.status = status
        #: The stable name of the problem; `unrecognized` if the answer had none.
        # The token route answers errors of RFC 6749.
        self.code = _text(members, "code", "error") or "unrecognized"
        #: A sentence for people.
        self.detail = (
            _text(members, "detail", "error_description", "message")
            or "The answer has no problem document."
        )
        #: Each fault of the request; empty if the problem names none.
        self.errors = _faults(members.get("errors"))
        #: The id of the request, which the service also logs.
        self.request_id = _text(members, "request_id") or headers.get("X-Request-Id")
        #: Seconds to wait before another attempt, if the service said so.
        self.retry_after = _seconds(headers.get("Retry-After"))
        faults = "".join(f" {fault.pointer}: {fault.detail}" for fault in self.errors)
        super().__init__(
            f"{request} answered {status} {self.code}: {self.detail}{faults}"
        )


class TidemarkConnectionError(TidemarkError):
    """No answer came. `__cause__` has the reason."""

    def __init__(self, request: str, cause: BaseException) -> None:
        super().__init__(f"{request} got no answer: {cause}")


class NotSignedInError(TidemarkError):
    """The client has neither a token nor a user to sign in."""

    def __init__(self) -> None:
        super().__init__(
            "This operation needs a token: use Tidemark.sign_in, or give a token."
        )


class UnexpectedAnswerError(TidemarkError):
    """A success that the API document does not describe, such as a page of a proxy."""

    def __init__(self, request: str) -> None:
        super().__init__(
            f"{request} got an answer that the API document does not describe. "
            "Is the address right?"
        )


class UploadError(TidemarkError):
    """The store of files refused a part of a file, or did not take it."""

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        #: The HTTP status, if an answer came.
        self.status = status


class FileChangedError(TidemarkError):
    """A file is not the file that the upload began with."""

    def __init__(self) -> None:
        super().__init__("The file changed while it was uploaded.")


def _members(body: bytes) -> dict[str, Any]:
    try:
        members = json.loads(body)
    except ValueError:
        return {}
    return members if isinstance(members, dict) else {}


def _text(members: dict[str, Any], *names: str) -> Optional[str]:
    texts = [members.get(name) for name in names]
    return next((text for text in texts if isinstance(text, str)), None)


def _faults(errors: object) -> list[Fault]:
    if not isinstance(errors, list):
        return []
    return [
        Fault(*(_text(error, name) or "" for name in ("pointer", "code", "detail")))
        for error in errors
        if isinstance(error, dict)
    ]


def _seconds(header: Optional[str]) -> Optional[int]:
    """The seconds in `Retry-After`, which is a number of seconds or a date."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return int(header[:9])
    try:
        moment = parsedate_to_datetime(header).timestamp()
    except (TypeError, ValueError):
        return None
    return max(0, math.ceil(moment - time.time()))
