"""The calls of webhooks: which are trusted, and which are not."""

import base64
import hashlib
import hmac
import unittest
from datetime import datetime, timezone
from email.message import Message

from tidemark import WebhookError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NOW = 1_674_087_231
BODY = b'{"type": "export.completed", "rows": 3}'


def signature(secret=SECRET, body=BODY, moment=NOW):
    key = base64.b64decode(secret.replace("whsec_", ""))
    digest = hmac.new(key, f"msg_1.{moment}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def headers(**given):
    usual = {"id": "msg_1", "timestamp": str(NOW), "signature": signature()}
    return {f"Webhook-{name}": value for name, value in {**usual, **given}.items()}


def fault(sent=None, body=BODY, secret=SECRET, now=NOW):
    try:
        verify_webhook(secret, headers() if sent is None else sent, body, now=now)
    except WebhookError as error:
        return error.fault
    return None


class Webhooks(unittest.TestCase):
    def test_the_example_of_standard_webhooks(self):
        sent = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        with self.assertRaises(WebhookError) as raised:
            verify_webhook(SECRET, sent, '{"test": 2432232314}', now=1614265330)
        # The signature is right; the body has no type.
        self.assertEqual(raised.exception.fault, "body")

    def test_a_call_is_verified(self):
        call = verify_webhook(SECRET, headers(), BODY, now=NOW)
        self.assertEqual((call.id, call.event["rows"]), ("msg_1", 3))
        self.assertEqual(call.timestamp, datetime.fromtimestamp(NOW, timezone.utc))
        verify_webhook(SECRET, headers(), BODY.decode(), now=NOW)
        message = Message()
        for name, value in headers().items():
            message[name] = value
        verify_webhook(SECRET, message, BODY, now=NOW)

    def test_others_are_refused(self):
        self.assertEqual(fault({}), "headers_missing")
        self.assertEqual(fault(body=BODY + b" "), "signature")
        self.assertEqual(fault(headers(id="msg_2")), "signature")
        self.assertEqual(fault(secret="whsec_AAAA"), "signature")
        self.assertEqual(fault(headers(signature=signature()[:-9])), "signature")
        self.assertEqual(fault(headers(signature=signature()[3:])), "signature")
        self.assertEqual(fault(headers(signature="v1,not base64!")), "signature")
        self.assertEqual(fault(headers(signature=f"v2,{signature()[3:]}")), "signature")
        for body in (b"[]", b"{", b'{"type": 1}'):
            sent = headers(signature=signature(body=body))
            self.assertEqual(fault(sent, body), "body")

    def test_old_calls_and_calls_of_the_future_are_refused(self):
        self.assertIsNone(fault(now=NOW + 300))
        for now in (NOW + 301, NOW - 301):
            self.assertEqual(fault(now=now), "timestamp")
        for text in ("", "NaN", "1e9", "-5", "９"):
            self.assertEqual(fault(headers(timestamp=text)), "timestamp")

    def test_several_secrets_and_signatures(self):
        self.assertIsNone(fault(secret=["whsec_AAAA", SECRET]))
        self.assertIsNone(fault(headers(signature=f"v1a,xx v1,AAAA {signature()}")))
        many = " ".join(["v1,AAAA"] * 10)
        self.assertEqual(fault(headers(signature=f"{many} {signature()}")), "signature")

    def test_a_wrong_use_is_no_refusal(self):
        for secret in ("whsec_", "whsec_!", ""):
            with self.assertRaises(ValueError):
                verify_webhook(secret, headers(), BODY, now=NOW)
        with self.assertRaisesRegex(TypeError, "as it arrived"):
            verify_webhook(SECRET, headers(), {"type": "x"}, now=NOW)


if __name__ == "__main__":
    unittest.main()
