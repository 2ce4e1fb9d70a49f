/** Source digest: the name of a build, made from the sources of the build, so that nothing is built twice. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sources of what browsers load, which is beside the bundle of a function: the console, and the client that it has. */
export const pageSources = [
  'console/src/**/*.{ts,tsx,css}',
  'client/src/**/*.ts',
  'client/package.json',
] as const;

/**
 * Digest of the files that match the patterns, with their names, and of the settings of the build, which JSON can
 * express: 16 hexadecimal digits.
 */
export const sourceDigest = (root: string, patterns: readonly string[], settings: unknown): string => {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const file of globSync(patterns, { cwd: root }).toSorted()) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
};
