/** Pinned session: a session with a server whose addresses are checked and whose host key is pinned. */
import type { PrivateTargets } from '../webhooks/addresses.ts';
import { checkedAddresses, type Resolve } from '../webhooks/checked-addresses.ts';
import { openSftp, SftpRefusedError, UNREACHABLE, type SftpSession, type SshLogin } from './connect.ts';
import type { SftpCredential } from './credential.ts';
import type { SftpHost } from './destination.ts';
import type { HostKeyPin, PinnedHostKey } from './host-key.ts';
import type { PutWay } from './outgoing.ts';

/** The server of an export, with its pinned key. */
export interface SftpTarget extends SftpHost {
  readonly username: string;
  readonly credential: SftpCredential;
  readonly pinned: PinnedHostKey | undefined;
  /** How the server takes files. */
  readonly way: PutWay;
  /** Pins the key of a new server; `false` when another key was pinned meanwhile. */
  readonly pin: (hostKey: HostKeyPin) => Promise<boolean>;
}

interface SessionOptions extends Pick<SshLogin, 'idleMs' | 'connectMs' | 'loginMs'> {
  readonly resolve: Resolve;
  readonly privateTargets: PrivateTargets;
}

/**
 * Opens a session at a checked address, and pins the key of a new server before anything is sent. Throws
 * `SftpRefusedError`; its step is `address` when the service does not connect to this server at all.
 */
export const openPinned = async (
  target: SftpTarget,
  { resolve, privateTargets, ...times }: SessionOptions,
): Promise<SftpSession> => {
  const addresses = await checkedAddresses(target.host, { resolve, privateTargets, secure: true });
  if (addresses === 'refused') throw new SftpRefusedError('address', UNREACHABLE);
  if (addresses === 'none') throw new SftpRefusedError('connect', UNREACHABLE);
  const session = await openSftp({ ...target, addresses, ...times });
  // A fingerprint that a client named has no type yet: it is pinned again with the type of the shown key.
  const known = typeof target.pinned?.type === 'string' || (await target.pin(session.hostKey));
  if (known) return session;
  session.close();
  const reason = 'the host key has changed since another connection';
  throw new SftpRefusedError('host_key', reason, { hostKey: session.hostKey });
};
