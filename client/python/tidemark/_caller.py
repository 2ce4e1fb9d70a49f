"""Calls operations: makes their requests, sends them and reads their answers."""

from __future__ import annotations

import json
import re
import time
import uuid
from http.client import HTTPResponse
from typing import Any, Callable, Iterable, Mapping, Optional
from urllib.parse import parse_qsl, unquote, urlsplit

from ._errors import TidemarkProblem, UnexpectedAnswerError
from ._operation import Answer, ListOperation, Operation, Parameters
from ._pages import Item, Page, Pages, Query
from ._request import base_of, check_header, request_of
from ._session import Session, Token
from ._transport import Patience, Result, Sending, send

NONE: Parameters = {}

#: The service knows an `Idempotency-Key` for 24 hours. The client uses it for half of
#: this time.
KEY_LIVES = 12 * 3600


class Caller:
    """Calls operations. Parameters that are `None` are left out."""

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

    def _call(
        self,
        operation: Operation[Answer],
        *,
        path: Parameters = NONE,
        query: Parameters = NONE,
        body: Any = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer:
        """The answer of an operation."""
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
        """The answer of an operation, unread."""
        sending = self._sending(operation, path, query)
        return self._send(operation, sending, as_is)

    def _list(
        self,
        operation: ListOperation[Page, Item],
        *,
        path: Parameters = NONE,
        query: Parameters = NONE,
    ) -> Pages[Page, Item]:
        """The list of an operation."""

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


def as_is(answer: HTTPResponse) -> HTTPResponse:
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
