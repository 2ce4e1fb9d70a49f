/** Objection entries: the routes of objections. */
import {
  endedObjectionAnswer,
  objectionAnswer,
  objectionBody,
  objectionsAnswer,
  objectionsQuery,
} from '../../shared/profiles/objection-schemas.ts';
import { apiFunction, linkFunction, entry, route } from '../entry.ts';

/** Both ends of an objection change the person, and tell the log for restores. */
const changing = {
  table: ['read', 'query', 'insert', 'update', 'delete'],
  auditLog: ['insert'],
  propertyKey: ['decrypt'],
} as const;

export const createObjection = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'profiles/create-objection',
  summary: 'Object to the storage or the use of the data of a person, now and later',
  trigger: route('POST', '/v1/{property_id}/objections', {
    permission: 'people.erase',
    body: objectionBody,
    answer: objectionAnswer,
    statuses: [200, 201],
  }),
  access: changing,
  settings: ['deflateProfiles'],
}));

export const listObjections = /* @__PURE__ */ entry(() => ({
  ...linkFunction('import'),
  source: 'profiles/list-objections',
  summary: 'List the objections of people, without their identities',
  trigger: route('GET', '/v1/{property_id}/objections', {
    permission: 'definitions.read',
    query: objectionsQuery,
    answer: objectionsAnswer,
  }),
}));

export const endObjection = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'profiles/end-objection',
  summary: 'End an objection: later records are stored and used again',
  trigger: route('DELETE', '/v1/{property_id}/objections/{objection}', {
    permission: 'people.erase',
    answer: endedObjectionAnswer,
  }),
  // Records that were stored without use have made no segments; the end makes them.
  access: { ...changing, table: [...changing.table, 'increment'] },
  settings: ['deflateProfiles'],
}));
