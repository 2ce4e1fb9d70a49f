import * as v from 'valibot';
import { described } from '../../shared/http/described.ts';
import { apiFunction, entry } from '../entry.ts';
import { consoleFiles } from './console-page/files.ts';
import { files } from './try-page/files.ts';

const healthAnswer = v.object({
  status: described('The service and its tables answer.', v.literal('ok')),
});

const documentAnswer = v.looseObject({
  openapi: described('The version of OpenAPI that the document follows.', v.string()),
});

export const health = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'edge/health',
  summary: 'Check whether the service and its tables answer',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/healthz',
    auth: 'none',
    answer: healthAnswer,
    statuses: [200],
  },
  access: {
    credentials: ['read'],
    table: ['read'],
  },
}));

export const notFound = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'edge/not-found',
  summary: 'Answer 404 or 405 to requests that no route takes',
  trigger: {
    kind: 'http',
    method: '$default',
    path: '',
    auth: 'none',
    statuses: [200],
    codes: ['not_found', 'method_not_allowed'],
  },
  access: {},
}));

export const openApi = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'edge/docs',
  summary: 'Show the API document as a page',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/docs',
    auth: 'none',
    statuses: [200],
    mediaTypes: ['text/html'],
  },
  access: {},
  settings: ['baseUrl'],
}));

export const tryOperations = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'edge/try',
  summary: 'Show the page that tries operations',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/docs/try',
    auth: 'none',
    statuses: [200],
    mediaTypes: ['text/html'],
  },
  access: {},
  settings: ['demoAccounts'],
}));

export const getTryFile = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'edge/try-file',
  summary: 'Get a file of the page that tries operations',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/docs/try/{file_name}',
    auth: 'none',
    statuses: [200],
    mediaTypes: ['text/javascript', 'text/css', 'text/plain'],
    codes: ['not_found'],
  },
  access: {},
  files,
}));

export const showConsole = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'edge/console',
  summary: 'Show the console, a page for people',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/console',
    auth: 'none',
    statuses: [200],
    mediaTypes: ['text/html'],
  },
  access: {},
  settings: ['uploadsBucket', 'demoAccounts'],
  files: consoleFiles,
  optional: 'console',
}));

export const getConsoleFile = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'edge/console-file',
  summary: 'Get a file of the console',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/console/{file_name}',
    auth: 'none',
    statuses: [200],
    mediaTypes: ['text/javascript', 'text/css', 'text/plain'],
    codes: ['not_found'],
  },
  access: {},
  files: consoleFiles,
  optional: 'console',
}));

export const openApiDocument = /* @__PURE__ */ entry(() => ({
  ...apiFunction('api'),
  source: 'edge/openapi',
  summary: 'Get the API document in OpenAPI 3.1',
  trigger: {
    kind: 'http',
    method: 'GET',
    path: '/openapi.json',
    auth: 'none',
    answer: documentAnswer,
    statuses: [200],
  },
  access: {},
  settings: ['baseUrl'],
}));
