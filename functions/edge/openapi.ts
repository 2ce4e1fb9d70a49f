import { openApiDocument as documentOf } from '../../shared/edge/openapi.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { env } from '../../shared/runtime/env.ts';
import { ok } from '../../shared/runtime/result.ts';
import { openApiDocument } from './entries.ts';
import { routes } from './routes.ts';

export const handler = publicHandler(openApiDocument, () => {
  const body = documentOf(routes, env('BASE_URL'));
  return () =>
    Promise.resolve(ok({ status: 200, body, headers: { 'cache-control': 'public, max-age=300' } }));
});
