import { openApiDocument } from '../../shared/edge/openapi.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { ok } from '../../shared/runtime/result.ts';
import * as entries from './entries.ts';
import { routes } from './routes.ts';

const headers = { 'cache-control': 'public, max-age=300' };

export const handler = publicHandler(
  entries.openApiDocument,
  (document) => Promise.resolve(ok({ status: 200, body: document, headers })),
  (env) => openApiDocument(routes, env('BASE_URL')),
);
