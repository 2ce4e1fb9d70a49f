import document from '../../openapi.json' with { type: 'json' };
import { compressed, compressedAnswer, type CompressedText } from '../../shared/http/compressed.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { ok } from '../../shared/runtime/result.ts';
import * as entries from './entries.ts';

const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' };

export const handler = publicHandler(
  entries.openApiDocument,
  (text: CompressedText, request) => Promise.resolve(ok(compressedAnswer(text, request, headers))),
  (env) => compressed(JSON.stringify({ ...document, servers: [{ url: env('BASE_URL') }] })),
);
