/** Key pair: derives an SSH key pair from a seed, so that only the seed is stored. */
import { createPrivateKey, createPublicKey } from 'node:crypto';

/** A key pair in the forms that SSH uses. */
export interface SshKeyPair {
  /** A line of `authorized_keys`. */
  readonly publicKey: string;
  /** The private key as OpenSSH writes it. */
  readonly privateKey: string;
}

/** Bytes of an Ed25519 seed. */
export const SEED_BYTES = 32;

const TYPE = 'ssh-ed25519';

/** The prefix of the seed in a PKCS #8 private key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const BLOCK_BYTES = 8;
const LINE_LENGTH = 70;

/** The Ed25519 key pair of a seed; `comment` ends the line of the public key and says its purpose. */
export const sshKeyPair = (seed: Uint8Array, comment: string): SshKeyPair => {
  const point = publicPoint(seed);
  const publicBlob = Buffer.concat([field(TYPE), field(point)]);
  // Two equal check numbers prove a correct decryption; here nothing is encrypted.
  const check = Buffer.alloc(8, point.subarray(0, 4));
  const own = Buffer.concat([check, publicBlob, field(Buffer.concat([seed, point])), field(comment)]);
  const padding = Buffer.from(
    Array.from({ length: (BLOCK_BYTES - (own.length % BLOCK_BYTES)) % BLOCK_BYTES }, (_, index) => index + 1),
  );
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[field('none'), field('none'), field('')],
    Buffer.from([0, 0, 0, 1]),
    field(publicBlob),
    field(Buffer.concat([own, padding])),
  ]);
  return {
    publicKey: `${TYPE} ${publicBlob.toString('base64')} ${comment}`,
    privateKey: pem(body),
  };
};

const publicPoint = (seed: Uint8Array): Buffer => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url');
};

/** A field of the SSH protocols: its length in 32 bits, and its bytes. */
const field = (value: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const pem = (body: Buffer): string => {
  const lines = body.toString('base64').match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join(
    '\n',
  );
};
