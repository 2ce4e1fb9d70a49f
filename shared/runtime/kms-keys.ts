import * as v from 'valibot';
import { jsonService, type JsonService } from './json-service.ts';
import type { KeyService } from './ports.ts';

let kms: JsonService | undefined;

const protocol = { variable: 'KMS', name: 'kms', target: 'TrentService', version: '1.1' } as const;

/** Bytes are base64 in JSON. */
const bytes = v.pipe(
  v.string(),
  v.transform((text): Uint8Array => Buffer.from(text, 'base64')),
);
const dataKey = v.object({ Plaintext: bytes, CiphertextBlob: bytes });
const encrypted = v.object({ CiphertextBlob: bytes });
const decrypted = v.object({ Plaintext: bytes });

const base64 = (plain: Uint8Array): string =>
  Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString('base64');

/**
 * The KMS key with this id or ARN. It encrypts with this key, and decrypts with the key that the ciphertext names: after
 * a restore that may be the key of an earlier stack. The role of the function says which keys these may be. Throws KMS
 * errors, and throws when an answer lacks its bytes.
 */
export const keyService = (keyId: string): KeyService => {
  kms ??= jsonService(protocol);
  const { call } = kms;
  return {
    generateDataKey: async (EncryptionContext) => {
      const { output } = await call('GenerateDataKey', {
        KeyId: keyId,
        KeySpec: 'AES_256',
        EncryptionContext,
      });
      const { Plaintext: plain, CiphertextBlob: wrapped } = v.parse(dataKey, output);
      return { plain, wrapped };
    },
    encrypt: async (plain, EncryptionContext) => {
      const input = { KeyId: keyId, Plaintext: base64(plain), EncryptionContext };
      return v.parse(encrypted, (await call('Encrypt', input)).output).CiphertextBlob;
    },
    decrypt: async (wrapped, EncryptionContext) => {
      const input = { CiphertextBlob: base64(wrapped), EncryptionContext };
      return v.parse(decrypted, (await call('Decrypt', input)).output).Plaintext;
    },
  };
};
