"""When the client sends a request again, and when it must not."""

import email.utils
import socket
import time
import unittest
from unittest import mock

from small_server import Reply, serving
from tidemark import Tidemark, TidemarkConnectionError, TidemarkProblem

PROFILE = {"email": "ada@example.org"}
KEY_REQUEST = {
    "grant_type": "password",
    "client_id": "c",
    "username": "u",
    "password": "p",
    "name": "Box office",
}


def then_ok(*replies):
    """A rule: these replies, then success."""

    def rule(_one, before):
        return replies[before] if before < len(replies) else Reply(body={"id": 1})

    return rule


class Retries(unittest.TestCase):
    def setUp(self):
        self.waits = []
        patch = mock.patch("time.sleep", self.waits.append)
        patch.start()
        self.addCleanup(patch.stop)

    def test_all_attempts_of_a_post_share_a_key(self):
        failures = (Reply(503, {}), "break", "truncate", Reply(429, {}))
        with serving(then_ok(*failures)) as server:
            client = server.client()
            self.assertEqual(client.create_profile(PROFILE), {"id": 1})
            client.create_profile(PROFILE)
            client.create_profile(PROFILE, idempotency_key="mine")
        keys = server.keys()
        self.assertEqual(len(set(keys[:5])), 1)
        self.assertEqual(len(set(keys)), 3)
        self.assertEqual(keys[-1], "mine")
        self.assertEqual(len({one.body for one in server.received}), 1)

    def test_waits_longer_each_time_and_gives_up(self):
        with mock.patch("random.random", lambda: 0.5):
            with serving(lambda *_: Reply(503, {"code": "unavailable"})) as server:
                with self.assertRaises(TidemarkProblem) as raised:
                    server.client().get_export(1)
            self.assertEqual(raised.exception.code, "unavailable")
            self.assertEqual(self.waits, [0.25, 0.5, 1, 2])
            self.assertEqual(len(server.received), 5)
            self.waits.clear()
            with serving(then_ok(*[Reply(503, {})] * 3)) as server:
                server.client(longest_wait=0.6).get_export(1)
            self.assertEqual(self.waits, [0.25, 0.5, 0.6])

    def test_what_could_apply_twice_is_not_repeated(self):
        for reply in (Reply(503, {}), "break", "truncate"):
            for call in (
                lambda client: client.issue_token(KEY_REQUEST),
                lambda client: client.confirm_address("secret"),
            ):
                with serving(then_ok(reply)) as server:
                    with self.assertRaises((TidemarkProblem, TidemarkConnectionError)):
                        call(server.client())
                self.assertEqual(len(server.received), 1)
                self.assertEqual(server.keys(), [None])
        self.assertEqual(self.waits, [])

    def test_what_was_not_done_is_repeated_without_a_key(self):
        with serving(then_ok(Reply(429, {}))) as server:
            server.client().issue_token(KEY_REQUEST)
        self.assertEqual(len(server.received), 2)

    def test_not_done_after_perhaps_done_is_not_repeated(self):
        with serving(then_ok(Reply(429, {}), "break", Reply(429, {}))) as server:
            with self.assertRaises(TidemarkConnectionError):
                server.client().issue_token(KEY_REQUEST)
        self.assertEqual(len(server.received), 2)

    def test_nothing_listens(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
            with self.assertRaises(TidemarkConnectionError):
                Tidemark(url, token="x").issue_token(KEY_REQUEST)
        self.assertEqual(len(self.waits), 4)

    def test_other_refusals_are_not_repeated(self):
        for status in (400, 404, 409, 422, 500):
            with serving(then_ok(Reply(status, {}))) as server:
                with self.assertRaises(TidemarkProblem):
                    server.client().create_profile(PROFILE)
            self.assertEqual(len(server.received), 1)

    def test_a_key_in_progress_is_asked_again(self):
        in_progress = Reply(409, {"code": "idempotency_in_progress"})
        with serving(then_ok(in_progress)) as server:
            server.client().create_profile(PROFILE)
        self.assertEqual(len(server.received), 2)

    def test_waits_as_long_as_the_service_says(self):
        soon = email.utils.formatdate(time.time() + 20, usegmt=True)
        for header in ("20", soon):
            self.waits.clear()
            with serving(then_ok(Reply(429, {}, {"Retry-After": header}))) as server:
                server.client().get_export(1)
            self.assertGreaterEqual(self.waits[0], 18)
        with serving(then_ok(Reply(429, {}, {"Retry-After": "soon"}))) as server:
            server.client().get_export(1)
        with serving(then_ok(Reply(429, {}, {"Retry-After": "31"}))) as server:
            with self.assertRaises(TidemarkProblem) as raised:
                server.client().get_export(1)
        self.assertEqual(raised.exception.retry_after, 31)
        self.assertEqual(len(server.received), 1)

    def test_a_key_is_not_used_after_half_of_its_life(self):
        clock = [1_000_000.0]

        def sleep(_seconds):
            clock[0] += 13 * 3600

        with mock.patch("time.time", lambda: clock[0]), mock.patch("time.sleep", sleep):
            with serving(then_ok("break")) as server:
                with self.assertRaises(TidemarkConnectionError):
                    server.client().create_profile(PROFILE)
                self.assertEqual(len(server.received), 1)
            with serving(then_ok("break")) as server:
                server.client().get_export(1)
                self.assertEqual(len(server.received), 2)

    def test_a_key_that_may_have_been_used_stays_doubtful(self):
        clock = [1_000_000.0]

        def sleep(_seconds):
            clock[0] += 7 * 3600

        with mock.patch("time.time", lambda: clock[0]), mock.patch("time.sleep", sleep):
            with serving(then_ok("break", Reply(429, {}))) as server:
                with self.assertRaises(TidemarkProblem):
                    server.client().create_profile(PROFILE)
        self.assertEqual(len(server.received), 2)

    def test_a_deletion_whose_answer_was_lost(self):
        gone = Reply(404, {"code": "not_found"})
        with serving(lambda _one, before: "break" if before == 0 else gone) as server:
            self.assertEqual(server.client().delete_collection(5), {"id": 5})
        with serving(lambda _one, before: "break" if before == 0 else gone) as server:
            self.assertEqual(server.client().delete_token("0a"), {"id": "0a"})
        for first in (gone, Reply(429, {})):
            with serving(lambda _one, n, first=first: gone if n else first) as server:
                with self.assertRaises(TidemarkProblem):
                    server.client().delete_collection(5)

    def test_a_person_who_is_gone_is_no_success(self):
        gone = Reply(404, {"code": "not_found"})
        with serving(lambda _one, before: "break" if before == 0 else gone) as server:
            with self.assertRaises(TidemarkProblem):
                server.client().forget_profile(email="ada@example.org")


class Redirects(unittest.TestCase):
    def test_lead_to_a_file_without_the_token(self):
        with serving(lambda *_: Reply(body=b"rows")) as store:
            away = {"Location": f"{store.url}/file"}
            with serving(lambda *_: Reply(303, {}, away)) as server:
                client = server.client(headers={"X-Own": "secret"})
                with client.list_import_errors_csv(1, 2) as answer:
                    self.assertEqual(answer.read(), b"rows")
        self.assertTrue(server.received[0].url.endswith("/errors?format=csv"))
        self.assertEqual(server.received[0].headers["Authorization"], "Bearer given")
        self.assertNotIn("Authorization", store.received[0].headers)
        self.assertNotIn("X-Own", store.received[0].headers)

    def test_others_are_not_followed(self):
        with serving(lambda *_: Reply(body={})) as store:
            for status in (301, 307, 308):
                away = Reply(status, {}, {"Location": f"{store.url}/file"})
                with serving(lambda *_, away=away: away) as server:
                    with self.assertRaises(TidemarkProblem) as raised:
                        server.client().create_profile(PROFILE)
                self.assertEqual(raised.exception.status, status)
        self.assertEqual(store.received, [])

    def test_lead_to_no_file_of_this_machine(self):
        away = Reply(303, {}, {"Location": "file:///etc/hostname"})
        with serving(lambda *_: away) as server:
            client = server.client(retries=0)
            with self.assertRaises(TidemarkConnectionError):
                client.list_import_errors_csv(1, 2)
            with self.assertRaises(ValueError):
                client.open_location("file:///etc/hostname")


if __name__ == "__main__":
    unittest.main()
