/** The built files of the console, which lie gzipped beside the code of the functions that name them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CompressedText } from '../../../shared/http/compressed.ts';
import type { ConsoleFile } from './files.ts';

/** A file, and the digest of its content: 16 hexadecimal digits. */
export interface StoredFile {
  readonly text: CompressedText;
  readonly digest: string;
}

/** Reads a file in `folder`, the folder of the function's code. */
export const storedFile = (folder: string, name: ConsoleFile): StoredFile => {
  const gzipped = readFileSync(join(folder, `${name}.gz`));
  return {
    text: { gzipped, plain: () => gunzipSync(gzipped).toString() },
    digest: createHash('sha256').update(gzipped).digest('hex').slice(0, 16),
  };
};
