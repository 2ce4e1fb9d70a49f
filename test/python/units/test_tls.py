"""HTTPS: a server that the machine trusts, and one that it does not."""

import os
import ssl
import subprocess
import tempfile
import unittest
from unittest import mock

from small_server import Reply, serving
from tidemark import TidemarkConnectionError


class Https(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.key, cls.certificate = f"{folder.name}/key.pem", f"{folder.name}/own.pem"
        new = "openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256"
        subject = "-subj /CN=own -addext subjectAltName=IP:127.0.0.1"
        command = f"{new} {subject} -keyout {cls.key} -out {cls.certificate}"
        subprocess.run(command.split(), check=True, capture_output=True)

    def serving(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return serving(lambda *_: Reply(body={"status": "ok"}), context)

    def test_calls_a_server_that_the_machine_trusts(self):
        with mock.patch.dict(os.environ, SSL_CERT_FILE=self.certificate):
            with self.serving() as server:
                self.assertEqual(server.client().health(), {"status": "ok"})
                with server.client().open_location(f"{server.url}/file") as answer:
                    answer.read()
        self.assertEqual(len(server.received), 2)

    def test_refuses_another_server(self):
        with self.serving() as server:
            with self.assertRaisesRegex(TidemarkConnectionError, "CERTIFICATE_VERIFY"):
                server.client(retries=0).health()
        self.assertEqual(server.received, [])


if __name__ == "__main__":
    unittest.main()
