import { randomBytes, randomUUID } from 'node:crypto';

/** The sources of randomness a function may use; a test passes a seeded one. */
export interface Ids {
  /** A random UUID, version 4. */
  uuid(): string;
  /** 64 random bits as base64url: the write nonce of table items. */
  nonce(): string;
  /** `bytes` random bytes as lowercase hex. */
  hex(bytes: number): string;
}

/** Ids from the operating system's generator. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  nonce: () => randomBytes(8).toString('base64url'),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
