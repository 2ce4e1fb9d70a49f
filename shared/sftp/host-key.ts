import { createHash } from 'node:crypto';

/** A pinned host key: the service recognizes a server by the fingerprint of its key. */
export interface HostKeyPin {
  readonly fingerprint: string;
  /** Kind of the key as SSH names it; `null` for a fingerprint that a client named and no server has shown yet. */
  readonly type: string | null;
}

/** Origin of a pinned host key: trust on first use, or a request of the client. */
export const pinnedBy = ['first_use', 'request'] as const;

/** A host key that a server must have, with its origin. */
export interface PinnedHostKey extends HostKeyPin {
  readonly pinned_by: (typeof pinnedBy)[number];
}

/** The fingerprint of a public key: `SHA256:` and the hash in base64, as OpenSSH prints it. */
const fingerprintOf = (hostKey: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(hostKey).digest('base64').replace('=', '')}`;

/** The form of a fingerprint: 32 bytes in base64 without padding. */
export const fingerprintForm = /^SHA256:[A-Za-z\d+/]{42}[AEIMQUYcgkosw048]$/;

/** The pin of a key that a server showed. */
export const pinOf = (hostKey: Uint8Array): HostKeyPin => ({
  fingerprint: fingerprintOf(hostKey),
  type: typeOf(hostKey),
});

/** Accepted kinds of host keys, the best first. */
const kinds = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const;

type Kind = (typeof kinds)[number];

const isOfType = (kind: Kind, type: string): boolean =>
  type === 'ssh-rsa' ? kind.startsWith('rsa-') : kind === type;

/**
 * The kinds to ask a server for, with the kind of the pinned key first, so that a server with a second key of a better
 * kind still shows the pinned key. A server shows one key of the first kind that it has, so the kinds of the keys that it
 * has `shown` in vain are left out.
 */
export const kindsFor = (pinned: HostKeyPin | undefined, shown: readonly HostKeyPin[] = []): Kind[] => {
  const isKnown = (kind: Kind): boolean => isOfType(kind, pinned?.type ?? '');
  const left = kinds.filter((kind) => !shown.some(({ type }) => isOfType(kind, type ?? '')));
  return [...left.filter(isKnown), ...left.filter((kind) => !isKnown(kind))];
};

/** The kind of a key: its first field, behind the length of the field. */
const typeOf = (hostKey: Uint8Array): string => {
  const bytes = Buffer.from(hostKey);
  return bytes.length < 4 ? '' : bytes.subarray(4, 4 + bytes.readUInt32BE()).toString('latin1');
};
