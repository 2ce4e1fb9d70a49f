"""Calls a running service with the generated client, and writes what it got as JSON."""

import json
import sys
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from tidemark_client import (
    AccountApi,
    ApiClient,
    CollectionInput,
    CollectionsApi,
    Configuration,
    ExportsApi,
    NewExportInput,
    PeopleApi,
    Problem,
    ProfileInput,
    SegmentDefinitionInput,
    SegmentInput,
    SegmentReference,
    SegmentsApi,
    TokenRequest,
)
from tidemark_client.exceptions import ApiException, NotFoundException, UnauthorizedException

base_url, client_id, username, password = sys.argv[1:5]
property_id = int(sys.argv[5])


def refusal(call, expected=ApiException):
    """The problem with which the service refuses a call."""
    try:
        call()
    except expected as error:
        return Problem.from_json(error.body)
    raise AssertionError('the service refused nothing')


configuration = Configuration(host=base_url)
client = ApiClient(configuration)
account, people = AccountApi(client), PeopleApi(client)
segments, collections = SegmentsApi(client), CollectionsApi(client)

stranger = refusal(account.get_caller, UnauthorizedException)

request = TokenRequest(grant_type='password', client_id=client_id, username=username, password=password)
configuration.access_token = account.issue_token(request).access_token
caller = account.get_caller()

person = {
    'email': 'ada@example.org',
    'first_name': 'Ada',
    'tags': [{'tag': ['Jazz'], 'datetime': '2026-01-01T00:00:00Z'}],
    'extra_data': {'seat': 'A7', 'visits': 3, 'member': True, 'years': [2024, 2025]},
}
key = str(uuid4())
stored = people.create_profile(property_id, ProfileInput.from_dict(person), idempotency_key=key)
again = people.create_profile(property_id, ProfileInput.from_dict(person), idempotency_key=key)
found = people.get_profile(property_id, email='ada@example.org', explain=True, include=['tags', 'extra_data'])

listed = segments.find_segments(property_id)
first = listed[0].id
definition = {'all': [first, {'any': [{'not': first}, {'named': {'type': 'tag', 'name': 'Jazz'}}]}]}
given = SegmentInput(name='Listeners', definition=SegmentDefinitionInput.from_dict(definition))
created = segments.create_segment(property_id, given)
read = segments.get_segment(property_id, created.id)

for name in ['One', 'Two', 'Three']:
    members = CollectionInput(name=name, segments=[SegmentReference(first)])
    collections.create_collection(property_id, members)
pages, cursor = [], None
while True:
    page = collections.list_collections(property_id, limit=2, cursor=cursor)
    pages.append([collection.name for collection in page.collections])
    if page.paging.next_page is None:
        break
    cursor = parse_qs(urlsplit(page.paging.next_page).query)['cursor'][0]

missing = refusal(lambda: people.get_profile(property_id, email='nobody@example.org'), NotFoundException)
export = NewExportInput.from_dict({'segment': [999], 'data_format': 'csv'})
faulty = refusal(lambda: ExportsApi(client).create_export(property_id, export))

json.dump(
    {
        'stranger': [stranger.status, stranger.code.value],
        'properties': [each.id for each in caller.properties],
        'expires': caller.token.expires.utcoffset().total_seconds(),
        'repeated': stored.profile_uuid == again.profile_uuid == found.profile.profile_uuid,
        'profile': [found.profile.email, found.profile.first_name, found.profile.last_name],
        'tags': [tag.tag for tag in found.tags],
        'extra_data': {name: value.to_dict() for name, value in found.extra_data.items()},
        'source': found.provenance.fields['first_name'][0].source,
        'segment': [created.type.value, read.count],
        'definition': read.definition.to_dict(),
        'ids': {segment.name: segment.id for segment in listed},
        'pages': pages,
        'missing': [missing.status, missing.code.value, missing.title],
        'faulty': [faulty.status, faulty.code.value, [[each.pointer, each.code.value] for each in faulty.errors]],
    },
    sys.stdout,
)
