import { createCipheriv, createDecipheriv } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals text under a 256-bit key with AES-256-GCM; `unseal` must name the same `context`. Never reuse an `iv`
 * (12 bytes).
 */
export const seal = (key: Uint8Array, iv: Uint8Array, context: string, text: string): Buffer => {
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(context),
  );
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
};

/** Opens sealed text; `undefined` when the key or context differs or a bit was changed. */
export const unseal = (key: Uint8Array, context: string, sealed: Uint8Array): string | undefined => {
  if (sealed.byteLength < IV_BYTES + TAG_BYTES) return undefined;
  const end = sealed.byteLength - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, end)), decipher.final()]).toString(
      'utf8',
    );
  } catch {
    return undefined;
  }
};
