/** Passwords: hashes and checks passwords with scrypt, for token requests and the operator's commands. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { limits } from '../config/limits.ts';

/** Cost of scrypt: `N` iterations, block size `r`, parallelism `p`. */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Derives a 32-byte key. A test counts calls or passes a cheap function. */
export type Kdf = (password: string, salt: Uint8Array, cost: ScryptCost) => Promise<Uint8Array>;

const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** scrypt off the main thread. It needs 128·N·r bytes, which `maxmem` must allow. */
export const scryptKdf: Kdf = (password, salt, { N, r, p }) =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });

/**
 * `scrypt$N$r$p$salt$key`, salt and key in base64url. The parameters are stored with the hash, so that they can
 * be raised.
 */
const stored = /^scrypt\$(\d{1,8})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/;

/** Hashes a new password. */
export const hashPassword = async (
  kdf: Kdf,
  password: string,
  cost: ScryptCost = limits.auth.scrypt,
): Promise<string> => {
  const salt = randomBytes(SALT_BYTES);
  const key = await kdf(password, salt, cost);
  const parts = [cost.N, cost.r, cost.p, salt.toString('base64url'), Buffer.from(key).toString('base64url')];
  return ['scrypt', ...parts].join('$');
};

/**
 * Whether a password matches a stored hash. Without a hash (an unknown user) the same work is done and the
 * answer is no. Throws on a malformed or too cheap hash: a damaged record admits nobody.
 */
export const verifyPassword = async (
  kdf: Kdf,
  password: string,
  hash: string | undefined,
): Promise<boolean> => {
  if (hash === undefined) {
    await kdf(password, Buffer.alloc(SALT_BYTES), limits.auth.scrypt);
    return false;
  }
  const [, N, r, p, salt, key] = stored.exec(hash) ?? [];
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  if (salt === undefined || key === undefined || cost.N < limits.auth.leastScrypt.N)
    throw new Error('passwords: a stored hash is malformed');
  const derived = await kdf(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(derived, Buffer.from(key, 'base64url'));
};
