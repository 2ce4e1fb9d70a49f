/** Address entries: the routes of the addresses that get notices, and of the links that confirm them. */
import { addressesAnswer, addressQuery, withdrawnAnswer } from '../../shared/deliveries/address-schemas.ts';
import { listQuery } from '../../shared/http/list-schemas.ts';
import { apiFunction, linkFunction, entry, route } from '../entry.ts';

export const listNotificationEmails = /* @__PURE__ */ entry(() => ({
  ...linkFunction('export'),
  source: 'exports/list-notification-emails',
  summary: 'List the addresses that imports and exports name, and which of them get mail',
  trigger: route('GET', '/v1/{property_id}/notification-emails', {
    permission: 'definitions.read',
    query: listQuery,
    answer: addressesAnswer,
  }),
}));

export const withdrawNotificationEmail = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/withdraw-notification-email',
  summary: 'Withdraw the confirmation of an address: it gets no mail until a user names it anew',
  trigger: route('DELETE', '/v1/{property_id}/notification-emails', {
    permission: 'exports.write',
    query: addressQuery,
    answer: withdrawnAnswer,
  }),
  access: { table: ['read', 'insert', 'update'] },
}));

export const showConfirmation = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/show-confirmation',
  summary: 'Show the page of a link that confirms an e-mail address, or stops its mails',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/confirmations/{capability}',
    auth: 'none',
    statuses: [200],
    codes: ['link_closed'],
    mediaTypes: ['text/html'],
    problemPages: true,
  },
  access: {
    table: ['read'],
    credentials: ['read'],
    propertyKey: ['decrypt'],
  },
}));

export const confirmAddress = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/confirm-address',
  summary: 'Confirm the e-mail address that received a link, or unsubscribe it',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/confirmations/{capability}',
    auth: 'none',
    statuses: [200],
    codes: ['link_closed'],
    mediaTypes: ['text/html'],
    problemPages: true,
  },
  access: {
    table: ['read', 'insert', 'update', 'delete'],
    credentials: ['read'],
    propertyKey: ['decrypt'],
    auditLog: ['insert'],
  },
}));
