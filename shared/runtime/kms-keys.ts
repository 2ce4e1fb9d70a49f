import { DecryptCommand, EncryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { clientOptions } from './aws-client.ts';
import type { KeyService } from './ports.ts';

let client: KMSClient | undefined;

/** The KMS key with this id or ARN. Throws KMS errors, and throws when an answer lacks its bytes. */
export const keyService = (keyId: string): KeyService => {
  client ??= new KMSClient(clientOptions());
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
        new DecryptCommand({ KeyId: keyId, CiphertextBlob: wrapped, EncryptionContext: { ...context } }),
      );
      return bytesOf(answer.Plaintext);
    },
  };
};

const bytesOf = (bytes: Uint8Array | undefined): Uint8Array => {
  if (!bytes) throw new Error('kms: an answer came without its bytes');
  return bytes;
};
