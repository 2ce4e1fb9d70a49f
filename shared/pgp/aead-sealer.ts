/** AEAD sealer: version 2 of encrypted data (RFC 9580, 5.13.2), for keys that ask for it. */
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { ciphers, ENCRYPTED_DATA, type Sealer, type SessionKey } from './sealer.ts';

const VERSION = 2;
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const NO_BYTES = Buffer.alloc(0);

/** Plain bytes of one chunk: 2 to the power of the octet plus 6. */
const CHUNK_OCTET = 10;
const CHUNK_BYTES = 65_536;

/** Bytes of a nonce that count the chunks. */
const CHUNK_INDEX_BYTES = 8;

/** Modes: their ids (RFC 9580, 9.6), and the bytes of a nonce. */
const modes = { ocb: { id: 2, nonceBytes: 15 }, gcm: { id: 3, nonceBytes: 12 } } as const;
type Mode = keyof typeof modes;

const aeadState = v.object({ salt: v.string(), held: v.string(), chunks: v.number(), bytes: v.number() });

/** Chunks of authenticated encryption, and a last tag over the length of all. */
export class AeadSealer implements Sealer {
  readonly head: Buffer;
  readonly #cipher: (typeof ciphers)[SessionKey['algorithm']];
  readonly #mode: Mode;
  readonly #info: Buffer;
  readonly #salt: Buffer;
  readonly #key: Buffer;
  readonly #iv: Buffer;
  #held: Buffer;
  #chunks: number;
  #bytes: number;

  constructor(
    { data, algorithm }: SessionKey,
    mode: Mode,
    /** The state of an earlier sealer. A new sealer has none. */
    state: object = {},
  ) {
    const { id, nonceBytes } = modes[mode];
    const cipher = ciphers[algorithm];
    const known = v.safeParse(aeadState, state);
    const { salt, held, chunks, bytes } = known.success
      ? known.output
      : { salt: randomBytes(SALT_BYTES).toString('base64'), held: '', chunks: 0, bytes: 0 };
    const key = Buffer.from(data, 'base64');
    this.#cipher = cipher;
    this.#mode = mode;
    this.#info = Buffer.of(0xc0 | ENCRYPTED_DATA, VERSION, cipher.id, id, CHUNK_OCTET);
    this.#salt = Buffer.from(salt, 'base64');
    const derived = Buffer.from(
      hkdfSync('sha256', key, this.#salt, this.#info, key.length + nonceBytes - CHUNK_INDEX_BYTES),
    );
    this.#key = derived.subarray(0, key.length);
    this.#iv = derived.subarray(key.length);
    this.#held = Buffer.from(held, 'base64');
    this.#chunks = chunks;
    this.#bytes = bytes;
    this.head = Buffer.concat([this.#info.subarray(1), this.#salt]);
  }

  write(plain: Uint8Array): Buffer {
    this.#held = Buffer.concat([this.#held, plain]);
    const output: Buffer[] = [];
    let from = 0;
    for (; this.#held.length - from >= CHUNK_BYTES; from += CHUNK_BYTES)
      output.push(this.#seal(this.#held.subarray(from, from + CHUNK_BYTES)));
    this.#held = this.#held.subarray(from);
    return Buffer.concat(output);
  }

  end(): Buffer {
    const last = this.#held.length > 0 ? this.#seal(this.#held) : NO_BYTES;
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(this.#bytes));
    return Buffer.concat([last, this.#tagged(NO_BYTES, Buffer.concat([this.#info, length]))]);
  }

  state(): v.InferOutput<typeof aeadState> {
    return {
      salt: this.#salt.toString('base64'),
      held: this.#held.toString('base64'),
      chunks: this.#chunks,
      bytes: this.#bytes,
    };
  }

  #seal(plain: Buffer): Buffer {
    const sealed = this.#tagged(plain, this.#info);
    this.#chunks += 1;
    this.#bytes += plain.length;
    return sealed;
  }

  #tagged(plain: Buffer, about: Buffer): Buffer {
    const index = Buffer.alloc(CHUNK_INDEX_BYTES);
    index.writeBigUInt64BE(BigInt(this.#chunks));
    const nonce = Buffer.concat([this.#iv, index]);
    // The two calls differ in their types only.
    const options = { authTagLength: TAG_BYTES };
    const cipher =
      this.#mode === 'ocb'
        ? createCipheriv(`${this.#cipher.name}-ocb`, this.#key, nonce, options)
        : createCipheriv(`${this.#cipher.name}-gcm`, this.#key, nonce, options);
    cipher.setAAD(about, { plaintextLength: plain.length });
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }
}
