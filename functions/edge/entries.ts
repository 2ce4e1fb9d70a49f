import { tableActions as table } from '../../shared/table/access.ts';
import { apiFunction, entry } from '../entry.ts';

export const health = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  source: 'edge/health',
  summary: 'Check whether the service and its tables answer',
  trigger: { kind: 'http', method: 'GET', path: '/healthz', auth: 'none', statuses: [200] },
  access: [
    { to: 'credentials', actions: [...table.read] },
    { to: 'table', actions: [...table.read] },
  ],
}));

export const notFound = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
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
  access: [],
}));

export const openApi = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
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
  access: [],
  settings: ['baseUrl'],
}));

export const openApiDocument = /* @__PURE__ */ entry(() => ({
  ...apiFunction,
  source: 'edge/openapi',
  summary: 'Get the API document in OpenAPI 3.1',
  trigger: { kind: 'http', method: 'GET', path: '/openapi.json', auth: 'none', statuses: [200] },
  access: [],
  settings: ['baseUrl'],
}));
