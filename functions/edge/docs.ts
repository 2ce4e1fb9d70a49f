import document from '../../openapi.json' with { type: 'json' };
import { hashSource, pageHeaders } from '../../shared/http/page-headers.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { compressed, compressedAnswer, type CompressedText } from '../../shared/http/compressed.ts';
import { ok } from '../../shared/runtime/result.ts';
import * as entries from './entries.ts';
import { referencePage } from './page/page.ts';
import { script } from './page/script.ts';
import { style } from './page/style.ts';

const headers = {
  ...pageHeaders([`style-src ${hashSource(style)}`, `script-src ${hashSource(script)}`, 'img-src data:']),
  'cache-control': 'public, max-age=300',
};

export const handler = publicHandler(
  entries.openApi,
  (page: CompressedText, request) => Promise.resolve(ok(compressedAnswer(page, request, headers))),
  (env) => compressed(referencePage({ ...document, servers: [{ url: env('BASE_URL') }] })),
);
