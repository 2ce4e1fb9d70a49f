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
import { apiFunction, linkFunction, entry, route } from '../entry.ts';

export const createImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/create-import',
  summary: 'Create an import definition: how files and records become profiles',
  trigger: route('POST', '/v1/{property_id}/imports', {
    permission: 'definitions.write',
    body: importBody,
    bodyRules: [mappingRule],
    // Only an operator grants a tier.
    shownOnly: ['granted_tier', 'webhook_secret'],
    answer: storedImportAnswer,
    statuses: [201],
  }),
  access: {
    table: ['increment'],
    uploads: ['put'],
    propertyKey: ['encrypt', 'decrypt'],
  },
  settings: ['baseUrl', 'privateTargets', 'senderEmail'],
}));

export const inspectImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  memoryMb: 1024,
  source: 'imports/inspect-import',
  summary:
    'Read the first bytes of a file, suggest an import definition and try it on the first rows; store nothing',
  trigger: route('POST', '/v1/{property_id}/imports/inspect', {
    permission: 'people.write',
    body: inspectBody,
    bodyRules: [inspectedMappingRule],
    bodyForms: [fileBody],
    answer: inspectAnswer,
    codes: ['no_file', 'file_gone'],
    shows: 'people',
  }),
  access: {
    // An Idempotency-Key is kept, without the answer.
    // S3 says that a file is gone only to callers that may list the bucket.
    uploads: ['get', 'list'],
  },
}));

export const listImports = /* @__PURE__ */ entry(() => ({
  ...linkFunction('import'),
  source: 'imports/list-imports',
  summary: 'List the import definitions',
  trigger: route('GET', '/v1/{property_id}/imports', {
    permission: 'definitions.read',
    query: namedListQuery,
    answer: importsAnswer,
  }),
}));

export const getImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/get-import',
  summary: 'Show an import definition',
  trigger: route('GET', '/v1/{property_id}/imports/{import_id}', {
    permission: 'definitions.read',
    answer: importAnswer,
  }),
  access: { table: ['read'] },
}));

export const replaceImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/replace-import',
  summary: 'Replace an import definition; jobs that exist keep the old one',
  trigger: route('PUT', '/v1/{property_id}/imports/{import_id}', {
    permission: 'definitions.write',
    body: importBody,
    bodyRules: [mappingRule],
    // Only an operator grants a tier.
    shownOnly: ['granted_tier', 'webhook_secret'],
    answer: storedImportAnswer,
  }),
  access: {
    table: ['read', 'insert', 'update'],
    propertyKey: ['encrypt'],
  },
  settings: ['baseUrl', 'privateTargets', 'senderEmail'],
}));

export const deleteImport = /* @__PURE__ */ entry(() => ({
  ...apiFunction('import'),
  source: 'imports/delete-import',
  summary: 'Delete an import definition and its SFTP directory; all of its jobs must have ended',
  trigger: route('DELETE', '/v1/{property_id}/imports/{import_id}', {
    permission: 'definitions.write',
    answer: deletedImportAnswer,
    codes: ['in_use'],
  }),
  access: {
    table: ['read', 'query', 'insert', 'update', 'delete'],
    uploads: ['delete'],
  },
}));
