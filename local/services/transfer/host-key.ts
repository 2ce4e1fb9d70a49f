import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh2 from 'ssh2';

/**
 * A new pair of Ed25519 keys. ssh2 1.17 writes those whose public key begins with a zero byte, one in 256, so that nobody
 * can read them (mscdex/ssh2#1390, still open): it draws again then.
 */
export const newKeyPair = (): { readonly private: string; readonly public: string } => {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
};

/** The key that the server shows: made once and kept in `folder`, so that clients find it again; without one, for this run. */
export const hostKeyIn = (folder: string | undefined): string => {
  const file = folder === undefined ? undefined : join(folder, 'host-key');
  if (file !== undefined && existsSync(file)) return readFileSync(file, 'utf8');
  const { private: key } = newKeyPair();
  if (folder !== undefined && file !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, key, { mode: 0o600 });
  }
  return key;
};
