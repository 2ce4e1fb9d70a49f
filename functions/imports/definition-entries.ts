/** Definition entries: the routes of import definitions. */
import { namedListQuery } from '../../shared/http/list-schemas.ts';
import { inspectedMappingRule, mappingRule } from '../../shared/imports/definitions/definition-rules.ts';
import {
  deletedImportAnswer,
  importAnswer,
  importBody,
  importsAnswer,
  storedImportAnswer,
} from '../../shared/imports/schemas/definition-schemas.ts';
import { fileBody, inspectAnswer, inspectBody } from '../../shared/imports/inspect/inspect-schemas.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { apiFunction, entry, route } from '../entry.ts';

export const createImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/create-import',
  summary: 'Create an import definition: how files and records become profiles',
  trigger: route('POST', '/v1/{property_id}/imports', {
    aliases: 'bare',
    body: importBody,
    bodyRules: [mappingRule],
    // Only an operator grants a tier.
    shownOnly: ['granted_tier', 'webhook_secret'],
    answer: storedImportAnswer,
    statuses: [201],
  }),
  access: [
    { to: 'table', actions: [...table.read, ...table.insert, ...table.update, ...table.increment] },
    { to: 'uploads', actions: ['s3:PutObject'] },
    { to: 'propertyKey', actions: ['kms:Encrypt', 'kms:Decrypt'] },
  ],
  settings: ['baseUrl', 'privateTargets', 'senderEmail'],
}));

export const inspectImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  memoryMb: 1024,
  source: 'imports/inspect-import',
  summary:
    'Read the first bytes of a file, suggest an import definition and try it on the first rows; store nothing',
  trigger: route('POST', '/v1/{property_id}/imports/inspect', {
    aliases: 'bare',
    body: inspectBody,
    bodyRules: [inspectedMappingRule],
    bodyForms: [fileBody],
    answer: inspectAnswer,
    codes: ['no_file', 'file_gone'],
    shows: 'people',
  }),
  access: [
    // An Idempotency-Key is kept, without the answer.
    { to: 'table', actions: [...table.read, ...table.insert, ...table.update] },
    // S3 says that a file is gone only to callers that may list the bucket.
    { to: 'uploads', actions: ['s3:GetObject', 's3:ListBucket'] },
  ],
}));

export const listImports = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/list-imports',
  summary: 'List the import definitions',
  trigger: route('GET', '/v1/{property_id}/imports', {
    aliases: 'bare',
    query: namedListQuery,
    answer: importsAnswer,
  }),
  access: [
    { to: 'table', actions: [...table.read, ...table.query] },
    { to: 'propertyKey', actions: ['kms:Decrypt'] },
  ],
  settings: ['baseUrl'],
}));

export const getImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/get-import',
  summary: 'Show an import definition',
  trigger: route('GET', '/v1/{property_id}/imports/{import_id}', {
    aliases: 'bare',
    answer: importAnswer,
  }),
  access: [{ to: 'table', actions: [...table.read] }],
}));

export const replaceImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/replace-import',
  summary: 'Replace an import definition; jobs that exist keep the old one',
  trigger: route('PUT', '/v1/{property_id}/imports/{import_id}', {
    aliases: 'bare',
    body: importBody,
    bodyRules: [mappingRule],
    // Only an operator grants a tier.
    shownOnly: ['granted_tier', 'webhook_secret'],
    answer: storedImportAnswer,
  }),
  access: [
    { to: 'table', actions: [...table.read, ...table.insert, ...table.update] },
    { to: 'propertyKey', actions: ['kms:Encrypt'] },
  ],
  settings: ['baseUrl', 'privateTargets', 'senderEmail'],
}));

export const deleteImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/delete-import',
  summary: 'Delete an import definition and its SFTP directory; all of its jobs must have ended',
  trigger: route('DELETE', '/v1/{property_id}/imports/{import_id}', {
    aliases: 'bare',
    answer: deletedImportAnswer,
    codes: ['in_use'],
  }),
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.delete],
    },
    { to: 'uploads', actions: ['s3:DeleteObject'] },
  ],
}));
