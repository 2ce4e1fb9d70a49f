import type { Recipient } from './recipient.ts';

/**
 * Encrypts a stream to a recipient, in bounded memory, as a binary OpenPGP message. When the source fails, the result
 * fails with the same error, so no truncated message looks complete. The message is not compressed, because compression
 * would be five times slower. Integrity protection has version 1, which every implementation reads, unless the key
 * demands authenticated encryption.
 */
export async function* encryptTo(
  { key, date }: Recipient,
  plain: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { createMessage, encrypt, enums } = await import('openpgp');
  const encrypted: unknown = await encrypt({
    message: await createMessage({ binary: ReadableStream.from(plain) }),
    encryptionKeys: key,
    date,
    format: 'binary',
    config: {
      aeadProtect: false,
      preferredAEADAlgorithm: enums.aead.gcm,
      preferredCompressionAlgorithm: enums.compression.uncompressed,
    },
  });
  if (!(encrypted instanceof ReadableStream)) throw new Error('pgp: a stream did not become a stream');
  for await (const bytes of encrypted) {
    if (!(bytes instanceof Uint8Array)) throw new Error('pgp: the stream holds something else than bytes');
    yield bytes;
  }
}
