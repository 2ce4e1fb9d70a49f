/** Segment entries: the routes of segments and their members. */
import { deletedAnswer, listQuery } from '../../shared/http/list-schemas.ts';
import { lookupQuery } from '../../shared/profiles/schemas.ts';
import { BY_NAME, explainQuery, membershipAnswer } from '../../shared/segments/explain/schemas.ts';
import { previewAnswer, segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import {
  customSegmentAnswer,
  findSegmentsQuery,
  previewBody,
  segmentAnswer,
  segmentBody,
  segmentProfilesQuery,
  segmentSizesAnswer,
  segmentsAnswer,
  treeAnswer,
} from '../../shared/segments/schemas.ts';
import { apiFunction, linkFunction, entry, route } from '../entry.ts';

/** Read-only fields of a segment: `GET segments/{segment_id}` returns them, clients do not set them. */
const shownOfSegment = ['type', 'count', 'as_of', 'replaced_by', 'ready', 'progress'] as const;

export const findSegments = /* @__PURE__ */ entry(() => ({
  ...linkFunction('api'),
  source: 'segments/find-segments',
  summary: 'List the segments of a property, or find segments by name and type',
  trigger: route('GET', '/v1/{property_id}/segments', {
    permission: 'definitions.read',
    query: findSegmentsQuery,
    headers: ['Link'],
    answer: segmentsAnswer,
  }),
}));

export const getSegment = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  memoryMb: 1024,
  source: 'segments/get-segment',
  summary: 'Show a segment with its exact number of profiles',
  trigger: route('GET', '/v1/{property_id}/segments/{segment_id}', {
    permission: 'definitions.read',
    answer: segmentAnswer,
    codes: ['too_expensive'],
  }),
  access: { table: ['read', 'query'] },
}));

export const listSegmentSizes = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'segments/list-sizes',
  summary: 'List the segments by their number of profiles, the largest first',
  trigger: route('GET', '/v1/{property_id}/segment-sizes', {
    permission: 'definitions.read',
    query: listQuery,
    answer: segmentSizesAnswer,
  }),
  access: {
    table: ['read'],
    propertyKey: ['decrypt'],
  },
  settings: ['baseUrl'],
}));

export const createSegment = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'segments/create-segment',
  summary: 'Create a segment: a combination of other segments, or a condition on the values of profiles',
  trigger: route('POST', '/v1/{property_id}/segments', {
    permission: 'definitions.write',
    body: segmentBody,
    shownOnly: [...shownOfSegment],
    answer: customSegmentAnswer,
    statuses: [201, 200],
    codes: ['segment_limit', 'segment_preparing', 'conditions_off'],
  }),
  access: { table: ['query', 'increment'] },
  settings: ['conditions', 'clockMargin'],
}));

export const replaceSegment = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'segments/replace-segment',
  summary: 'Edit a custom segment, which gets a new id then, or rename a condition',
  trigger: route('PUT', '/v1/{property_id}/segments/{segment_id}', {
    permission: 'definitions.write',
    body: segmentBody,
    shownOnly: [...shownOfSegment],
    answer: customSegmentAnswer,
    codes: ['state_conflict', 'segment_preparing'],
  }),
  access: { table: ['read', 'query', 'insert', 'update', 'delete', 'increment'] },
}));

export const deleteSegment = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'segments/delete-segment',
  summary: 'Delete a custom segment, a condition, or the segment of a value that no profile has',
  trigger: route('DELETE', '/v1/{property_id}/segments/{segment_id}', {
    permission: 'definitions.write',
    answer: deletedAnswer,
    codes: ['state_conflict', 'in_use'],
  }),
  access: { table: ['read', 'query', 'insert', 'update', 'delete', 'increment'] },
}));

export const previewSegment = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  memoryMb: 1024,
  source: 'segments/preview-segment',
  summary:
    'Count the profiles that a definition of a segment describes, and show some of them; store nothing',
  trigger: route('POST', '/v1/{property_id}/segments/preview', {
    permission: 'people.read',
    body: previewBody,
    answer: previewAnswer,
    codes: ['segment_preparing'],
    shows: 'people',
  }),
  access: {
    table: ['query'],
    propertyKey: ['decrypt'],
  },
}));

export const listProfileSegments = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'segments/list-profile-segments',
  summary: 'Show the segments of a person, as a tree of categories',
  trigger: route('GET', '/v1/{property_id}/profile_segments', {
    permission: 'people.read',
    shows: 'person',
    query: lookupQuery,
    answer: treeAnswer,
  }),
  access: {
    table: ['read', 'query'],
    propertyKey: ['decrypt'],
  },
  reservedConcurrency: 'readExecutions',
}));

export const listSegmentProfiles = /* @__PURE__ */ entry(() => ({
  ...linkFunction('api'),
  memoryMb: 1024,
  source: 'segments/list-segment-profiles',
  summary: 'List the profiles in a segment',
  trigger: route('GET', '/v2/properties/{property_id}/segments/{segment_id}/profiles', {
    permission: 'people.read',
    shows: 'people',
    query: segmentProfilesQuery,
    answer: segmentProfilesAnswer,
    codes: ['segment_preparing'],
  }),
}));

export const explainMembership = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'segments/explain-membership',
  summary: 'Explain why a profile is in a segment, or why it is not',
  trigger: route('GET', '/v1/{property_id}/segments/{segment_id}/profiles/{profile_uuid}', {
    permission: 'people.read',
    idWords: { segment_id: BY_NAME },
    query: explainQuery,
    shows: 'person',
    answer: membershipAnswer,
    codes: ['several_segments', 'segment_preparing'],
  }),
  access: {
    table: ['read', 'query'],
    propertyKey: ['decrypt'],
  },
}));
