/**
 * Replaces `node:fs` in bundles; see `alias` in `lib/constructs/bundle.ts`. The SDK asks of each body whether it is a file.
 * The class of file streams is loaded only for a body of which the SDK knows nothing else.
 */
const fs = process.getBuiltinModule('node:fs');

export const { createReadStream, fstatSync, lstatSync, readFileSync } = fs;

/** Tells file streams as `instanceof` does. */
export const ReadStream = {
  [Symbol.hasInstance]: (value: unknown): boolean => value instanceof fs.ReadStream,
};
