import { extname } from 'node:path';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { compressedAnswer } from '../../shared/http/compressed.ts';
import { missing } from '../../shared/http/not-found.ts';
import { err, ok } from '../../shared/runtime/result.ts';
import * as entries from './entries.ts';
import { storedFiles } from './stored-file.ts';
import { files, version } from './try-page/files.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

const headersOf = (name: string) => ({
  'content-type': types[extname(name)] ?? '',
  'cache-control': name.includes(version) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
});

export const handler = publicHandler(
  entries.getTryFile,
  (fileOf: ReturnType<typeof storedFiles>, request) => {
    const name = request.path['file_name'] ?? '';
    return Promise.resolve(
      Object.hasOwn(files, name)
        ? ok(compressedAnswer(fileOf(name).text, request, headersOf(name)))
        : err(missing('The page has no such file. See /docs/try.')),
    );
  },
  () => storedFiles(import.meta.dirname),
);
