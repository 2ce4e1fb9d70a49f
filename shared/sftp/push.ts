/** SFTP pusher: makes one attempt to put a file on the server of a client. */
import type { Clock } from '../runtime/clock.ts';
import type { PrivateTargets } from '../webhooks/addresses.ts';
import { checkedAddresses, type Resolve } from '../webhooks/checked-addresses.ts';
import { openSftp, SftpRefusedError, UNREACHABLE, type SftpSession } from './connect.ts';
import type { SftpHost } from './destination.ts';
import type { HostKeyPin } from './host-key.ts';
import type { OutgoingUpload } from './outgoing.ts';
import { FileCutError, putFile } from './put-file.ts';
import type { ReadBack } from './read-back.ts';
import { requestsOf, SftpFailedError } from './requests.ts';

/** The server of a push, with its pinned key. */
export interface SftpTarget extends SftpHost {
  readonly username: string;
  readonly privateKey: string;
  readonly pinned: HostKeyPin | undefined;
  /** Pins the key of a new server; `false` when another key was pinned meanwhile. */
  readonly pin: (hostKey: HostKeyPin) => Promise<boolean>;
}

/** How an attempt checked the file of an earlier attempt; absent when there was no such file. */
interface Continued {
  readonly readBack?: ReadBack | undefined;
}

/** The outcome of one attempt. `refused`: the service does not connect to this server; `paused`: more is left to send. */
export type PushOutcome =
  | ({ readonly kind: 'sent' | 'paused' } & Continued)
  | { readonly kind: 'refused' }
  | ({ readonly kind: 'failed'; readonly reason: string } & Continued);

/**
 * Makes one attempt to push a file, until a time (epoch milliseconds). Failures of the server are outcomes, not
 * exceptions.
 */
export type FilePusher = (target: SftpTarget, file: OutgoingUpload, until: number) => Promise<PushOutcome>;

interface PusherDeps {
  readonly resolve: Resolve;
  readonly privateTargets: PrivateTargets;
  readonly clock: Clock;
  /** A number from 0 to 1 that selects the samples of a large unfinished file. */
  readonly random: () => number;
  /** See `SshLogin`. */
  readonly idleMs?: number;
}

/** A pusher that connects only to checked addresses, and sends nothing before the key of the server is pinned. */
export const sftpPusher =
  ({ resolve, privateTargets, clock, random, idleMs }: PusherDeps): FilePusher =>
  async (target, file, until) => {
    let session: SftpSession | undefined;
    let readBack: ReadBack | undefined;
    const onReadBack = (way: ReadBack): void => {
      readBack = way;
    };
    try {
      const addresses = await checkedAddresses(target.host, { resolve, privateTargets, secure: true });
      if (addresses === 'refused') return { kind: 'refused' };
      if (addresses === 'none') return { kind: 'failed', reason: UNREACHABLE };
      session = await openSftp({ ...target, addresses, idleMs });
      // A fingerprint that a client named has no type yet: it is pinned again with the type of the shown key.
      const known = typeof target.pinned?.type === 'string' || (await target.pin(session.hostKey));
      if (!known) return { kind: 'failed', reason: 'the host key has changed since another connection' };
      const kind = await putFile(requestsOf(session.sftp), file, { clock, until, random, onReadBack });
      return { kind, readBack };
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error), readBack };
    } finally {
      session?.close();
    }
  };

/** The reason of an expected failure. Other errors are thrown: they are bugs, or failures of our own stores. */
const reasonOf = (error: unknown): string => {
  if (error instanceof SftpRefusedError || error instanceof SftpFailedError || error instanceof FileCutError)
    return error.message;
  if (isNameFailure(error)) return UNREACHABLE;
  throw error;
};

const isNameFailure = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo';
