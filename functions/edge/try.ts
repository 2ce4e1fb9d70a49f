import { hashSource, pageHeaders } from '../../shared/http/page-headers.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { ok } from '../../shared/runtime/result.ts';
import * as entries from './entries.ts';
import { tryPage } from './try-page/page.ts';
import { script } from './try-page/script.ts';
import { style } from './try-page/style.ts';

const headers = {
  ...pageHeaders([
    `script-src 'self' ${hashSource(script)}`,
    `style-src 'self' ${hashSource(style)}`,
    "connect-src 'self'",
    "img-src 'self' data:",
  ]),
  'referrer-policy': 'no-referrer',
  // The page names the versions of its files: a kept page could name files that are gone.
  'cache-control': 'no-cache',
};

export const handler = publicHandler(
  entries.tryOperations,
  (body: string) => Promise.resolve(ok({ status: 200, body, headers })),
  (env) => tryPage(env('DEMO_ACCOUNTS')),
);
