import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ServiceError } from '../../core/service-error.ts';

/** A master key and the encryption context that is bound to a ciphertext. */
export interface BoundKey {
  readonly id: string;
  readonly master: Buffer;
  readonly context: Readonly<Record<string, string>>;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The context sorted by name, so that equal contexts give equal bytes. */
const contextBytes = (context: BoundKey['context']): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([left], [right]) => (left < right ? -1 : 1))));

/** Encrypts bytes to a base64 blob: length of the key id, key id, nonce, tag, ciphertext. */
export const encrypt = (key: BoundKey, plain: Buffer): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.master, nonce);
  cipher.setAAD(contextBytes(key.context));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const id = Buffer.from(key.id);
  return Buffer.concat([Buffer.from([id.length]), id, nonce, cipher.getAuthTag(), sealed]).toString('base64');
};

/** Decrypts a blob to base64. Throws InvalidCiphertextException for another context, key or blob. */
export const decrypt = (key: BoundKey, blob: string): string => {
  const bytes = Buffer.from(blob, 'base64');
  const start = 1 + (bytes[0] ?? 0);
  const nonce = bytes.subarray(start, start + NONCE_BYTES);
  const tag = bytes.subarray(start + NONCE_BYTES, start + NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.master, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(contextBytes(key.context));
    decipher.setAuthTag(tag);
    const sealed = bytes.subarray(start + NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('base64');
  } catch {
    throw new ServiceError('InvalidCiphertextException', '');
  }
};

/** A new data key, in plain and encrypted. */
export const generateDataKey = (
  key: BoundKey,
  bytes: number,
): { Plaintext: string; CiphertextBlob: string } => {
  const plain = randomBytes(bytes);
  return { Plaintext: plain.toString('base64'), CiphertextBlob: encrypt(key, plain) };
};
