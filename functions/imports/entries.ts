/** Import entries: the routes of import jobs, batches and reports. */
import type { GenericSchema } from 'valibot';
import { csvBody } from '../../shared/http/csv-body.ts';
import { statusListQuery } from '../../shared/http/list-schemas.ts';
import { limits } from '../../shared/config/limits.ts';
import { batchAnswer, batchBody, retryBody } from '../../shared/imports/schemas/batch-schemas.ts';
import {
  allJobsAnswer,
  jobAnswer,
  jobBody,
  jobDetailAnswer,
  jobsAnswer,
} from '../../shared/imports/schemas/job-schemas.ts';
import {
  errorsAnswer,
  importDeliveriesAnswer,
  importDeliveryAnswer,
  reportQuery,
  warningsAnswer,
} from '../../shared/imports/schemas/report-schemas.ts';
import { jobStatuses } from '../../shared/imports/items/job-status.ts';
import { apiFunction, entry, route } from '../entry.ts';

/** The route of a report of a job. */
const reportRoute = (kind: 'errors' | 'warnings', answer: GenericSchema) =>
  route('GET', `/v1/{property_id}/imports/{import_id}/jobs/{job_id}/${kind}`, {
    permission: 'people.read',
    shows: 'people',
    query: reportQuery,
    answer,
    codes: ['rows_gone'],
    mediaTypes: ['application/json', 'text/csv'],
    headers: ['Link', 'Content-Disposition'],
    statuses: [200, 303],
  });

const reading = {
  table: ['read', 'query'],
  work: ['get', 'put', 'list', 'listParts'],
  propertyKey: ['decrypt'],
} as const;

export const createImportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/create-import-job',
  summary: 'Create an import job that takes batches of records',
  trigger: route('POST', '/v1/{property_id}/imports/{import_id}/jobs', {
    permission: 'people.write',
    internal: true,
    body: jobBody,
    answer: jobAnswer,
    statuses: [201],
  }),
  access: { table: ['increment'] },
}));

export const listImportJobs = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/list-import-jobs',
  summary: 'List the jobs of an import definition, by default the newest first',
  trigger: route('GET', '/v1/{property_id}/imports/{import_id}/jobs', {
    permission: 'definitions.read',
    query: statusListQuery(jobStatuses),
    answer: jobsAnswer,
  }),
  access: {
    table: ['read', 'query', 'update'],
    propertyKey: ['decrypt'],
  },
  settings: ['baseUrl'],
}));

export const listAllImportJobs = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/list-all-import-jobs',
  summary: 'List the jobs of all import definitions, by default the newest first',
  trigger: route('GET', '/v1/{property_id}/import-jobs', {
    permission: 'definitions.read',
    query: statusListQuery(jobStatuses),
    answer: allJobsAnswer,
  }),
  access: {
    table: ['read', 'query', 'update'],
    propertyKey: ['decrypt'],
  },
  settings: ['baseUrl'],
}));

export const getImportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/get-import-job',
  summary: 'Show an import job: its progress, its counts, and why rows were refused',
  trigger: route('GET', '/v1/{property_id}/imports/{import_id}/jobs/{job_id}', {
    permission: 'definitions.read',
    answer: jobDetailAnswer,
  }),
  access: {
    table: ['read', 'query', 'update'],
    work: ['get', 'list'],
  },
}));

export const cancelImportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/cancel-import-job',
  summary: 'Cancel an import job; rows that are stored stay stored',
  trigger: route('POST', '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/cancel', {
    permission: 'people.write',
    answer: jobAnswer,
    codes: ['job_ended'],
  }),
  access: { table: ['query'] },
}));

export const undoImportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/undo-import-job',
  summary: 'Undo an import job: remove its values from all profiles',
  trigger: route('POST', '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/undo', {
    permission: 'people.erase',
    answer: jobAnswer,
    statuses: [202],
    codes: ['job_running', 'dry_run', 'too_old'],
  }),
  access: {
    table: ['query'],
    undoJob: ['start'],
  },
}));

export const retryImportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  memoryMb: 1024,
  source: 'imports/retry-import-job',
  summary: 'Send corrected rows of an import job that were refused',
  trigger: route('POST', '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/retry', {
    permission: 'people.write',
    body: retryBody,
    bodyForms: [csvBody],
    idempotencyHours: limits.imports.batchIdempotencyDays * 24,
    answer: batchAnswer,
    statuses: [202],
    codes: ['job_closed', 'job_undone', 'still_reading', 'rows_gone'],
  }),
  access: {
    table: ['query'],
    work: ['get', 'put', 'list'],
    importBatches: ['send'],
    propertyKey: ['decrypt'],
  },
}));

export const listImportErrors = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  memoryMb: 1024,
  source: 'imports/list-import-errors',
  summary: 'List the refused rows of an import job with the reasons, as JSON or CSV',
  trigger: reportRoute('errors', errorsAnswer),
  access: reading,
  settings: ['baseUrl'],
}));

export const listImportWarnings = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  memoryMb: 1024,
  source: 'imports/list-import-warnings',
  summary: 'List the rows of an import job that were stored with a warning, as JSON or CSV',
  trigger: reportRoute('warnings', warningsAnswer),
  access: reading,
  settings: ['baseUrl'],
}));

export const listImportDeliveries = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/list-import-deliveries',
  summary: 'List the notices about the end of an import job, with their newest attempts',
  trigger: route('GET', '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/deliveries', {
    permission: 'definitions.read',
    answer: importDeliveriesAnswer,
  }),
  access: { table: ['read'] },
}));

export const replayAnnouncement = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/replay-announcement',
  summary: 'Send a notice about the end of an import job once more',
  trigger: route('POST', '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/deliveries/{delivery}/replay', {
    permission: 'people.write',
    answer: importDeliveryAnswer,
    statuses: [202],
    codes: ['delivery_in_progress', 'job_not_ended'],
  }),
  access: {
    table: ['query'],
    importFile: ['start'],
  },
}));

export const importData = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  memoryMb: 1024,
  source: 'imports/import-data',
  summary: 'Send a batch of records to an import job',
  trigger: route('POST', '/v1/{property_id}/import-data', {
    permission: 'people.write',
    internal: true,
    body: batchBody,
    judgedApart: 'records',
    idempotencyHours: limits.imports.batchIdempotencyDays * 24,
    answer: batchAnswer,
    statuses: [202],
    codes: ['file_job', 'job_closed', 'job_undone', 'dry_run_full'],
  }),
  access: {
    table: ['query', 'increment'],
    work: ['put'],
    importBatches: ['send'],
    propertyKey: ['decrypt'],
  },
}));

export * from './definition-entries.ts';
export * from './task-entries.ts';
export * from './upload-entries.ts';
