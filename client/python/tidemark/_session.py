"""The access token of a client: obtains it when it is needed, and renews it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Callable, Optional

from ._errors import NotSignedInError

#: A token that expires within these seconds is renewed before it is used.
RENEW_BEFORE = 60


@dataclass(frozen=True)
class Token:
    """An access token, and the time at which it expires, in seconds since 1970."""

    access_token: str = field(repr=False)
    #: Unknown for a token that you gave.
    expires_at: Optional[float] = None


class Session:
    """The session of a client. Threads that need a token at once share a sign-in."""

    def __init__(
        self,
        token: Optional[Token],
        sign_in: Optional[Callable[[], Token]] = None,
        on_token: Optional[Callable[[Token], object]] = None,
    ) -> None:
        self._token = token
        self._sign_in = sign_in
        self._on_token = on_token
        self._lock = threading.RLock()

    def token(self) -> str:
        """A token for a request."""
        with self._lock:
            if self._token and (self._is_fresh(self._token) or not self._sign_in):
                return self._token.access_token
            return self._renew()

    def token_after(self, refused: str) -> Optional[str]:
        """A token in place of one that was refused; `None` without a user."""
        with self._lock:
            # Another thread may have renewed the token meanwhile.
            if self._token and self._token.access_token != refused:
                return self._token.access_token
            return self._renew() if self._sign_in else None

    def _renew(self) -> str:
        if not self._sign_in:
            raise NotSignedInError
        self._token = token = self._sign_in()
        if self._on_token:
            self._on_token(token)
        return token.access_token

    @staticmethod
    def _is_fresh(token: Token) -> bool:
        return token.expires_at is None or token.expires_at - RENEW_BEFORE > time.time()
