"""What the client sends, and how it reads answers."""

import traceback
import unittest

import tidemark
from small_server import Reply, serving
from tidemark import NotSignedInError, Tidemark, TidemarkProblem, UnexpectedAnswerError


def empty(_one, _before):
    return Reply(body={})


class Requests(unittest.TestCase):
    def test_writes_parameters_as_the_service_reads_them(self):
        with serving(empty) as server:
            server.client().get_profile(
                email="a+b c@example.org", explain=True, include=["tags", "age"]
            )
        query = "email=a%2Bb%20c%40example.org&explain=true&include=tags%2Cage"
        self.assertEqual(server.received[0].url, f"/v1/7/profile?{query}")

    def test_a_traceback_names_the_module_that_programs_import(self):
        for name in tidemark.__all__:
            error = getattr(tidemark, name)
            if isinstance(error, type) and issubclass(error, Exception):
                shown = traceback.format_exception_only(error, error.__new__(error))
                self.assertTrue(shown[0].startswith(f"tidemark.{name}"), shown)
        self.assertRegex(tidemark.__version__, r"^\d+\.\d+\.\d+$")

    def test_refuses_a_parameter_that_has_no_text(self):
        with serving(empty) as server:
            for value in ({"x": 1}, object(), [{}]):
                with self.assertRaises(TypeError):
                    server.client().get_profile(email=value)
        self.assertEqual(server.received, [])

    def test_a_name_that_python_reserves_ends_with_an_underscore(self):
        page = {"added": [], "removed": [], "paging": {"next_page": None}}
        with serving(lambda *_: Reply(body=page)) as server:
            changes = server.client().list_timeline_changes(3, from_=1, to=2)
            self.assertEqual(list(changes), [page])
        self.assertTrue(server.received[0].url.endswith("/3/changes?from=1&to=2"))

    def test_a_keyword_that_does_not_exist_is_an_error(self):
        with serving(empty) as server:
            with self.assertRaises(TypeError):
                server.client().get_profile(emial="ada@example.org")
            with self.assertRaises(TypeError):
                Tidemark(server.url, tokne="x")
        self.assertEqual(server.received, [])

    def test_sends_a_body_as_it_is(self):
        with serving(empty) as server:
            server.client().create_profile({"frist_name": "Ada"})
        self.assertEqual(server.received[0].body, b'{"frist_name": "Ada"}')

    def test_refuses_a_body_that_is_no_json(self):
        with serving(empty) as server:
            for value, error in ((float("nan"), ValueError), (object(), TypeError)):
                with self.assertRaises(error):
                    server.client().create_profile({"extra_data": {"x": value}})
        self.assertEqual(server.received, [])

    def test_sends_text_and_bytes_under_their_own_type(self):
        with serving(empty) as server:
            server.client().retry_import_job(1, 2, "E-mail\n")
            server.client().inspect_import(b"E-mail\n")
            server.client().retry_import_job(1, 2, {"records": []})
        sent = [(one.headers["Content-Type"], one.body) for one in server.received]
        self.assertEqual(
            sent,
            [
                ("text/csv", b"E-mail\n"),
                ("application/octet-stream", b"E-mail\n"),
                ("application/json", b'{"records": []}'),
            ],
        )

    def test_a_value_cannot_leave_its_place_in_the_path(self):
        with serving(empty) as server:
            server.client().delete_token("a/../b?c")
            for value in ("", "..", "."):
                with self.assertRaises(ValueError):
                    server.client().delete_token(value)
            with self.assertRaises(ValueError):
                Tidemark(server.url, token="x").list_exports().first()
        urls = [one.url for one in server.received]
        self.assertEqual(urls, ["/v1/me/tokens/a%2F..%2Fb%3Fc"])

    def test_refuses_a_header_without_showing_it(self):
        with serving(empty) as server:
            for token in ("secret\r\nx: y", "sécret€"):
                with self.assertRaises(ValueError) as raised:
                    server.client(token=token).get_caller()
                self.assertNotIn("cret", str(raised.exception))
                with self.assertRaises(ValueError) as raised:
                    server.client(headers={"X-Own": token}).get_caller()
                self.assertNotIn("cret", str(raised.exception))
        self.assertEqual(server.received, [])

    def test_refuses_an_address_that_is_none(self):
        for url in ("example.org", "ftp://example.org", "http://u:p@example.org"):
            with self.assertRaises(ValueError) as raised:
                Tidemark(url)
            self.assertNotIn("u:p", str(raised.exception))

    def test_another_property_for_a_call_and_for_a_client(self):
        with serving(empty) as server:
            client = server.client()
            client.get_export(1, property_id=8)
            client.for_property(9).get_export(1)
            client.get_export(1)
        self.assertEqual(
            [one.url for one in server.received],
            [f"/v1/{number}/exports/1" for number in (8, 9, 7)],
        )

    def test_needs_a_token(self):
        with serving(lambda *_: Reply(body={"status": "ok"})) as server:
            self.assertEqual(Tidemark(server.url).health(), {"status": "ok"})
            with self.assertRaises(NotSignedInError):
                Tidemark(server.url).get_caller()


