/** Message return: when a failed message comes back, and whether the failure counts towards the dead letters. */
import { limits } from '../config/limits.ts';
import { isBusy } from '../runtime/busy.ts';

/**
 * Why a message is not done. `busy`: a service is busy (`isBusy`), or no time was left for the message; this passes without
 * anybody's help. `failed`: anything else, which may be a bug.
 */
export type NotDone = 'busy' | 'failed';

/**
 * Why a message is not done that ended with this error. A message that was copied for hours (`seconds` since its first copy)
 * waits for nothing that passes by itself, so it counts as failed.
 */
export const notDoneBy = (error: unknown, seconds: number): NotDone =>
  isBusy(error) && seconds < limits.queues.busySeconds ? 'busy' : 'failed';

/** The facts that decide when a message comes back. */
interface Return {
  readonly cause: NotDone;
  /** From 1. */
  readonly receiveCount: number;
  /** Whether the queue is ordered: the message blocks its group meanwhile. */
  readonly isOrdered: boolean;
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: number;
}

/**
 * Seconds until a message comes back. Jitter spreads messages that failed together. Pauses after a failure grow, so that
 * the last receive comes late enough for a repair.
 */
export const returnSeconds = ({ cause, receiveCount, isOrdered, random }: Return): number => {
  const { unordered, ordered } = limits.queues.returnSeconds;
  const { least, most, longest } = isOrdered ? ordered : unordered;
  if (cause === 'busy') return Math.round(least + random * (most - least));
  const grown = Math.min(longest, least * 4 ** (receiveCount - 1));
  return Math.round(grown * (0.5 + random / 2));
};

/** Whether the handler replaces a message by a copy, which starts with all its receives. Only a busy service never ends one. */
export const isCopied = (cause: NotDone, receiveCount: number): boolean =>
  cause === 'busy' && receiveCount >= limits.queues.copyAtReceive;
