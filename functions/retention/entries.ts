/** Retention entries: the routes of erasures, and the function that keeps the rules of properties. */
import { erasureBody, erasuresAnswer, erasuresQuery, shownErasure } from '../../shared/retention/schemas.ts';
import { apiFunction, entry, taskFunction, route } from '../entry.ts';

export const createErasure = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'retention/create-erasure',
  summary: 'Forget everybody who is in a segment, for good',
  trigger: route('POST', '/v1/{property_id}/erasures', {
    aliases: 'api',
    body: erasureBody,
    answer: shownErasure,
    statuses: [202],
    codes: ['count_changed'],
  }),
  access: {
    table: ['query', 'increment'],
    work: ['put'],
  },
}));

export const listErasures = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'retention/list-erasures',
  summary: 'List erasures of many people, with their receipts',
  trigger: route('GET', '/v1/{property_id}/erasures', {
    aliases: 'api',
    query: erasuresQuery,
    answer: erasuresAnswer,
  }),
  access: {
    table: ['read', 'query'],
    propertyKey: ['decrypt'],
  },
  settings: ['baseUrl'],
}));

export const getErasure = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'retention/get-erasure',
  summary: 'Get an erasure: its progress, and its receipt',
  trigger: route('GET', '/v1/{property_id}/erasures/{erasure_id}', {
    aliases: 'api',
    answer: shownErasure,
  }),
  access: { table: ['read'] },
}));

export const keepUp = /* @__PURE__ */ entry(() => ({
  ...taskFunction,
  stack: 'import',
  source: 'retention/keep-up',
  summary: 'Go on with erasures, and keep the rules of properties about people and files',
  // Erasures are asked for by people who wait, so a call comes often. It ends before the next one begins.
  timeoutSeconds: 120,
  trigger: { kind: 'schedule', expression: 'rate(2 minutes)' },
  access: {
    // A deletion that names the version it means needs the right to read it.
    table: ['read', 'query', 'insert', 'update', 'delete', 'increment'],
    auditLog: ['insert'],
    propertyKey: ['decrypt'],
    uploads: ['list', 'get', 'delete'],
    work: ['list', 'get', 'delete'],
    exports: ['list', 'get', 'delete'],
  },
  alarm: {
    severity: 'ticket',
    impact: 'Erasures do not end, and profiles and files stay longer than the rules say',
  },
}));
