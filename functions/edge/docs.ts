import { createHash } from 'node:crypto';
import document from '../../openapi.json' with { type: 'json' };
import { compressed, compressedAnswer, type CompressedText } from '../../shared/http/compressed.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { ok } from '../../shared/runtime/result.ts';
import * as entries from './entries.ts';
import { referencePage } from './page/page.ts';
import { script } from './page/script.ts';
import { style } from './page/style.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'public, max-age=300',
};

export const handler = publicHandler(
  entries.openApi,
  (page: CompressedText, request) => Promise.resolve(ok(compressedAnswer(page, request, headers))),
  (env) => compressed(referencePage({ ...document, servers: [{ url: env('BASE_URL') }] })),
);
