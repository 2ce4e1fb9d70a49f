/** SFTP pusher: makes one attempt to put a file on the server of a client. */
import type { Clock } from '../runtime/clock.ts';
import type { PrivateTargets } from '../webhooks/addresses.ts';
import type { Resolve } from '../webhooks/checked-addresses.ts';
import type { SftpSession } from './connect.ts';
import { failureOf, type SftpFailure, type SftpStep } from './failure.ts';
import { olderPath } from './give-name.ts';
import type { OutgoingUpload } from './outgoing.ts';
import { openPinned, type SftpTarget } from './pinned-session.ts';
import { putFile, type PutOutcome } from './put-file.ts';
import type { ReadBack } from './read-back.ts';
import { requestsOf } from './requests.ts';

/** How an attempt checked the file of an earlier attempt; absent when there was no such file. */
interface Continued {
  readonly readBack?: ReadBack | undefined;
}

/**
 * The outcome of one attempt. `sent` may have a remark. `refused`: the service does not connect to this server. `paused`:
 * more is left to send. `superseded`: a newer file has the name, so this file was not given it.
 */
export type PushOutcome =
  | ({ readonly kind: 'sent'; readonly remark?: string | undefined } & Continued)
  | ({ readonly kind: 'paused' | 'superseded' } & Continued)
  | { readonly kind: 'refused' }
  | ({ readonly kind: 'failed' } & SftpFailure & Continued);

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
    let step: SftpStep = 'connect';
    let readBack: ReadBack | undefined;
    try {
      session = await openPinned(target, { resolve, privateTargets, idleMs });
      const outcome = await putFile(requestsOf(session.sftp), file, {
        way: target.way,
        ...{ clock, until, random },
        onReadBack: (way) => (readBack = way),
        onStep: (next) => (step = next),
      });
      if (outcome === 'paused' || outcome === 'superseded') return { kind: outcome, readBack };
      return { kind: 'sent', remark: remarkOf(outcome, file), readBack };
    } catch (error) {
      const failure = failureOf(error, step);
      return failure.step === 'address' ? { kind: 'refused' } : { kind: 'failed', ...failure, readBack };
    } finally {
      session?.close();
    }
  };

/** What the receiver should know of a file that was sent. */
const remarkOf = (
  outcome: Exclude<PutOutcome, 'paused' | 'superseded'>,
  file: OutgoingUpload,
): string | undefined => {
  switch (outcome) {
    case 'sent':
      return undefined;
    case 'taken':
      return 'the file was gone once it was closed: the server took it, so its size was not checked';
    case 'older_left':
      return `the server refused to remove the older file: it stays as ${olderPath(file)}`;
  }
};
