"""Writes a program in which each example of the API document has its type.

A type checker then finds each member that a type lacks, and each that it demands.
"""

from __future__ import annotations

import json
import re
import sys
from pprint import pformat
from typing import Any, Iterator

from tidemark import Tidemark


def types(operation: dict[str, Any]) -> dict[str, str]:
    """The types of the body and of the answer of an operation, as they are written."""
    name = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", operation["operationId"])
    found: dict[str, str] = getattr(Tidemark, name).__annotations__
    page = re.fullmatch(r"Pages\[([^,]+), .*]", found["return"])
    return {**found, "return": page[1] if page else found["return"]}


def examples(document: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The type and the value of each example of a body and of a success."""
    for item in document["paths"].values():
        for operation in item.values():
            body = operation.get("requestBody", {}).get("content", {})
            if "example" in body.get("application/json", {}):
                yield types(operation)["body"], body["application/json"]["example"]
            for status, answer in operation["responses"].items():
                if not status.startswith("2"):
                    continue
                media = answer.get("content", {}).get("application/json", {})
                if "example" in media:
                    yield types(operation)["return"], media["example"]


with open(sys.argv[1], encoding="utf-8") as file:
    found = list(examples(json.load(file)))
print("from typing import Any, Union\n\nfrom tidemark import models\n")
for number, (kind, value) in enumerate(found):
    print(f"example{number}: {kind} = {pformat(value)}")
