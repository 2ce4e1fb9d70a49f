"""Client of Tidemark, a customer-profile service.

    from tidemark import Tidemark

    client = Tidemark.sign_in(
        "http://127.0.0.1:8080", "demo", "tidemark-demo-password",
        client_id="tidemark-demo-client", property_id=1001,
    )
    client.create_profile({"email": "ada@example.org", "first_name": "Ada"})
"""

from ._client import Tidemark
from ._errors import (
    Fault,
    FileChangedError,
    NotSignedInError,
    TidemarkConnectionError,
    TidemarkError,
    TidemarkProblem,
    UnexpectedAnswerError,
    UploadError,
)
from ._pages import Pages
from ._session import Token
from .webhooks import VerifiedWebhook, WebhookError, verify_webhook

__version__ = "0.2.0"

__all__ = [
    "Fault",
    "FileChangedError",
    "NotSignedInError",
    "Pages",
    "Tidemark",
    "TidemarkConnectionError",
    "TidemarkError",
    "TidemarkProblem",
    "Token",
    "UnexpectedAnswerError",
    "UploadError",
    "VerifiedWebhook",
    "WebhookError",
    "verify_webhook",
]

# A traceback shows the name by which a program imports an error.
for _error in (
    FileChangedError,
    NotSignedInError,
    TidemarkConnectionError,
    TidemarkError,
    TidemarkProblem,
    UnexpectedAnswerError,
    UploadError,
    WebhookError,
):
    _error.__module__ = __name__
