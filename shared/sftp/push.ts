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

/** Where a file goes, and how its server is known. */
export interface SftpTarget extends SftpHost {
  readonly username: string;
  readonly privateKey: string;
  readonly pinned: HostKeyPin | undefined;
  /** Keeps the key of a server seen for the first time; `false` when another has been kept meanwhile. */
  readonly pin: (hostKey: HostKeyPin) => Promise<boolean>;
}

/** How an attempt took what an earlier attempt had left; absent when there was nothing to go on with. */
interface Continued {
  readonly readBack?: ReadBack | undefined;
}

/** What came of one attempt. `refused`: the server may not be connected to; `paused`: there is more to send. */
export type PushOutcome =
  | ({ readonly kind: 'sent' | 'paused' } & Continued)
  | { readonly kind: 'refused' }
  | ({ readonly kind: 'failed'; readonly reason: string } & Continued);

/** Puts a file on a server once, until a time (epoch milliseconds). Never throws for what the other side does. */
export type FilePusher = (target: SftpTarget, file: OutgoingUpload, until: number) => Promise<PushOutcome>;

interface PusherDeps {
  readonly resolve: Resolve;
  readonly privateTargets: PrivateTargets;
  readonly clock: Clock;
  /** A number from 0 to 1: which samples of a large unfinished file are compared. */
  readonly random: () => number;
  /** See `SshLogin`. */
  readonly idleMs?: number;
}

/** A pusher that only connects to addresses it has checked, and sends nothing before the server's key is kept. */
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
      // One that was only named is kept with its type, now that it has come.
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

/** Reasons in our own words. What we did not expect is thrown on: it is a bug, or a store of ours that fails. */
const reasonOf = (error: unknown): string => {
  if (error instanceof SftpRefusedError || error instanceof SftpFailedError || error instanceof FileCutError)
    return error.message;
  if (isNameFailure(error)) return UNREACHABLE;
  throw error;
};

const isNameFailure = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo';
