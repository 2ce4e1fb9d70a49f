"""Uploads: whole and in parts, continued, refused, and of a file that changes."""

import os
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

from small_server import Reply, serving
from tidemark import FileChangedError, TidemarkConnectionError, UploadError

CONTENT = os.urandom(300_000)


class Store:
    """A rule: the upload routes of the service, and a store that takes parts."""

    def __init__(self, size, part=None, replies=()):
        self.size, self.part, self.stored = size, part, {}
        self.replies = list(replies)
        self.url = ""
        self.opened = 0

    def addresses(self):
        """The addresses for what is missing."""
        self.opened += 1
        answer = {"job_id": 5, "headers": {"x-header": "signed"}}
        if self.part is None:
            return {**answer, "url": f"{self.url}/store/0"}
        parts = [
            {
                "url": f"{self.url}/store/{offset}",
                "offset": offset,
                "size": min(self.part, self.size - offset),
            }
            for offset in range(0, self.size, self.part)
            if offset not in self.stored
        ]
        return {**answer, "parts": parts}

    def __call__(self, one, _before):
        if one.url.startswith("/store/"):
            reply = self.replies.pop(0) if self.replies else Reply()
            if isinstance(reply, Reply) and reply.status == 200:
                self.stored[int(one.url.rpartition("/")[2])] = one
            return reply
        if one.url.endswith("/complete"):
            return Reply(body={"id": 5})
        if one.method == "GET" and self.stored and self.part is None:
            return Reply(409, {"code": "uploaded"})
        return Reply(201, self.addresses())

    def content(self):
        """What is stored, in order."""
        return b"".join(self.stored[offset].body for offset in sorted(self.stored))


