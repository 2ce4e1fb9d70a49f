/** Import entries: the routes of import jobs, batches and reports. */
import { csvBody } from '../../shared/http/csv-body.ts';
import { statusListQuery } from '../../shared/http/list-schemas.ts';
import { limits } from '../../shared/config/limits.ts';
import { batchAnswer, batchBody, retryBody } from '../../shared/imports/model/batch-schemas.ts';
import { jobAnswer, jobBody, jobDetailAnswer, jobsAnswer } from '../../shared/imports/model/job-schemas.ts';
import {
  errorsAnswer,
  importDeliveriesAnswer,
  importDeliveryAnswer,
  reportQuery,
  warningsAnswer,
} from '../../shared/imports/model/report-schemas.ts';
import { jobStatuses } from '../../shared/imports/model/job-status.ts';
import { queueActions } from '../../shared/runtime/queue-access.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { apiFunction, entry } from '../entry.ts';

const reportAccess = [
  { to: 'table', actions: [...table.read, ...table.query] },
  { to: 'work', actions: ['s3:GetObject', 's3:PutObject', 's3:ListBucket', 's3:ListMultipartUploadParts'] },
  { to: 'propertyKey', actions: ['kms:Decrypt'] },
] as const;

export const createImportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/create-import-job',
  summary: 'Create an import job that takes batches of records',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/imports/{import_id}/jobs',
    aliases: 'bare',
    auth: 'token',
    internal: true,
    body: jobBody,
    answer: jobAnswer,
    statuses: [201],
  },
  access: [{ to: 'table', actions: [...table.read, ...table.insert, ...table.update, ...table.increment] }],
}));

export const listImportJobs = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/list-import-jobs',
  summary: 'List the jobs of an import definition, by default the newest first',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports/{import_id}/jobs',
    aliases: 'bare',
    auth: 'token',
    query: statusListQuery(jobStatuses),
    answer: jobsAnswer,
    statuses: [200],
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.update] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  settings: ['baseUrl'],
}));

export const getImportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/get-import-job',
  summary: 'Show an import job: its progress, its counts, and why rows were refused',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports/{import_id}/jobs/{job_id}',
    aliases: 'bare',
    auth: 'token',
    answer: jobDetailAnswer,
    statuses: [200],
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.update] },
    { to: 'work', actions: ['s3:GetObject', 's3:ListBucket'] },
  ],
}));

export const cancelImportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/cancel-import-job',
  summary: 'Cancel an import job; rows that are stored stay stored',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/cancel',
    aliases: 'bare',
    auth: 'token',
    answer: jobAnswer,
    statuses: [200],
    codes: ['job_ended'],
  },
  access: [{ to: 'table', actions: [...table.read, ...table.query, ...table.insert, ...table.update] }],
}));

export const undoImportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/undo-import-job',
  summary: 'Undo an import job: remove its values from all profiles',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/undo',
    aliases: 'bare',
    auth: 'token',
    answer: jobAnswer,
    statuses: [202],
    codes: ['job_running', 'dry_run', 'too_old'],
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.put] },
    { to: 'undoJob', actions: ['states:StartExecution'] },
  ],
}));

export const retryImportJob = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  memoryMb: 1024,
  source: 'imports/retry-import-job',
  summary: 'Send corrected rows of an import job that were refused',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/retry',
    aliases: 'bare',
    auth: 'token',
    body: retryBody,
    bodyForms: [csvBody],
    idempotencyHours: limits.imports.batchIdempotencyDays * 24,
    answer: batchAnswer,
    statuses: [202],
    codes: ['job_closed', 'job_undone', 'still_reading', 'rows_gone'],
  },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.put],
    },
    { to: 'work', actions: ['s3:GetObject', 's3:PutObject', 's3:ListBucket'] },
    { to: 'importBatches', actions: [...queueActions.send] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
}));

export const listImportErrors = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  memoryMb: 1024,
  source: 'imports/list-import-errors',
  summary: 'List the refused rows of an import job with the reasons, as JSON or CSV',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/errors',
    aliases: 'bare',
    auth: 'token',
    shows: 'people',
    query: reportQuery,
    answer: errorsAnswer,
    codes: ['rows_gone'],
    mediaTypes: ['application/json', 'text/csv'],
    headers: ['Link', 'Content-Disposition'],
    statuses: [200, 303],
  },
  access: reportAccess,
  settings: ['baseUrl'],
}));

export const listImportWarnings = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  memoryMb: 1024,
  source: 'imports/list-import-warnings',
  summary: 'List the rows of an import job that were stored with a warning, as JSON or CSV',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/warnings',
    aliases: 'bare',
    auth: 'token',
    shows: 'people',
    query: reportQuery,
    answer: warningsAnswer,
    codes: ['rows_gone'],
    mediaTypes: ['application/json', 'text/csv'],
    headers: ['Link', 'Content-Disposition'],
    statuses: [200, 303],
  },
  access: reportAccess,
  settings: ['baseUrl'],
}));

export const listImportDeliveries = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/list-import-deliveries',
  summary: 'List the notices about the end of an import job, with their newest attempts',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/deliveries',
    aliases: 'bare',
    auth: 'token',
    answer: importDeliveriesAnswer,
    statuses: [200],
  },
  access: [{ to: 'table', actions: [...table.read] }],
}));

export const replayAnnouncement = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/replay-announcement',
  summary: 'Send a notice about the end of an import job once more',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/imports/{import_id}/jobs/{job_id}/deliveries/{delivery}/replay',
    aliases: 'bare',
    auth: 'token',
    answer: importDeliveryAnswer,
    statuses: [202],
    codes: ['delivery_in_progress', 'job_not_ended'],
  },
  access: [
    { to: 'table', actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.put] },
    { to: 'importFile', actions: ['states:StartExecution'] },
  ],
}));

export const importData = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  memoryMb: 1024,
  source: 'imports/import-data',
  summary: 'Send a batch of records to an import job',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/import-data',
    aliases: 'bare',
    auth: 'token',
    internal: true,
    body: batchBody,
    judgedApart: 'records',
    idempotencyHours: limits.imports.batchIdempotencyDays * 24,
    answer: batchAnswer,
    statuses: [202],
    codes: ['file_job', 'job_closed', 'job_undone', 'dry_run_full'],
  },
  access: [
    {
      to: 'table',
      actions: [
        ...table.read,
        ...table.query,
        ...table.insert,
        ...table.update,
        ...table.increment,
        ...table.put,
      ],
    },
    { to: 'work', actions: ['s3:PutObject'] },
    { to: 'importBatches', actions: [...queueActions.send] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
}));

export * from './definition-entries.ts';
export * from './task-entries.ts';
export * from './upload-entries.ts';
