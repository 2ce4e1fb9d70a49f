import { randomFillSync, randomUUID } from 'node:crypto';

/** The sources of randomness a function may use; a test passes a seeded one. */
export interface Ids {
  /** A random UUID, version 4. */
  uuid(): string;
  /** 64 random bits as base64url: the write nonce of table items. */
  nonce(): string;
  /** `bytes` random bytes as lowercase hex. */
  hex(bytes: number): string;
}

/** Bytes drawn from the operating system at once: a call for each nonce took 3 % of an import's time. */
const POOL_BYTES = 4_096;
const NONCE_BYTES = 8;

const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

const draw = (bytes: number): Buffer => {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.subarray(used - bytes, used);
};

/** Ids from the operating system's generator. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  nonce: () => draw(NONCE_BYTES).toString('base64url'),
  hex: (bytes) => draw(bytes).toString('hex'),
};
