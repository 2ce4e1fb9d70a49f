import { randomBytes } from 'node:crypto';
import type { KeyService } from '../../shared/runtime/ports.ts';
import { seal, unseal } from '../../shared/runtime/seal.ts';

/** A key service in memory: its key lives as long as the test; `context` is bound to the ciphertext. */
export const memoryKeys = (): KeyService => {
  const key = randomBytes(32);
  const wrap = (plain: Uint8Array, context: unknown): Uint8Array => {
    const text = Buffer.from(plain).toString('base64');
    return new Uint8Array(seal(key, randomBytes(12), JSON.stringify(context), text));
  };
  return {
    generateDataKey: (context) => {
      const plain = new Uint8Array(randomBytes(32));
      return Promise.resolve({ plain, wrapped: wrap(plain, context) });
    },
    encrypt: (plain, context) => Promise.resolve(wrap(plain, context)),
    decrypt: (wrapped, context) => {
      const text = unseal(key, JSON.stringify(context), wrapped);
      if (text === undefined) return Promise.reject(new Error('keys: wrong key or context'));
      return Promise.resolve(new Uint8Array(Buffer.from(text, 'base64')));
    },
  };
};
