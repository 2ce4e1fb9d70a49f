/** Retention entries: the routes of erasures. */
import { erasureBody, erasuresAnswer, erasuresQuery, shownErasure } from '../../shared/retention/schemas.ts';
import { apiFunction, linkFunction, entry, route } from '../entry.ts';

export const createErasure = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'retention/create-erasure',
  summary: 'Forget everybody who is in a segment, for good',
  trigger: route('POST', '/v1/{property_id}/erasures', {
    permission: 'people.erase',
    body: erasureBody,
    answer: shownErasure,
    statuses: [202],
    codes: ['count_changed', 'index_behind', 'segment_preparing'],
  }),
  access: {
    table: ['query', 'increment'],
    work: ['put'],
    drains: ['send'],
  },
}));

export const listErasures = /* @__PURE__ */ entry(() => ({
  ...linkFunction('import'),
  source: 'retention/list-erasures',
  summary: 'List erasures of many people, with their receipts',
  trigger: route('GET', '/v1/{property_id}/erasures', {
    permission: 'definitions.read',
    query: erasuresQuery,
    answer: erasuresAnswer,
  }),
}));

export const getErasure = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'retention/get-erasure',
  summary: 'Get an erasure: its progress, and its receipt',
  trigger: route('GET', '/v1/{property_id}/erasures/{erasure_id}', {
    permission: 'definitions.read',
    answer: shownErasure,
  }),
  access: { table: ['read'] },
}));
