/** Source digest: the name of a build, made from the sources of the build, so that nothing is built twice. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
