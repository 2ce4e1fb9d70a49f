/** Objection entries: the routes of objections. */
import {
  endedObjectionAnswer,
  objectionAnswer,
  objectionBody,
  objectionsAnswer,
  objectionsQuery,
} from '../../shared/profiles/objection-schemas.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { apiFunction, entry, route } from '../entry.ts';

const tableActions = [
  ...table.read,
  ...table.query,
  ...table.insert,
  ...table.update,
  ...table.delete,
] as const;

const others = [
  { to: 'auditLog', actions: [...table.insert] },
  { to: 'propertyKey', actions: ['kms:Decrypt'] },
] as const;

export const createObjection = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'profiles/create-objection',
  summary: 'Object to the storage or the use of the data of a person, now and later',
  trigger: route('POST', '/v1/{property_id}/objections', {
    aliases: 'api',
    body: objectionBody,
    answer: objectionAnswer,
    statuses: [200, 201],
  }),
  access: [{ to: 'table', actions: [...tableActions] }, ...others],
}));

export const listObjections = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'profiles/list-objections',
  summary: 'List the objections of people, without their identities',
  trigger: route('GET', '/v1/{property_id}/objections', {
    aliases: 'api',
    query: objectionsQuery,
    answer: objectionsAnswer,
  }),
  access: [
    { to: 'table', actions: [...table.read, ...table.query] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  settings: ['baseUrl'],
}));

export const endObjection = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'profiles/end-objection',
  summary: 'End an objection: later records are stored and used again',
  trigger: route('DELETE', '/v1/{property_id}/objections/{objection}', {
    aliases: 'api',
    answer: endedObjectionAnswer,
  }),
  // Records that were stored without use have made no segments; the end makes them.
  access: [{ to: 'table', actions: [...tableActions, ...table.increment] }, ...others],
}));
