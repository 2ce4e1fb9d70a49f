/**
 * Stryker's plugin for `npm run mutate -- --part 2/4`: every fourth top-level definition, from the second. A hash of its
 * text assigns each definition to a part, so a part is a random sample that stays the same from run to run.
 */
import { createHash } from 'node:crypto';

/** The members of Babel's `NodePath` that the plugin uses. */
interface NodePath {
  readonly parentPath?: { readonly node: { readonly type: string } } | null;
  toString(): string;
}

const [part = 1, parts = 1] = (process.env['MUTATED_PART'] ?? '1/1').split('/').map(Number);

/** Returns the reason to leave a definition out, or undefined. */
const shouldIgnore = (path: NodePath): string | undefined => {
  if (path.parentPath?.node.type !== 'Program') return undefined;
  const order = createHash('sha256').update(path.toString()).digest().readUInt32BE(0) % parts;
  return order === part - 1 ? undefined : 'in another part';
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'part', value: { shouldIgnore } }];