class Answers(unittest.TestCase):
    def test_a_problem_says_what_the_service_says(self):
        body = {
            "code": "invalid",
            "detail": "No.",
            "errors": [{"pointer": "/a", "code": "x", "detail": "Is wrong."}, 7],
            "request_id": "r",
        }
        with serving(lambda *_: Reply(422, body, {"Retry-After": "9"})) as server:
            with self.assertRaises(TidemarkProblem) as raised:
                server.client().get_export(1)
        problem = raised.exception
        self.assertEqual(
            [problem.status, problem.code, problem.detail, problem.request_id],
            [422, "invalid", "No.", "r"],
        )
        self.assertEqual([fault.pointer for fault in problem.errors], ["/a"])
        self.assertEqual(problem.retry_after, 9)
        self.assertEqual(
            str(problem), "GET /v1/7/exports/1 answered 422 invalid: No. /a: Is wrong."
        )

    def test_a_gateway_answers_without_a_problem(self):
        with serving(lambda *_: Reply(400, b"<html>")) as server:
            with self.assertRaises(TidemarkProblem) as raised:
                server.client().get_export(1)
        self.assertEqual(raised.exception.code, "unrecognized")

    def test_a_message_has_no_capability(self):
        with serving(lambda *_: Reply(404, {})) as server:
            with self.assertRaises(TidemarkProblem) as raised:
                server.client().show_confirmation("secret")
        self.assertIn("GET /confirmations/... answered 404", str(raised.exception))

    def test_a_page_of_a_proxy_is_no_answer(self):
        for body in (b"<html>", b"", b'"text"'):
            with serving(lambda *_, body=body: Reply(200, body)) as server:
                with self.assertRaises(UnexpectedAnswerError):
                    server.client().get_export(1)


class Lists(unittest.TestCase):
    def test_follow_the_links_by_their_queries(self):
        def rule(one, before):
            link = f"https://elsewhere.example/x?cursor=c{before + 1}&limit=2"
            paging = {"next_page": link if before < 2 else None}
            return Reply(body={"exports": [{"id": before}], "paging": paging})

        with serving(rule) as server:
            items = [one["id"] for one in server.client().list_exports(limit=2)]
        self.assertEqual(items, [0, 1, 2])
        queries = ["limit=2", "cursor=c1&limit=2", "cursor=c2&limit=2"]
        self.assertEqual(
            [one.url for one in server.received],
            [f"/v1/7/exports?{query}" for query in queries],
        )

    def test_follow_the_links_in_a_header(self):
        def rule(one, before):
            link = {"Link": '</v1/7/segments?cursor=a%2Cb>; rel="next"'}
            return Reply(body=[{"id": before}], headers={} if before else link)

        with serving(rule) as server:
            ids = [one["id"] for one in server.client().find_segments()]
        self.assertEqual(ids, [0, 1])
        self.assertEqual(server.received[1].url, "/v1/7/segments?cursor=a%2Cb")

    def test_a_page_that_leads_to_itself_ends_the_list(self):
        page = {"exports": [], "paging": {"next_page": "/x?cursor=a"}}
        with serving(lambda *_: Reply(body=page)) as server:
            with self.assertRaises(UnexpectedAnswerError):
                list(server.client().list_exports())
        self.assertEqual(len(server.received), 2)

    def test_a_page_without_its_items_is_no_answer(self):
        with serving(lambda *_: Reply(body={"exports": None})) as server:
            with self.assertRaises(UnexpectedAnswerError):
                list(server.client().list_exports())


if __name__ == "__main__":
    unittest.main()
