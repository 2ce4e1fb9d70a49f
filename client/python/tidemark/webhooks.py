"""Verifies calls of webhooks: the scheme of Standard Webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Iterable, Literal, Optional, Protocol, Sequence, Union

from ._errors import TidemarkError
from .models import WebhookEvent

WebhookFault = Literal["headers_missing", "timestamp", "signature", "body"]

#: Signatures of one call that are checked: each reads the whole body, and anybody can
#: send many.
MOST_SIGNATURES = 10

_SENTENCES = {
    "headers_missing": (
        "The call has no webhook-id, webhook-timestamp or webhook-signature."
    ),
    "timestamp": "The time of the call is too far from the time of this machine.",
    "signature": "The signature is not valid for this secret and this body.",
    "body": "The body is not a JSON object with a type.",
}


class WebhookError(TidemarkError):
    """The call is not to be trusted: it has another secret, or it is old."""

    def __init__(self, fault: WebhookFault) -> None:
        super().__init__(_SENTENCES[fault])
        self.fault = fault


@dataclass(frozen=True)
class VerifiedWebhook:
    """The event of a call. `id` is the same for all attempts of one delivery."""

    id: str
    timestamp: datetime
    event: WebhookEvent


class Headers(Protocol):
    """The headers of a request: a dictionary, or what a framework has."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify_webhook(
    secret: Union[str, Sequence[str]],
    headers: Headers,
    body: Union[str, bytes],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> VerifiedWebhook:
    """Verifies the signature and the age of a call, and returns its event.

    Give several secrets while you replace one, and the body as it arrived: a body that
    was parsed and written again has another signature. `tolerance` is the largest
    difference between the time of the call and your clock, in seconds.

    Raises `WebhookError` if the call is not to be trusted.
    """
    given = {name.lower(): value for name, value in headers.items()}
    identifier = given.get("webhook-id")
    timestamp = given.get("webhook-timestamp")
    signatures = given.get("webhook-signature")
    if identifier is None or timestamp is None or signatures is None:
        raise WebhookError("headers_missing")
    clock = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,11}", timestamp):
        raise WebhookError("timestamp")
    if abs(clock - int(timestamp)) > tolerance:
        raise WebhookError("timestamp")
    if not isinstance(body, (str, bytes)):
        raise TypeError("The body is neither text nor bytes. Give it as it arrived.")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{identifier}.{timestamp}.".encode() + content
    secrets = [secret] if isinstance(secret, str) else secret
    # All secrets are checked, so that the time does not tell which one is valid.
    if True not in [_is_signed(_key(one), signatures, signed) for one in secrets]:
        raise WebhookError("signature")
    moment = datetime.fromtimestamp(int(timestamp), timezone.utc)
    return VerifiedWebhook(identifier, moment, _event(content))


def _key(secret: str) -> bytes:
    text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    key = _decoded(text)
    if not key:
        raise ValueError("The webhook secret is not base64.")
    return key


def _is_signed(key: bytes, signatures: str, signed: bytes) -> bool:
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    made = [one[3:] for one in signatures.split(" ") if one.startswith("v1,")]
    checks = [
        hmac.compare_digest(expected, _decoded(one) or b"")
        for one in made[:MOST_SIGNATURES]
    ]
    return True in checks


def _decoded(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        return None


def _event(body: bytes) -> WebhookEvent:
    try:
        event: Any = json.loads(body)
    except ValueError:
        event = None
    is_event = isinstance(event, dict) and isinstance(event.get("type"), str)
    if not is_event:
        raise WebhookError("body")
    known: WebhookEvent = event
    return known
