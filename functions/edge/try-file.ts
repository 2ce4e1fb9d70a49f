import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { compressedAnswer, type CompressedText } from '../../shared/http/compressed.ts';
import { missing } from '../../shared/http/not-found.ts';
import { err, ok } from '../../shared/runtime/result.ts';
import * as entries from './entries.ts';
import { files, version } from './try-page/files.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** A file that lies gzipped beside the code. */
const read = (name: string): CompressedText => {
  const gzipped = readFileSync(join(import.meta.dirname, `${name}.gz`));
  return { gzipped, plain: () => gunzipSync(gzipped).toString() };
};

/** The files by name, each read at its first request. */
const reader = () => {
  const kept = new Map<string, CompressedText>();
  return (name: string): CompressedText => {
    const file = kept.get(name) ?? read(name);
    kept.set(name, file);
    return file;
  };
};

const headersOf = (name: string) => ({
  'content-type': types[extname(name)] ?? '',
  'cache-control': name.includes(version) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
});

export const handler = publicHandler(
  entries.getTryFile,
  (fileOf: ReturnType<typeof reader>, request) => {
    const name = request.path['file_name'] ?? '';
    return Promise.resolve(
      Object.hasOwn(files, name)
        ? ok(compressedAnswer(fileOf(name), request, headersOf(name)))
        : err(missing('The page has no such file. See /docs/try.')),
    );
  },
  reader,
);
