"""Works with a running service as a user of the package, and writes what it got."""

from __future__ import annotations

import json
import sys
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Callable

from tidemark import Tidemark, TidemarkProblem, verify_webhook
from tidemark.models import ImportInput, ProfileInput, SegmentInput

base_url, client_id, username, password, property_text, folder = sys.argv[1:7]


def refusal(call: Callable[[], object]) -> list[object]:
    """The problem with which the service refuses a call."""
    try:
        call()
    except TidemarkProblem as problem:
        faults = [[fault.pointer, fault.code] for fault in problem.errors]
        return [problem.status, problem.code, faults]
    raise AssertionError("The service refused nothing.")


class Receiver(BaseHTTPRequestHandler):
    """Keeps the calls of a webhook."""

    calls: list[tuple[Message, bytes]] = []

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        self.calls.append((self.headers, self.rfile.read(size)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


stranger = refusal(lambda: Tidemark(base_url, token="x").get_caller())
wrong = refusal(lambda: Tidemark.sign_in(base_url, "ada", "x", client_id=client_id))
client = Tidemark.sign_in(
    base_url, username, password, client_id=client_id, property_id=int(property_text)
)
caller = client.get_caller()

person: ProfileInput = {
    "email": "ada@example.org",
    "first_name": "Ada",
    "tags": [{"tag": ["Jazz"], "datetime": "2026-01-01T00:00:00Z"}],
    "extra_data": {"seat": "A7", "visits": 3, "member": True, "years": [2024, 2025]},
}
stored = client.create_profile(person, idempotency_key="first")
again = client.create_profile(person, idempotency_key="first")
found = client.get_profile(email="ada@example.org", include=["tags", "extra_data"])
uuid = found["profile"]["profile_uuid"]
uuids = {stored["profile_uuid"], again["profile_uuid"], uuid}
wrong_word: ProfileInput = {  # type: ignore[typeddict-item]
    "email": "ada@example.org",
    "frist_name": "Ada",
}
misspelt = refusal(lambda: client.create_profile(wrong_word))

jazz = next(each["id"] for each in client.find_segments() if each["name"] == "Jazz")
listeners: SegmentInput = {
    "name": "Listeners",
    "definition": {"any": [jazz, {"not": {"named": {"type": "tag", "name": "Jazz"}}}]},
}
segment = client.wait_for_segment(client.create_segment(listeners)["id"], timeout=60)

for name in ["One", "Two", "Three"]:
    client.create_collection({"name": name, "segments": [jazz]})
collections = client.list_collections(limit=2)
pages = [[each["name"] for each in page["collections"]] for page in collections.pages()]

visitors: ImportInput = {
    "name": "Visitors",
    "mapping_fields": {
        "required_fields": ["email"],
        "field_maps": [
            {
                "sources": [{"type": "source_field", "name": "E-mail"}],
                "target_field": "email",
            },
            {
                "sources": [{"type": "source_field", "name": "Tags"}],
                "target_field": "tags",
            },
        ],
    },
}
import_id = client.create_import(visitors)["id"]
file = Path(folder) / "visitors.csv"
rows = [f"visitor{number}@example.org,Rock" for number in range(40)]
file.write_text("\n".join(["E-mail,Tags", *rows, "nobody,Rock", ""]), encoding="utf-8")
sent: list[tuple[int, int]] = []
job_id = client.upload_file(
    import_id, file, on_progress=lambda done, size: sent.append((done, size))
)
job = client.wait_for_import(import_id, job_id, timeout=60)
with client.list_import_errors_csv(import_id, job_id) as refused_rows:
    refused_csv = refused_rows.read().decode()

with HTTPServer(("127.0.0.1", 0), Receiver) as server:
    receiving = Thread(target=server.handle_request)
    receiving.start()
    created = client.create_export(
        {
            "segment": [segment["id"]],
            "field_set": "email",
            "data_format": "csv",
            "webhook_url": f"http://127.0.0.1:{server.server_port}/",
        }
    )
    exported = client.wait_for_export(created["id"], timeout=60)
    location = exported["location"]
    assert location is not None
    with client.open_location(location) as download:
        lines = download.read().decode().splitlines()
    receiving.join(60)
headers, body = Receiver.calls[0]
event = verify_webhook(str(created.get("webhook_secret")), headers, body).event

answer: dict[str, Any] = {
    "stranger": stranger,
    "wrong": wrong,
    "properties": [each["id"] for each in caller["properties"]],
    "people": len(uuids),
    "profile": [found["profile"]["first_name"], found["profile"]["last_name"]],
    "tags": [each["tag"] for each in found.get("tags", [])],
    "extra_data": found.get("extra_data"),
    "misspelt": misspelt,
    "segment": segment["type"],
    "pages": pages,
    "items": [each["name"] for each in collections],
    "first": len(collections.first()["collections"]),
    "progress": sent[-1] == (file.stat().st_size, file.stat().st_size),
    "import": [job["counts"]["status"], job["counts"]["completed"]],
    "refused": [each["code"] for each in client.list_import_errors(import_id, job_id)],
    "refused_csv": "nobody" in refused_csv,
    "rows": len(lines) - 1,
    "event": event["type"] == "export.completed" and event["rows"],
    "missing": refusal(lambda: client.get_profile(email="nobody@example.org")),
    "faulty": refusal(
        lambda: client.create_export({"segment": [999], "data_format": "csv"})
    ),
}
json.dump(answer, sys.stdout)
