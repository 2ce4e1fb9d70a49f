/** SFTP pusher: makes one attempt to put a file on the server of a client. */
import type { Clock } from '../runtime/clock.ts';
import type { PrivateTargets } from '../webhooks/addresses.ts';
import type { Resolve } from '../webhooks/checked-addresses.ts';
import { SftpRefusedError, UNREACHABLE, type SftpSession } from './connect.ts';
import type { OutgoingUpload } from './outgoing.ts';
import { openPinned, type SftpTarget } from './pinned-session.ts';
import { FileCutError, putFile } from './put-file.ts';
import type { ReadBack } from './read-back.ts';
import { requestsOf, SftpFailedError } from './requests.ts';

/** How an attempt checked the file of an earlier attempt; absent when there was no such file. */
interface Continued {
  readonly readBack?: ReadBack | undefined;
}

/**
 * The outcome of one attempt. `refused`: the service does not connect to this server. `paused`: more is left to send.
 * `superseded`: a newer file has the name, so this file was not given it.
 */
export type PushOutcome =
  | ({ readonly kind: 'sent' | 'paused' | 'superseded' } & Continued)
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
      session = await openPinned(target, { resolve, privateTargets, idleMs });
      const kind = await putFile(requestsOf(session.sftp), file, { clock, until, random, onReadBack });
      return { kind, readBack };
    } catch (error) {
      if (error instanceof SftpRefusedError && error.step === 'address') return { kind: 'refused' };
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
