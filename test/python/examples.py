"""
Reads every example of the API document into the models of the generated client and writes it again. Prints how many
there are, and where a value was lost or changed.
"""

import inspect
import json
import re
import sys
from datetime import datetime
from types import SimpleNamespace

import tidemark_client

client = tidemark_client.ApiClient()


def differences(given, written, place):
    """The places at which `written` lacks a value of `given`, or has another."""
    if isinstance(given, dict) and isinstance(written, dict):
        for name, value in given.items():
            if value is not None or name in written:
                yield from differences(value, written.get(name), f'{place}/{name}')
    elif isinstance(given, list) and isinstance(written, list) and len(given) == len(written):
        for index, value in enumerate(given):
            yield from differences(value, written[index], f'{place}/{index}')
    elif given != written and not same_time(given, written):
        yield f'{place}: {given!r} became {written!r}'


def same_time(given, written):
    """Whether both are texts of one time. Python writes times in its own form."""
    try:
        times = [datetime.fromisoformat(text) for text in (given, written)]
    except (TypeError, ValueError):
        return False
    return times[0] == times[1]


def type_name(annotation):
    """The name of a type, as the generated client writes it."""
    if isinstance(annotation, type):
        return annotation.__name__
    return re.sub(r'[\w.]+\.', '', str(annotation))


def answer_type(operation):
    """The type of the answer of an operation."""
    name = re.sub(r'(?<=[a-z])(?=[A-Z])', '_', operation['operationId']).lower()
    api = getattr(tidemark_client, f'{operation["tags"][0]}Api')
    return type_name(inspect.signature(getattr(api, name)).return_annotation)


def examples(document):
    """The place, the type and the value of each example of a body and of a success."""
    for path, item in document['paths'].items():
        for method, operation in item.items():
            place = f'{method} {path}'
            body = operation.get('requestBody', {}).get('content', {}).get('application/json', {})
            if 'example' in body:
                yield f'{place} body', body['schema']['$ref'].split('/')[-1], body['example']
            for status, answer in operation['responses'].items():
                media = answer.get('content', {}).get('application/json', {})
                if 'example' in media:
                    yield f'{place} {status}', answer_type(operation), media['example']


with open(sys.argv[1], encoding='utf-8') as file:
    found = list(examples(json.load(file)))
faults = []
for place, name, example in found:
    try:
        value = client.deserialize(SimpleNamespace(data=json.dumps(example)), name)
        faults.extend(differences(example, client.sanitize_for_serialization(value), place))
    except ValueError as error:
        faults.append(f'{place}: {error}')
json.dump({'examples': len(found), 'faults': faults}, sys.stdout)
