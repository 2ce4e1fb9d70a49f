import { DecryptCommand, EncryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { clientOptions } from './aws-client.ts';
import type { KeyService } from './ports.ts';

let client: KMSClient | undefined;

/**
 * The KMS key with this id or ARN. It encrypts with this key, and decrypts with the key that the ciphertext names: after
 * a restore that may be the key of an earlier stack. The role of the function says which keys these may be. Throws KMS
 * errors, and throws when an answer lacks its bytes.
 */
export const keyService = (keyId: string): KeyService => {
  client ??= new KMSClient(clientOptions('KMS'));
  const kms = client;
  return {
    generateDataKey: async (context) => {
      const answer = await kms.send(
        new GenerateDataKeyCommand({ KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: { ...context } }),
      );
      return { plain: bytesOf(answer.Plaintext), wrapped: bytesOf(answer.CiphertextBlob) };
    },
    encrypt: async (plain, context) => {
      const answer = await kms.send(
        new EncryptCommand({ KeyId: keyId, Plaintext: plain, EncryptionContext: { ...context } }),
      );
      return bytesOf(answer.CiphertextBlob);
    },
    decrypt: async (wrapped, context) => {
      const answer = await kms.send(
        new DecryptCommand({ CiphertextBlob: wrapped, EncryptionContext: { ...context } }),
      );
      return bytesOf(answer.Plaintext);
    },
  };
};

const bytesOf = (bytes: Uint8Array | undefined): Uint8Array => {
  if (!bytes) throw new Error('kms: an answer came without its bytes');
  return bytes;
};
