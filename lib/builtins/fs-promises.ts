/** Replaces `node:fs/promises` in bundles; see `alias` in `lib/constructs/bundle.ts`. Few functions read a file. */
export const readFile = (path: string | URL, encoding?: BufferEncoding): Promise<string | Buffer> =>
  process.getBuiltinModule('node:fs/promises').readFile(path, encoding ?? null);
