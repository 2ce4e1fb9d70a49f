/** Profile entries: the routes of profiles, and the function that replays forgettings. */
import { recordRule } from '../../shared/profiles/normalize-record.ts';
import { recordSchema } from '../../shared/profiles/record-schema.ts';
import {
  accessAnswers,
  accessQuery,
  forgottenAnswer,
  forgetQuery,
  peopleAnswer,
  peopleQuery,
  profileAnswer,
  profileQuery,
  storedAnswer,
} from '../../shared/profiles/schemas.ts';
import { apiFunction, entry, taskFunction, route } from '../entry.ts';

export const createProfile = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'profiles/create-profile',
  summary: 'Create or update the profile of a person',
  trigger: route('POST', '/v1/{property_id}/profiles', {
    permission: 'people.write',
    body: recordSchema,
    bodyRules: [recordRule],
    answer: storedAnswer,
    statuses: [200, 201],
  }),
  access: {
    // Requests for people of one group index them together, from the journal.
    table: ['query', 'delete', 'increment'],
    enrichments: ['send'],
    propertyKey: ['decrypt'],
  },
  settings: ['deflateProfiles'],
}));

export const getProfile = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'profiles/get-profile',
  summary: 'Look up the profile of a person by an identity',
  trigger: route('GET', '/v1/{property_id}/profile', {
    permission: 'people.read',
    query: profileQuery,
    shows: 'person',
    answer: profileAnswer,
    codes: ['several_people'],
  }),
  access: {
    table: ['read', 'query'],
    propertyKey: ['decrypt'],
  },
  reservedConcurrency: 'readExecutions',
}));

export const accessRequest = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'profiles/access-request',
  summary: 'Get everything that the service knows about a person, as a file',
  trigger: route('GET', '/v1/{property_id}/profile/access-request', {
    permission: 'people.read',
    query: accessQuery,
    shows: 'person',
    answer: accessAnswers,
    headers: ['Content-Disposition'],
    statuses: [200, 303],
  }),
  access: {
    table: ['read', 'query'],
    propertyKey: ['decrypt'],
    work: ['list', 'put', 'get'],
    exports: ['get', 'list'],
  },
}));

export const findPeople = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'profiles/find-people',
  summary: 'Find people by name and town',
  trigger: route('GET', '/v1/{property_id}/profiles', {
    permission: 'people.read',
    query: peopleQuery,
    shows: 'people',
    answer: peopleAnswer,
    codes: ['names_off'],
  }),
  access: {
    table: ['read', 'query'],
    propertyKey: ['decrypt'],
  },
}));

export const forgetProfile = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'profiles/forget-profile',
  summary: 'Forget a person: delete the profile, its identities and its places in all segments',
  trigger: route('DELETE', '/v1/{property_id}/profile', {
    permission: 'people.erase',
    query: forgetQuery,
    answer: forgottenAnswer,
  }),
  access: {
    table: ['read', 'query', 'insert', 'update', 'delete'],
    exports: ['get', 'list'],
    propertyKey: ['decrypt'],
  },
  settings: ['deflateProfiles'],
}));

export const replayForgettings = /* @__PURE__ */ entry(() => ({
  ...taskFunction('data'),
  source: 'profiles/replay-forgettings',
  summary: 'Repeat forgettings after a restore of the table',
  timeoutSeconds: 300,
  trigger: { kind: 'invoke' },
  access: {
    // The end of an objection makes the segments of records that were stored without use.
    table: ['read', 'query', 'insert', 'update', 'delete', 'increment'],
    auditLog: ['query'],
    propertyKey: ['decrypt'],
  },
  settings: ['deflateProfiles'],
}));

export * from './objection-entries.ts';
