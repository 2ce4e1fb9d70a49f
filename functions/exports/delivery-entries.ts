/** Delivery entries: the functions that deliver exports, and the routes around deliveries and host keys. */
import {
  deliveriesAnswer,
  deliveryAnswer,
  exportTestAnswer,
  hostKeyAnswer,
  loggedDeliveryAnswer,
} from '../../shared/exports/model/answers.ts';
import { hostKeyBody } from '../../shared/exports/model/schemas.ts';
import { apiFunction, entry, taskFunction, route } from '../entry.ts';

export const listDeliveries = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/list-deliveries',
  summary: 'List the deliveries of an export job with their states',
  trigger: route('GET', '/v1/{property_id}/exports/{export_id}/jobs/{job_id}/deliveries', {
    permission: 'definitions.read',
    answer: deliveriesAnswer,
  }),
  access: { table: ['read'] },
}));

export const getDelivery = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/get-delivery',
  summary: 'Show a delivery of an export job with its newest attempts',
  trigger: route('GET', '/v1/{property_id}/exports/{export_id}/jobs/{job_id}/deliveries/{delivery}', {
    permission: 'definitions.read',
    answer: loggedDeliveryAnswer,
  }),
  access: { table: ['read'] },
}));

export const replayDelivery = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/replay-delivery',
  summary: 'Deliver the file or the notice of an export job once more, at once',
  trigger: route('POST', '/v1/{property_id}/exports/{export_id}/jobs/{job_id}/deliveries/{delivery}/replay', {
    permission: 'exports.write',
    answer: deliveryAnswer,
    statuses: [202],
    codes: ['delivery_in_progress', 'superseded', 'members_forgotten', 'job_not_ended'],
  }),
  access: {
    table: ['query'],
    exports: ['get', 'list'],
    deliverExport: ['start'],
  },
}));

export const testExport = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/test-export',
  summary:
    'Test the SFTP server, the bucket, the receiver of changes, the webhook and the e-mail address of an export, without a run',
  trigger: route('POST', '/v1/{property_id}/exports/{export_id}/test', {
    permission: 'exports.write',
    answer: exportTestAnswer,
    codes: ['too_many_tests'],
  }),
  access: {
    table: ['increment'],
    propertyKey: ['decrypt'],
    destinationRoles: ['assume'],
  },
  settings: ['privateTargets', 'accountArn'],
}));

export const getHostKey = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/get-host-key',
  summary: 'Show the host key that the SFTP server of an export must have',
  trigger: route('GET', '/v1/{property_id}/exports/{export_id}/host-key', {
    permission: 'definitions.read',
    answer: hostKeyAnswer,
  }),
  access: { table: ['read'] },
}));

export const replaceHostKey = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/replace-host-key',
  summary: 'Replace the host key that the SFTP server of an export must have',
  trigger: route('PUT', '/v1/{property_id}/exports/{export_id}/host-key', {
    permission: 'exports.write',
    body: hostKeyBody,
    shownOnly: ['domain', 'type', 'pinned', 'pinned_by'],
    answer: hostKeyAnswer,
  }),
  access: { table: ['read', 'insert', 'update'] },
}));

export const startDeliveries = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  source: 'exports/start-deliveries',
  summary: 'Start delivering an export job that has ended',
  timeoutSeconds: 60,
  trigger: { kind: 'workflow', workflow: 'runExport' },
  access: {
    table: ['read'],
    deliverExport: ['start'],
  },
  alarm: { severity: 'ticket', impact: 'Finished exports are neither pushed nor announced' },
}));

export const deliverFile = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  source: 'exports/deliver-file',
  summary: 'Push the file of an export to its SFTP server',
  trigger: { kind: 'workflow', workflow: 'deliverExport' },
  access: {
    table: ['read', 'query', 'insert', 'update'],
    exports: ['get', 'list'],
    propertyKey: ['decrypt'],
  },
  settings: ['privateTargets'],
  alarm: { severity: 'ticket', impact: 'Exports do not reach SFTP servers' },
}));

export const deliverObject = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  source: 'exports/deliver-object',
  summary: 'Put the file of an export into the bucket of its client',
  trigger: { kind: 'workflow', workflow: 'deliverExport' },
  access: {
    table: ['read', 'query', 'insert', 'update', 'delete'],
    exports: ['get', 'list'],
    destinationRoles: ['assume'],
  },
  settings: ['accountArn'],
  alarm: { severity: 'ticket', impact: 'Exports do not reach the buckets of clients' },
}));

export const deliverChanges = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  source: 'exports/deliver-changes',
  summary: 'Tell the receiver of the changes of an export who came and who left',
  trigger: { kind: 'workflow', workflow: 'deliverExport' },
  access: {
    table: ['read', 'query', 'update'],
    exports: ['get', 'list'],
    propertyKey: ['decrypt'],
  },
  settings: ['privateTargets'],
  alarm: { severity: 'ticket', impact: 'Receivers of changes are not told who came and who left' },
}));

export const deliverWebhook = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  source: 'exports/deliver-webhook',
  summary: 'Call the webhook of an export when its job has ended',
  timeoutSeconds: 60,
  trigger: { kind: 'workflow', workflow: 'deliverExport' },
  access: {
    table: ['read', 'query', 'update'],
    exports: ['get', 'list'],
    propertyKey: ['decrypt'],
  },
  settings: ['baseUrl', 'privateTargets'],
  alarm: { severity: 'ticket', impact: 'Webhooks of finished exports are late or missing' },
}));

export const deliverEmail = /* @__PURE__ */ entry(() => ({
  ...taskFunction('export'),
  source: 'exports/deliver-email',
  summary: 'Send an e-mail when an export job has ended',
  timeoutSeconds: 60,
  trigger: { kind: 'workflow', workflow: 'deliverExport' },
  access: {
    table: ['read', 'query', 'insert', 'update', 'increment'],
    exports: ['get', 'list'],
    propertyKey: ['decrypt'],
    credentials: ['read'],
    sender: ['send'],
  },
  settings: ['baseUrl', 'console'],
  alarm: { severity: 'ticket', impact: 'E-mails of finished exports are late or missing' },
}));
