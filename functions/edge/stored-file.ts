/** Files that lie gzipped beside the code of a function: the `files` of its entry. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CompressedText } from '../../shared/http/compressed.ts';

/** A file, and the digest of its content: 16 hexadecimal digits. */
export interface StoredFile {
  readonly text: CompressedText;
  readonly digest: string;
}

/** Reads a file in `folder`, the folder of the function's code. */
export const storedFile = (folder: string, name: string): StoredFile => {
  const gzipped = readFileSync(join(folder, `${name}.gz`));
  return {
    text: { gzipped, plain: () => gunzipSync(gzipped).toString() },
    digest: createHash('sha256').update(gzipped).digest('hex').slice(0, 16),
  };
};

/** A reader of the files in `folder`. It reads each at the first request for it. */
export const storedFiles = (folder: string): ((name: string) => StoredFile) => {
  const kept = new Map<string, StoredFile>();
  return (name) => {
    const file = kept.get(name) ?? storedFile(folder, name);
    kept.set(name, file);
    return file;
  };
};
