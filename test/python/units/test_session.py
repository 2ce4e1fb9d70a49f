"""Tokens: obtained when they are needed, renewed, and shared by threads."""

import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from small_server import Reply, serving
from tidemark import Tidemark, TidemarkProblem


def service(lives=3600, refused=()):
    """A rule: each sign-in gets another token; those in `refused` are refused."""
    signed_in = []

    def rule(one, _before):
        if one.url == "/oauth/token":
            signed_in.append(one)
            token = f"token{len(signed_in)}"
            return Reply(body={"access_token": token, "expires_in": lives})
        token = one.headers["Authorization"].replace("Bearer ", "")
        return Reply(401, {}) if token in refused else Reply(body={"token": token})

    return rule


def sign_in(server, **options):
    return Tidemark.sign_in(server.url, "ada", "secret", client_id="c", **options)


class Sessions(unittest.TestCase):
    def test_signs_in_once(self):
        issued = []
        with serving(service()) as server:
            client = sign_in(
                server, scope=["people.read"], property_ids=[7], on_token=issued.append
            )
            self.assertEqual(client.get_caller(), {"token": "token1"})
            self.assertEqual(client.for_property(8).token(), "token1")
        self.assertEqual(
            server.received[0].body,
            b'{"grant_type": "password", "client_id": "c", "username": "ada", '
            b'"password": "secret", "scope": "people.read", "property_ids": [7]}',
        )
        self.assertEqual([token.access_token for token in issued], ["token1"])
        self.assertNotIn("token1", repr(issued))

    def test_renews_a_token_before_it_expires(self):
        with serving(service()) as server:
            client = sign_in(server)
            now = time.time()
            for later, token in ((3500, "token1"), (3545, "token2")):
                with mock.patch("time.time", lambda later=later: now + later):
                    self.assertEqual(client.get_caller(), {"token": token})

    def test_renews_a_refused_token_once(self):
        with serving(service(refused={"kept", "token2"})) as server:
            client = sign_in(server, token="kept")
            self.assertEqual(client.get_caller(), {"token": "token1"})
        with serving(service(refused={"token1", "token2"})) as server:
            with self.assertRaises(TidemarkProblem):
                sign_in(server).get_caller()
        self.assertEqual(len(server.received), 4)

    def test_a_given_token_is_not_renewed(self):
        with serving(service(refused={"given"})) as server:
            with self.assertRaises(TidemarkProblem):
                server.client().get_caller()
        self.assertEqual(len(server.received), 1)

    def test_threads_share_a_sign_in(self):
        with serving(service(refused={"token1"})) as server:
            client = sign_in(server)
            with ThreadPoolExecutor(8) as pool:
                answers = list(pool.map(lambda _: client.get_caller(), range(8)))
        self.assertEqual(answers, [{"token": "token2"}] * 8)
        sign_ins = [one for one in server.received if one.url == "/oauth/token"]
        self.assertEqual(len(sign_ins), 2)

    def test_the_receiver_of_a_token_may_use_the_client(self):
        seen, clients = [], []

        def keep(_token):
            seen.extend(client.token() for client in clients)

        with serving(service()) as server:
            clients.append(sign_in(server, on_token=keep))
            with mock.patch("time.time", lambda now=time.time(): now + 4000):
                clients[0].get_caller()
        self.assertEqual(seen, ["token2"])


if __name__ == "__main__":
    unittest.main()