class Uploads(unittest.TestCase):
    def setUp(self):
        self.waits = []
        patch = mock.patch("time.sleep", self.waits.append)
        patch.start()
        self.addCleanup(patch.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "people.csv"
        self.path.write_bytes(CONTENT)

    def upload(self, rule, *, store=None, **options):
        """Uploads the file, and returns the server with what it received."""
        with serving(rule) as server:
            (store or rule).url = server.url
            client = server.client(timeout=10)
            self.job = client.upload_file(3, options.pop("file", self.path), **options)
        return server

    def test_sends_a_file_whole(self):
        store, seen, jobs = Store(len(CONTENT)), [], []
        server = self.upload(
            store, on_job=jobs.append, on_progress=lambda *counts: seen.append(counts)
        )
        self.assertEqual((self.job, jobs, store.content()), (5, [5], CONTENT))
        asked = server.received[0].body
        self.assertIn(b'"file_name": "people.csv", "size": 300000', asked)
        self.assertEqual(store.stored[0].headers["x-header"], "signed")
        self.assertNotIn("Authorization", store.stored[0].headers)
        self.assertEqual(len(seen), 5)
        self.assertEqual(seen[-1], (len(CONTENT), len(CONTENT)))
        self.assertEqual(seen, sorted(seen))

    def test_sends_a_file_in_parts(self):
        store = Store(len(CONTENT), part=70_000)
        server = self.upload(store)
        self.assertEqual(store.content(), CONTENT)
        self.assertEqual(len(store.stored), 5)
        self.assertTrue(server.received[-1].url.endswith("/uploads/5/complete"))

    def test_sends_bytes_and_an_empty_file(self):
        store = Store(3)
        server = self.upload(store, file=b"a,b", file_name="x.csv", dry_run=True)
        self.assertEqual(store.content(), b"a,b")
        self.assertIn(b'"dry_run": true', server.received[0].body)
        empty = Store(0)
        self.upload(empty, file=b"", file_name="x.csv")
        self.assertEqual(empty.content(), b"")
        with self.assertRaises(TypeError):
            self.upload(Store(3), file=b"a,b")
        with self.assertRaises(FileNotFoundError):
            self.upload(Store(3), file="no/such/file.csv")

    def test_sends_again_what_did_not_arrive(self):
        failures = [Reply(503), "break", Reply(403)]
        store, seen = Store(len(CONTENT), part=70_000, replies=failures), []
        self.upload(store, on_progress=lambda *counts: seen.append(counts))
        self.assertEqual(store.content(), CONTENT)
        self.assertGreater(store.opened, 1)
        self.assertEqual(seen[-1], (len(CONTENT), len(CONTENT)))

    def test_takes_back_what_it_said_of_a_part_that_did_not_arrive(self):
        for reply in (Reply(503), "break"):
            store, seen = Store(len(CONTENT), replies=[reply]), []
            self.upload(store, on_progress=lambda sent, _size: seen.append(sent))
            self.assertEqual(seen.count(0), 1)

    def test_goes_on_while_parts_arrive(self):
        store = Store(len(CONTENT), part=40_000)
        rounds = set()

        def rule(one, before):
            if one.method == "PUT" and store.opened in rounds:
                return Reply(503)
            if one.method == "PUT":
                rounds.add(store.opened)
            return store(one, before)

        self.upload(rule, store=store)
        self.assertEqual(len(rounds), 8)

    def test_an_earlier_attempt_may_have_arrived(self):
        store = Store(len(CONTENT), replies=[Reply(412)])
        self.upload(store)
        self.assertEqual(self.job, 5)

        def lost(one, before):
            if one.url.startswith("/store/"):
                return "break"
            created = Reply(201, store.addresses())
            return created if one.method == "POST" else Reply(409, {"code": "uploaded"})

        with serving(lost) as server:
            store.url = server.url
            self.assertEqual(server.client().upload_file(3, self.path), 5)

    def test_gives_up_when_nothing_arrives(self):
        store = Store(len(CONTENT), replies=[Reply(503)] * 99)
        with self.assertRaises(UploadError) as raised:
            self.upload(store)
        self.assertEqual(raised.exception.status, 503)
        self.assertEqual(len(self.waits), 4)

    def test_a_refusal_ends_the_upload_with_its_reason(self):
        xml = b"<Error><Code>EntityTooLarge</Code><Message>Too large.</Message></Error>"
        with self.assertRaises(UploadError) as raised:
            self.upload(Store(len(CONTENT), replies=[Reply(400, xml)]))
        self.assertEqual(
            str(raised.exception), "The upload answered 400: EntityTooLarge: Too large."
        )

    def test_a_refusal_before_the_end_of_the_file_is_read(self):
        self.path.write_bytes(bytes(20_000_000))

        def rule(one, _before):
            if one.method == "PUT":
                return Reply(400, b"<Code>EntityTooLarge</Code>")
            answer = {"job_id": 5, "headers": {}, "url": f"{server.url}/unread"}
            return Reply(201, answer)

        with serving(rule) as server:
            with self.assertRaises(UploadError) as raised:
                server.client().upload_file(3, self.path)
        self.assertEqual(raised.exception.status, 400)

    def test_continues_an_upload(self):
        store = Store(len(CONTENT), part=70_000)
        store.stored = {0: mock.Mock(body=CONTENT[:70_000])}
        seen = []
        server = self.upload(
            store, job_id=5, on_progress=lambda sent, _size: seen.append(sent)
        )
        self.assertEqual(server.received[0].method, "GET")
        self.assertEqual(store.content(), CONTENT)
        self.assertGreater(seen[0], 70_000)

    def test_a_file_that_changes_is_refused(self):
        def change(*_counts):
            with open(self.path, "ab") as file:
                file.write(b"more")

        store = Store(len(CONTENT))
        with self.assertRaises(FileChangedError):
            self.upload(store, on_progress=change)
        self.assertEqual(store.stored, {})

    def test_a_file_that_shrinks_or_goes_is_refused(self):
        def shrink(*_counts):
            os.truncate(self.path, 10)

        def remove(*_counts):
            self.path.unlink(missing_ok=True)

        for change in (shrink, remove):
            self.path.write_bytes(CONTENT)
            with self.assertRaises((FileChangedError, FileNotFoundError)):
                self.upload(Store(len(CONTENT)), on_progress=change)

    def test_an_error_of_the_callback_is_that_of_the_upload(self):
        for error in (ValueError, BrokenPipeError):
            with self.assertRaises(error):
                fail = mock.Mock(side_effect=[error, *[None] * 99])
                self.upload(Store(len(CONTENT)), on_progress=fail)

    def test_an_error_ends_all_parts(self):
        store, calls = Store(20_000_000, part=10_000_000), []

        def fail_once(*counts):
            calls.append(counts)
            if len(calls) == 2:
                raise ValueError
            threading.Event().wait(0.002)

        with self.assertRaises(ValueError):
            content = bytes(store.size)
            self.upload(store, file=content, file_name="x", on_progress=fail_once)
        self.assertLess(len(calls), 100)

    def test_an_outage_of_the_service_ends_an_upload_after_some_rounds(self):
        store = Store(len(CONTENT), replies=[Reply(503)] * 9)

        def rule(one, before):
            return Reply(503, {}) if one.method == "GET" else store(one, before)

        with serving(rule) as server:
            store.url = server.url
            with self.assertRaises(UploadError):
                server.client(retries=0).upload_file(3, self.path)
        self.assertEqual(len(server.received), 6)

    def test_the_service_out_of_reach(self):
        with self.assertRaises(TidemarkConnectionError):
            with serving(lambda *_: "break") as server:
                server.client(retries=0).upload_file(3, self.path)


if __name__ == "__main__":
    unittest.main()
