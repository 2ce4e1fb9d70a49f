import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';

/** The sources of randomness of a function; a test passes a seeded one. */
export interface Ids {
  /** A random UUID, version 4. */
  uuid(): string;
  /** 64 random bits as base64url: the write nonce of table items. */
  nonce(): string;
  /** `bytes` random bytes as lowercase hex. */
  hex(bytes: number): string;
}

/** Random bytes drawn at once: a system call per nonce took 3 % of an import's time. A multiple of a nonce. */
const POOL_BYTES = 4_096;
const NONCE_BYTES = 8;

const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

const nextNonce = (): Buffer => {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += NONCE_BYTES;
  return pool.subarray(used - NONCE_BYTES, used);
};

/** Ids from the operating system's generator. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  nonce: () => nextNonce().toString('base64url'),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
