/** Definition entries: the routes of import definitions. */
import { namedListQuery } from '../../shared/http/list-schemas.ts';
import { inspectedMappingRule, mappingRule } from '../../shared/imports/definitions/definition-rules.ts';
import {
  deletedImportAnswer,
  importAnswer,
  importBody,
  importsAnswer,
  storedImportAnswer,
} from '../../shared/imports/model/definition-schemas.ts';
import { fileBody, inspectAnswer, inspectBody } from '../../shared/imports/inspect/inspect-schemas.ts';
import { tableActions as table } from '../../shared/table/access.ts';
import { apiFunction, entry } from '../entry.ts';

export const createImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/create-import',
  summary: 'Create an import definition: how files and records become profiles',
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/imports',
    aliases: 'bare',
    auth: 'token',
    body: importBody,
    bodyRules: [mappingRule],
    // Only an operator grants a tier.
    shownOnly: ['granted_tier', 'webhook_secret'],
    answer: storedImportAnswer,
    statuses: [201],
  },
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
  trigger: {
    kind: 'http',
    method: 'POST',
    path: '/v1/{property_id}/imports/inspect',
    aliases: 'bare',
    auth: 'token',
    body: inspectBody,
    bodyRules: [inspectedMappingRule],
    bodyForms: [fileBody],
    answer: inspectAnswer,
    statuses: [200],
    codes: ['no_file', 'file_gone'],
    shows: 'people',
  },
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
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports',
    aliases: 'bare',
    auth: 'token',
    query: namedListQuery,
    answer: importsAnswer,
    statuses: [200],
  },
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
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/v1/{property_id}/imports/{import_id}',
    aliases: 'bare',
    auth: 'token',
    answer: importAnswer,
    statuses: [200],
  },
  access: [{ to: 'table', actions: [...table.read] }],
}));

export const replaceImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  stack: 'import',
  source: 'imports/replace-import',
  summary: 'Replace an import definition; jobs that exist keep the old one',
  trigger: {
    kind: 'http',
    method: 'PUT',
    path: '/v1/{property_id}/imports/{import_id}',
    aliases: 'bare',
    auth: 'token',
    body: importBody,
    bodyRules: [mappingRule],
    // Only an operator grants a tier.
    shownOnly: ['granted_tier', 'webhook_secret'],
    answer: storedImportAnswer,
    statuses: [200],
  },
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
  trigger: {
    kind: 'http',
    method: 'DELETE',
    path: '/v1/{property_id}/imports/{import_id}',
    aliases: 'bare',
    auth: 'token',
    answer: deletedImportAnswer,
    statuses: [200],
    codes: ['in_use'],
  },
  access: [
    {
      to: 'table',
      actions: [...table.read, ...table.query, ...table.insert, ...table.update, ...table.delete],
    },
    { to: 'uploads', actions: ['s3:DeleteObject'] },
  ],
}));
