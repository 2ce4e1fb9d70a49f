/** Export entries: all functions of exports; here the routes of definitions, jobs and downloads. */
import { exportRule } from '../../shared/exports/definitions/check-definition.ts';
import {
  createdExportAnswer,
  deletedExportAnswer,
  exportAnswer,
  exportsAnswer,
  jobAnswer,
  jobsAnswer,
  replacedExportAnswer,
} from '../../shared/exports/model/answers.ts';
import { exportBody, newExportBody } from '../../shared/exports/model/schemas.ts';
import { exportStatuses, jobStatuses } from '../../shared/exports/model/items.ts';
import { statusListQuery } from '../../shared/http/list-schemas.ts';
import { apiFunction, linkFunction, entry, route } from '../entry.ts';

export const createExport = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/create-export',
  summary: 'Create an export; without a schedule, start its first job',
  trigger: route('POST', '/v1/{property_id}/exports', {
    permission: 'exports.write',
    body: newExportBody,
    bodyRules: [exportRule],
    shownOnly: ['next_run'],
    answer: createdExportAnswer,
    statuses: [202],
    codes: ['segment_preparing'],
  }),
  access: {
    table: ['query', 'increment'],
    propertyKey: ['encrypt', 'decrypt'],
    runExport: ['start'],
  },
  settings: ['baseUrl', 'privateTargets', 'senderEmail', 'accountArn'],
}));

export const replaceExport = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/replace-export',
  summary: 'Replace an export definition; a running job continues with the definition that it began with',
  trigger: route('PUT', '/v1/{property_id}/exports/{export_id}', {
    permission: 'exports.write',
    body: exportBody,
    bodyRules: [exportRule],
    shownOnly: ['next_run'],
    answer: replacedExportAnswer,
    codes: ['segment_preparing'],
  }),
  access: {
    table: ['read', 'query', 'insert', 'update'],
    propertyKey: ['encrypt', 'decrypt'],
  },
  settings: ['baseUrl', 'privateTargets', 'senderEmail', 'accountArn'],
}));

export const deleteExport = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/delete-export',
  summary: 'Delete an export definition with its schedule and locations, and cancel its open jobs',
  trigger: route('DELETE', '/v1/{property_id}/exports/{export_id}', {
    permission: 'exports.write',
    answer: deletedExportAnswer,
  }),
  access: {
    table: ['read', 'query', 'insert', 'update', 'delete'],
  },
}));

export const createExportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/create-export-job',
  summary: 'Run an export again; while a job runs, the new job waits',
  trigger: route('POST', '/v1/{property_id}/exports/{export_id}/jobs', {
    permission: 'exports.write',
    answer: jobAnswer,
    statuses: [202],
    codes: ['targets_gone'],
  }),
  access: {
    table: ['increment'],
    runExport: ['start'],
  },
}));

export const cancelExportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/cancel-export-job',
  summary: 'Cancel an export job that has not ended',
  trigger: route('POST', '/v1/{property_id}/exports/{export_id}/jobs/{job_id}/cancel', {
    permission: 'exports.write',
    answer: jobAnswer,
    codes: ['job_ended'],
  }),
  access: {},
}));

export const withdrawLocation = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/withdraw-location',
  summary: 'Withdraw the location of an export job: from now on, no address opens the file',
  trigger: route('DELETE', '/v1/{property_id}/exports/{export_id}/jobs/{job_id}/location', {
    permission: 'exports.write',
    answer: jobAnswer,
    codes: ['no_location'],
  }),
  access: { table: ['read', 'update'] },
}));

export const listExports = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/list-exports',
  summary: 'List the export definitions',
  trigger: route('GET', '/v1/{property_id}/exports', {
    permission: 'definitions.read',
    query: statusListQuery(exportStatuses),
    answer: exportsAnswer,
  }),
  access: {
    table: ['read', 'query'],
    propertyKey: ['decrypt'],
  },
  settings: ['baseUrl', 'accountArn'],
}));

export const getExport = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/get-export',
  summary: 'Show an export definition with the status and the file of its newest job',
  trigger: route('GET', '/v1/{property_id}/exports/{export_id}', {
    permission: 'definitions.read',
    answer: exportAnswer,
  }),
  access: {
    table: ['read'],
    propertyKey: ['decrypt'],
  },
  settings: ['baseUrl', 'accountArn'],
}));

export const listExportJobs = /* @__PURE__ */ entry(() => ({
  ...linkFunction('export'),
  source: 'exports/list-export-jobs',
  summary: 'List the jobs of an export, newest first',
  trigger: route('GET', '/v1/{property_id}/exports/{export_id}/jobs', {
    permission: 'definitions.read',
    query: statusListQuery(jobStatuses),
    answer: jobsAnswer,
  }),
}));

export const getExportJob = /* @__PURE__ */ entry(() => ({
  ...linkFunction('export'),
  source: 'exports/get-export-job',
  summary: 'Show an export job: its status, its size and its location',
  trigger: route('GET', '/v1/{property_id}/exports/{export_id}/jobs/{job_id}', {
    permission: 'definitions.read',
    answer: jobAnswer,
  }),
}));

export const download = /* @__PURE__ */ entry(() => ({
  ...apiFunction('export'),
  source: 'exports/download',
  summary: 'Open the location of an export file',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/downloads/{capability}/{file_name}',
    auth: 'none',
    statuses: [303],
    codes: ['location_closed', 'members_forgotten', 'rate_limited'],
  },
  access: {
    table: ['read', 'query'],
    rates: ['increment'],
    exports: ['get', 'list'],
    auditLog: ['insert'],
  },
}));

export * from './address-entries.ts';
export * from './task-entries.ts';
export * from './delivery-entries.ts';
