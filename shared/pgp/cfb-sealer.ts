/** CFB sealer: version 1 of encrypted data (RFC 9580, 5.13.1), which every implementation reads. */
import { createCipheriv, randomBytes } from 'node:crypto';
import { createSHA1, type IHasher } from 'hash-wasm';
import * as v from 'valibot';
import { ciphers, type Sealer, type SessionKey } from './sealer.ts';

const BLOCK_BYTES = 16;

/** Begin of the modification detection code: type and length of a packet with a SHA-1. */
const DETECTION_HEAD = Buffer.of(0xd3, 0x14);

const cfbState = v.object({ iv: v.string(), held: v.string(), hash: v.string() });

/** AES in CFB mode, with a SHA-1 of the plain bytes at the end. */
export class CfbSealer implements Sealer {
  readonly head = Buffer.of(1);
  readonly #key: SessionKey;
  readonly #hash: IHasher;
  /** The last block of encrypted bytes; the mode starts again behind it. */
  #iv: Buffer;
  #held: Buffer;

  private constructor(key: SessionKey, hash: IHasher, iv: Buffer, held: Buffer) {
    this.#key = key;
    this.#hash = hash;
    this.#iv = iv;
    this.#held = held;
  }

  /** A new sealer, or the sealer of a state. */
  static async open(key: SessionKey, state: object): Promise<CfbSealer> {
    const hash = await createSHA1();
    const known = v.safeParse(cfbState, state);
    if (known.success) {
      const { iv, held, hash: saved } = known.output;
      hash.load(Buffer.from(saved, 'base64'));
      return new CfbSealer(key, hash, Buffer.from(iv, 'base64'), Buffer.from(held, 'base64'));
    }
    hash.init();
    // Random bytes, and the last two of them again.
    const random = randomBytes(BLOCK_BYTES);
    const prefix = Buffer.concat([random, random.subarray(-2)]);
    hash.update(prefix);
    return new CfbSealer(key, hash, Buffer.alloc(BLOCK_BYTES), prefix);
  }

  write(plain: Uint8Array): Buffer {
    this.#hash.update(plain);
    const all = Buffer.concat([this.#held, plain]);
    const whole = all.length - (all.length % BLOCK_BYTES);
    this.#held = all.subarray(whole);
    return this.#encrypt(all.subarray(0, whole));
  }

  end(): Buffer {
    this.#hash.update(DETECTION_HEAD);
    const last = Buffer.concat([this.#held, DETECTION_HEAD, this.#hash.digest('binary')]);
    return this.#encrypt(last);
  }

  state(): v.InferOutput<typeof cfbState> {
    return {
      iv: this.#iv.toString('base64'),
      held: this.#held.toString('base64'),
      hash: Buffer.from(this.#hash.save()).toString('base64'),
    };
  }

  #encrypt(plain: Buffer): Buffer {
    const { name } = ciphers[this.#key.algorithm];
    const key = Buffer.from(this.#key.data, 'base64');
    const sealed = createCipheriv(`${name}-cfb`, key, this.#iv).update(plain);
    if (sealed.length >= BLOCK_BYTES) this.#iv = sealed.subarray(-BLOCK_BYTES);
    return sealed;
  }
}
