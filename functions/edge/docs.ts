import { docsPage } from '../../shared/edge/docs-page.ts';
import { operationsOf } from '../../shared/edge/openapi.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { ok } from '../../shared/runtime/result.ts';
import * as entries from './entries.ts';
import { routes } from './routes.ts';

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'public, max-age=300',
};

export const handler = publicHandler(
  entries.openApi,
  (page) => Promise.resolve(ok({ status: 200, body: page, headers })),
  (env) => docsPage(operationsOf(routes), env('BASE_URL')),
);
