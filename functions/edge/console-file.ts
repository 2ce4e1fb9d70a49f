import { publicHandler } from '../../shared/edge/public-handler.ts';
import { compressedAnswer } from '../../shared/http/compressed.ts';
import { missing } from '../../shared/http/not-found.ts';
import { err, ok } from '../../shared/runtime/result.ts';
import type { ConsoleFile } from './console-page/files.ts';
import * as entries from './entries.ts';
import { storedFiles } from './stored-file.ts';

const types = {
  'app.js': 'text/javascript; charset=utf-8',
  'de.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'licences.txt': 'text/plain; charset=utf-8',
} as const satisfies Readonly<Record<ConsoleFile, string>>;

const RELOAD = 'These texts are of another version of the console. Load the page again.';

/** `app.<digest>.js`: the file and the digest. */
const NAMES = /^(app|de|style|licences)\.([0-9a-f]{16})\.(js|css|txt)$/;

const isFile = (name: string): name is ConsoleFile => Object.hasOwn(types, name);

export const handler = publicHandler(
  entries.getConsoleFile,
  (fileOf: ReturnType<typeof storedFiles>, request) => {
    const [, stem = '', asked = '', ending = ''] = NAMES.exec(request.path['file_name'] ?? '') ?? [];
    const name = `${stem}.${ending}`;
    if (!isFile(name)) return Promise.resolve(err(missing('The console has no such file. See /console.')));
    const { text, digest } = fileOf(name);
    // The texts of one version do not fit another script, which may be hours old. Its reader goes on in English.
    if (name === 'de.js' && asked !== digest) return Promise.resolve(err(missing(RELOAD)));
    // During a deployment, the page and its files may be of two versions for some seconds. Such an answer is not kept.
    const keeping = asked === digest ? 'public, max-age=31536000, immutable' : 'no-store';
    return Promise.resolve(
      ok(compressedAnswer(text, request, { 'content-type': types[name], 'cache-control': keeping })),
    );
  },
  () => storedFiles(import.meta.dirname),
);
