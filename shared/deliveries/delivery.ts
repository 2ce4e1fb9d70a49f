/** Delivery: a message or file about an ended job on its way to a client, with the log of its attempts, as stored. */
import * as v from 'valibot';
import { readBackWays } from '../sftp/read-back.ts';

const nullableTime = v.nullable(v.number());

/**
 * Outcomes of an attempt: `paused` when more is left to send, `interrupted` when the attempt never reported an outcome.
 */
export const attemptOutcomes = ['sending', 'delivered', 'failed', 'paused', 'interrupted'] as const;

/** An attempt at a delivery. It holds neither the content that was sent nor any text of the receiver. */
const deliveryAttempt = v.object({
  /** From 1, counted through all replays. */
  number: v.number(),
  /** 0 before the first replay. */
  replay: v.number(),
  started: v.number(),
  /** `null` while the attempt is under way, and for an interrupted attempt. */
  ended: nullableTime,
  outcome: v.picklist(attemptOutcomes),
  /** Status that a webhook answered; `null` without an answer. */
  http_status: v.nullable(v.number()),
  /** How a push checked the file of an earlier attempt; `null` when there was no such file. */
  read_back: v.nullable(v.picklist(readBackWays)),
  error: v.nullable(v.string()),
  /** What the client should know of an attempt that delivered. */
  remark: v.nullable(v.string()),
});
export type DeliveryAttempt = v.InferOutput<typeof deliveryAttempt>;

/**
 * States of a delivery: `waiting` for its first attempt, `sending` during an attempt, `retrying` after a failed attempt.
 * `delivered` and `exhausted` are final until a client asks for a replay.
 */
export const deliveryStates = ['waiting', 'sending', 'retrying', 'delivered', 'exhausted'] as const;

/** Schema of a stored delivery of one of these kinds. */
export const deliveryItem = <const Kinds extends readonly string[]>(kinds: Kinds) =>
  v.object({
    kind: v.picklist(kinds),
    state: v.picklist(deliveryStates),
    /** Replays that clients asked for. */
    replays: v.number(),
    /** Attempts through all replays. It identifies the newest attempt and never decreases: a fencing token. */
    begun: v.number(),
    /** Attempts since the last replay; paused attempts do not count. */
    attempts: v.number(),
    first_attempt: nullableTime,
    last_attempt: nullableTime,
    last_error: v.nullable(v.string()),
    /** While `sending`, the end of the attempt's lease. */
    next_attempt: nullableTime,
    delivered: nullableTime,
    /** The newest attempts, the oldest of them first. */
    log: v.array(deliveryAttempt),
  });

/** A delivery of one of the kinds. */
export type Delivery<Kind extends string> = v.InferOutput<ReturnType<typeof deliveryItem<readonly Kind[]>>>;
