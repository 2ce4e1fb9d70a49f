import { createHash } from 'node:crypto';

/** How a server is known: by the fingerprint of its key. */
export interface HostKeyPin {
  readonly fingerprint: string;
  /** Kind of the key as SSH names it; not known of a fingerprint that somebody named and no server has shown yet. */
  readonly type: string | null;
}

/** A server's public key as people compare it: `SHA256:` and the hash in base64, as OpenSSH prints it. */
const fingerprintOf = (hostKey: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(hostKey).digest('base64').replace('=', '')}`;

/** What such a fingerprint looks like: 32 bytes in base64 without padding. */
export const fingerprintForm = /^SHA256:[A-Za-z\d+/]{42}[AEIMQUYcgkosw048]$/;

/** The pin of a key that a server has shown. */
export const pinOf = (hostKey: Uint8Array): HostKeyPin => ({
  fingerprint: fingerprintOf(hostKey),
  type: typeOf(hostKey),
});

/** Kinds of host keys we take, best first. */
const kinds = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const;

/** The kinds, that of a known key first: a server that gets a key of a better kind still shows the one we know. */
export const kindsFor = (pinned: HostKeyPin | undefined): (typeof kinds)[number][] => {
  const known = pinned?.type ?? '';
  const isKnown = (kind: string): boolean => (known === 'ssh-rsa' ? kind.startsWith('rsa-') : kind === known);
  return [...kinds.filter(isKnown), ...kinds.filter((kind) => !isKnown(kind))];
};

/** The name a key begins with, after the name's length. */
const typeOf = (hostKey: Uint8Array): string => {
  const bytes = Buffer.from(hostKey);
  return bytes.length < 4 ? '' : bytes.subarray(4, 4 + bytes.readUInt32BE()).toString('latin1');
};
