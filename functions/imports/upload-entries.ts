/** Upload entries: the routes of uploads. */
import { jobAnswer } from '../../shared/imports/schemas/job-schemas.ts';
import { uploadAnswer, uploadBody } from '../../shared/imports/schemas/upload-schemas.ts';
import { apiFunction, entry, route } from '../entry.ts';

export const createUpload = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/create-upload',
  summary:
    'Begin the upload of a file: create its import job, and get an address for the file or for each part of it',
  trigger: route('POST', '/v1/{property_id}/imports/{import_id}/uploads', {
    permission: 'people.write',
    body: uploadBody,
    answer: uploadAnswer,
    statuses: [201],
  }),
  access: {
    table: ['increment'],
    uploads: ['put'],
  },
}));

export const getUpload = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/get-upload',
  summary: 'Get new addresses for an upload that is not complete',
  trigger: route('GET', '/v1/{property_id}/imports/{import_id}/uploads/{job_id}', {
    permission: 'people.write',
    answer: uploadAnswer,
    codes: ['job_closed', 'uploaded', 'upload_gone'],
  }),
  access: {
    table: ['read'],
    uploads: ['put', 'listParts'],
  },
}));

export const completeUpload = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/complete-upload',
  summary: 'Complete an upload in parts, which starts its import job',
  trigger: route('POST', '/v1/{property_id}/imports/{import_id}/uploads/{job_id}/complete', {
    permission: 'people.write',
    answer: jobAnswer,
    codes: ['job_closed', 'uploaded', 'upload_gone', 'no_parts', 'parts_missing'],
  }),
  access: { uploads: ['put', 'listParts'] },
}));
