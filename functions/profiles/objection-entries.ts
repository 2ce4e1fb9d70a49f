/** Objection entries: the routes of objections. */
import {
  endedObjectionAnswer,
  objectionAnswer,
  objectionBody,
  objectionsAnswer,
  objectionsQuery,
} from '../../shared/profiles/objection-schemas.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { apiFunction, entry } from '../entry.ts';

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
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/objections',
    aliases: 'api',
    auth: 'token',
    body: objectionBody,
    answer: objectionAnswer,
    statuses: [200, 201],
  },
  access: [{ to: 'table', actions: [...tableActions] }, ...others],
}));

export const listObjections = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'profiles/list-objections',
  summary: 'List the objections of people, without their identities',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/objections',
    aliases: 'api',
    auth: 'token',
    query: objectionsQuery,
    answer: objectionsAnswer,
    statuses: [200],
  },
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
  trigger: {
    kind: 'http',
    method: 'DELETE',
    path: '/v1/{property_id}/objections/{objection}',
    aliases: 'api',
    auth: 'token',
    answer: endedObjectionAnswer,
    statuses: [200],
  },
  // Records that were stored without use have made no segments; the end makes them.
  access: [{ to: 'table', actions: [...tableActions, ...table.increment] }, ...others],
}));
