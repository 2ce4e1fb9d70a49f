/** SFTP directories: maps the paths of a session to places in S3 and lists them. */
import { posix } from 'node:path';
import type { DirectCalls, Listed } from '../s3/direct.ts';
import type { Identity, Permit } from './identity.ts';

/** A place in the directory tree of a session. */
export type Place =
  /** A directory above the mapped directories. */
  | { readonly kind: 'virtual'; readonly children: readonly string[] }
  /**
   * A place in S3, where an object may or may not exist. `key` has no final slash. `root`: a mapped directory, which
   * exists even when empty.
   */
  | { readonly kind: 's3'; readonly bucket: string; readonly key: string; readonly root: boolean };

/** A file or directory. */
export interface Entry {
  readonly name: string;
  readonly directory: boolean;
  readonly size: number;
  /** Epoch milliseconds. */
  readonly modified: number;
}

/** The longest key of S3, in bytes. */
const KEY_BYTES = 1024;

/** Resolves `.`, `..` and doubled slashes. No path leads above the root. */
export const absolute = (path: string): string => posix.resolve('/', path);

/** The place of a path in the directories of a session; `undefined` outside them. */
export const placeOf = ({ HomeDirectoryDetails }: Identity, path: string): Place | undefined => {
  const at = absolute(path);
  // ssh2 turns invalid UTF-8 into replacement characters.
  if (/[\0\ufffd]/.test(at)) return undefined;
  for (const { Entry: entry, Target } of HomeDirectoryDetails) {
    if (at !== entry && !at.startsWith(`${entry}/`)) continue;
    const [, bucket = '', ...rest] = `${Target}${at.slice(entry.length)}`.split('/');
    const key = rest.join('/');
    return Buffer.byteLength(key) < KEY_BYTES ? { kind: 's3', bucket, key, root: at === entry } : undefined;
  }
  const above = at === '/' ? '/' : `${at}/`;
  const below = HomeDirectoryDetails.flatMap(({ Entry: entry }) =>
    entry.startsWith(above) ? [entry.slice(above.length).split('/')[0] ?? ''] : [],
  );
  return below.length > 0 ? { kind: 'virtual', children: [...new Set(below)] } : undefined;
};

const folder = (name: string): Entry => ({ name, directory: true, size: 0, modified: 0 });

/** The file or directory at a place, if one exists. Throws AccessDenied. */
export const entryAt = (s3: DirectCalls, permit: Permit, place: Place): Entry | undefined => {
  if (place.kind === 'virtual' || place.root) return folder('');
  const { bucket, key } = place;
  permit(listing(bucket, key));
  const object = s3.find(bucket, key);
  if (object) return fileOf(object, posix.basename(key));
  return s3.list(bucket, `${key}/`).length > 0 ? folder(posix.basename(key)) : undefined;
};

/** The entries of a directory; `undefined` when the place is no directory. Throws AccessDenied. */
export const entriesIn = (s3: DirectCalls, permit: Permit, place: Place): readonly Entry[] | undefined => {
  if (place.kind === 'virtual') return place.children.map(folder);
  if (entryAt(s3, permit, place)?.directory !== true) return undefined;
  const prefix = `${place.key}/`;
  permit(listing(place.bucket, prefix));
  const entries = new Map<string, Entry>();
  for (const key of s3.list(place.bucket, prefix)) {
    const [name = '', ...deeper] = key.slice(prefix.length).split('/');
    const object = s3.find(place.bucket, key);
    if (name !== '' && object) entries.set(name, deeper.length > 0 ? folder(name) : fileOf(object, name));
  }
  return [...entries.values()];
};

const fileOf = ({ size, modified }: Listed, name: string): Entry => ({
  name,
  directory: false,
  size,
  modified,
});

const listing = (bucket: string, prefix: string) => ({
  action: 's3:ListBucket',
  resource: `arn:aws:s3:::${bucket}`,
  context: { 's3:prefix': [prefix] },
});

/** The permission for one object. */
export const onObject = (
  action: 's3:PutObject' | 's3:GetObject' | 's3:DeleteObject',
  bucket: string,
  key: string,
) => ({ action, resource: `arn:aws:s3:::${bucket}/${key}` });
