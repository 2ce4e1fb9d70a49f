import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { OWNER_ONLY, replaceFile } from '../../core/folder.ts';

/**
 * A new Ed25519 key pair. ssh2 1.17 writes an unreadable file when the public key begins with a zero byte, which
 * happens for one key in 256 (mscdex/ssh2#1390, still open). The function then generates another pair.
 */
export const newKeyPair = (): { readonly private: string; readonly public: string } => {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
};

/**
 * The host key of the server. With `folder`, the key survives restarts, so clients recognise the server; without, it is
 * new.
 */
export const hostKeyIn = (folder: string | undefined): string => {
  const file = folder === undefined ? undefined : join(folder, 'host-key');
  if (file !== undefined && existsSync(file)) return readFileSync(file, 'utf8');
  const { private: key } = newKeyPair();
  if (file !== undefined) replaceFile(file, key, OWNER_ONLY);
  return key;
};
