/** Sealer: encrypts the bytes of a PGP message, and can be suspended and resumed between two pieces. */
import * as v from 'valibot';

/** The key of a message. */
export const sessionKey = v.object({
  /** Base64. */
  data: v.string(),
  algorithm: v.picklist(['aes128', 'aes256']),
  /** The mode of version 2 of encrypted data; absent for version 1. */
  aeadAlgorithm: v.optional(v.picklist(['ocb', 'gcm'])),
});
export type SessionKey = v.InferOutput<typeof sessionKey>;

/** Encrypts the packets of a message. The head and the outputs of `write` and `end` are the body of its encrypted data. */
export interface Sealer {
  /** The version, and the parameters that go before the first encrypted byte. */
  readonly head: Buffer;
  write(plain: Uint8Array): Buffer;
  end(): Buffer;
  /** The state from which another sealer goes on, as JSON. */
  state(): Record<string, unknown>;
}

/** Symmetric ciphers: their ids (RFC 9580, 9.3), and their names in Node. */
export const ciphers = {
  aes128: { id: 7, name: 'aes-128' },
  aes256: { id: 9, name: 'aes-256' },
} as const;

/** Type of the packet of encrypted data (RFC 9580, 5). */
export const ENCRYPTED_DATA = 18;
