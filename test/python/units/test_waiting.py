"""Waits for jobs and segments."""

import unittest
from unittest import mock

from small_server import Reply, serving
from tidemark import TidemarkProblem

ENDED = "2026-01-01T00:00:00Z"


def exports(*steps):
    """A rule: an export job with these shares, and the end after them."""

    def rule(_one, before):
        step = steps[before] if before < len(steps) else None
        if isinstance(step, Reply):
            return step
        finished = ENDED if step is None else None
        return Reply(body={"finished": finished, "progress": step})

    return rule


class Waits(unittest.TestCase):
    def setUp(self):
        self.clock, self.waits = 1000.0, []
        for name, fake in (("monotonic", lambda: self.clock), ("sleep", self.sleep)):
            patch = mock.patch(f"time.{name}", fake)
            patch.start()
            self.addCleanup(patch.stop)

    def sleep(self, seconds):
        self.waits.append(seconds)
        self.clock += seconds

    def test_asks_until_the_job_has_ended(self):
        seen = []
        with serving(exports(0, 0.5, 0.9)) as server:
            job = server.client().wait_for_export(1, 2, on_progress=seen.append)
        self.assertEqual(job["finished"], ENDED)
        self.assertEqual([one["progress"] for one in seen], [0, 0.5, 0.9, None])
        self.assertEqual(self.waits, [0.1, 0.1, 0.1])

    def test_a_wait_has_a_limit(self):
        with serving(exports(*[0.01] * 99)) as server:
            with self.assertRaises(TimeoutError):
                server.client().wait_for_export(1, 2, timeout=7)
        self.assertAlmostEqual(sum(self.waits), 7)

    def test_survives_a_short_outage(self):
        outage = [Reply(503, {})] * 9
        with serving(exports(0, *outage, 0, *outage)) as server:
            server.client(retries=0).wait_for_export(1, 2)
        with serving(exports(0, *[Reply(503, {})] * 10)) as server:
            with self.assertRaises(TidemarkProblem):
                server.client(retries=0).wait_for_export(1, 2)

    def test_a_refusal_ends_the_wait(self):
        with serving(exports(0, Reply(404, {}))) as server:
            with self.assertRaises(TidemarkProblem):
                server.client().wait_for_export(1, 2)
        self.assertEqual(len(server.received), 2)

    def test_waits_for_the_newest_job(self):
        def rule(one, before):
            jobs = {"jobs": [{"id": "9"}], "paging": {"next_page": None}}
            return Reply(body=jobs) if before == 0 else exports()(one, before)

        with serving(rule) as server:
            server.client().wait_for_export(1)
        self.assertEqual(
            [one.url for one in server.received],
            ["/v1/7/exports/1/jobs?limit=1&order=newest", "/v1/7/exports/1/jobs/9"],
        )
        with serving(lambda *_: Reply(body={"jobs": []})) as server:
            with self.assertRaises(LookupError):
                server.client().wait_for_export(1)

    def test_waits_for_an_import(self):
        def rule(_one, before):
            counts = {"ingested": 4 * before, "processing": 4 - before}
            finished = ENDED if before == 3 else None
            return Reply(body={"finished": finished, "counts": counts})

        with serving(rule) as server:
            job = server.client().wait_for_import(1, 2)
        self.assertEqual((job["finished"], len(server.received)), (ENDED, 4))

    def test_waits_for_a_segment_that_is_prepared(self):
        steps = [{"ready": False}, {"ready": False, "progress": 0.5}, {"ready": True}]
        with serving(lambda _one, before: Reply(body=steps[before])) as server:
            self.assertEqual(server.client().wait_for_segment(1), {"ready": True})
        with serving(lambda *_: Reply(body={"id": 1})) as server:
            self.assertEqual(server.client().wait_for_segment(1), {"id": 1})


if __name__ == "__main__":
    unittest.main()
