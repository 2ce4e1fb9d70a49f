import document from '../../openapi.json' with { type: 'json' };
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { ok } from '../../shared/runtime/result.ts';
import * as entries from './entries.ts';

const headers = { 'cache-control': 'public, max-age=300' };

export const handler = publicHandler(
  entries.openApiDocument,
  (described) => Promise.resolve(ok({ status: 200, body: described, headers })),
  (env) => ({ ...document, servers: [{ url: env('BASE_URL') }] }),
);
