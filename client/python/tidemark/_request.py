"""Turns the arguments of an operation into a request."""

from __future__ import annotations

import json
import re
from typing import Any, Mapping, Optional
from urllib.parse import quote, urlsplit

from ._operation import Operation, Parameters
from ._transport import Sending


def base_of(base_url: str) -> str:
    """The address of the service, without a slash at its end."""
    url = urlsplit(base_url)
    # The messages do not show the address, which may contain a password.
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError("base_url is no address such as https://tidemark.example.com.")
    if url.username is not None or url.query or url.fragment:
        raise ValueError(
            "base_url has a user, a query or a fragment. Give credentials as arguments."
        )
    return base_url.rstrip("/")


def request_of(
    operation: Operation[Any],
    base_url: str,
    path: Parameters,
    query: Parameters,
    body: Any,
    headers: Mapping[str, str],
) -> Sending:
    """The request of a call, without its token."""
    data, content_type = _encoded(operation, body)
    sent = {"Accept": "*/*", **headers}
    if content_type is not None:
        sent["Content-Type"] = content_type
    for name, value in sent.items():
        check_header(name, value)
    pairs = ((name, _text(name, value)) for name, value in query.items())
    search = "&".join(
        f"{quote(name, safe='')}={quote(text, safe='')}"
        for name, text in pairs
        if text is not None
    )
    url = f"{base_url}{_filled(operation.path, path)}"
    shown = _filled(operation.path.replace("{capability}", "..."), path)
    return Sending(
        method=operation.method,
        url=f"{url}?{search}" if search else url,
        shown=f"{operation.method} {shown}",
        headers=sent,
        body=data,
        repeatable=(
            operation.method != "POST"
            or operation.keyed
            or _is_harmless_twice(operation.path, body)
        ),
    )


def check_header(name: str, value: str) -> None:
    """Refuses a header that cannot be sent, without showing it: it may be a token."""
    if not re.fullmatch(r"[\t\x20-\x7e\x80-\xff]*", value):
        raise ValueError(
            f"The header {name} has characters that a header cannot contain."
        )


def _is_harmless_twice(path: str, body: Any) -> bool:
    """Whether a second POST without a key does no harm.

    A second token of a sign-in does none, and a token ends only once. A second key
    would count among the keys of its user, and nobody would have it.
    """
    return path == "/oauth/revoke" or (
        path == "/oauth/token" and body.get("name") is None
    )


def _filled(template: str, path: Parameters) -> str:
    """The path of an operation, filled in."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        text = _text(name, path.get(name))
        if not text:
            raise ValueError(f"{template} needs {name}.")
        # Addresses take these for steps in the path, also when they are encoded.
        if text in (".", ".."):
            raise ValueError(f"{template} cannot have {text} as {name}.")
        return quote(text, safe="")

    return re.sub(r"\{(\w+)\}", value, template)


def _text(name: str, value: Any) -> Optional[str]:
    """A parameter as text. A list has commas between its values."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, (list, tuple)):
        texts = (_text(name, one) for one in value)
        return ",".join(text for text in texts if text is not None) or None
    # A filter that is silently left out would widen the answer.
    raise TypeError(f"The parameter {name} is no text, number or bool.")


def _encoded(
    operation: Operation[Any], body: Any
) -> tuple[Optional[bytes], Optional[str]]:
    """The body as bytes, and its media type."""
    if body is None:
        return None, None
    if operation.raw is not None and isinstance(body, (str, bytes)):
        return body.encode() if isinstance(body, str) else body, operation.raw
    return json.dumps(body, allow_nan=False).encode(), "application/json"
