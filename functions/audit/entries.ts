import { auditLogAnswer, auditLogQuery } from '../../shared/audit/schemas.ts';
import { apiFunction, entry, route } from '../entry.ts';

export const listAuditLog = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'audit/list-audit-log',
  summary: 'List the audit log: who did what in a property, and when',
  trigger: route('GET', '/v2/properties/{property_id}/audit-log', {
    permission: 'account.read',
    query: auditLogQuery,
    answer: auditLogAnswer,
  }),
  access: {
    auditLog: ['query'],
    table: ['read'],
    propertyKey: ['decrypt'],
  },
  settings: ['baseUrl'],
}));
