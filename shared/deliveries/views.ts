/** Views of deliveries: the form in which the API shows them, and its schemas. */
import * as v from 'valibot';
import { described } from '../http/described.ts';
import { isoTime } from '../runtime/clock.ts';
import { readBackWays } from '../sftp/read-back.ts';
import { attemptOutcomes, type Delivery, type DeliveryAttempt, deliveryStates } from './delivery.ts';

const time = v.pipe(v.string(), v.isoTimestamp());
const nullableTime = v.nullable(time);

/** Schema of a delivery in an answer. */
export const shownDeliveryOf = <const Kinds extends readonly string[]>(kinds: Kinds) =>
  v.object({
    id: described('The id of the delivery, for reading its log and for replaying it.', v.string()),
    kind: described('The way in which the file or the notice is delivered.', v.picklist(kinds)),
    state: described(
      'Where the delivery stands. `retrying`: the last attempt failed, and another comes. `exhausted`: no attempt comes any more.',
      v.picklist(deliveryStates),
    ),
    attempts: described(
      'How many attempts began since the last replay. Paused attempts do not count.',
      v.pipe(v.number(), v.integer()),
    ),
    replays: described('How often a client asked for a replay.', v.pipe(v.number(), v.integer())),
    last_attempt: described('When the newest attempt began. Null before the first attempt.', nullableTime),
    last_error: described(
      'Why the last attempt failed, in the words of the service. Null if it did not fail.',
      v.nullable(v.string()),
    ),
    next_attempt: described(
      'When the next attempt is due; during an attempt, when the service gives the attempt up. Null if no attempt will follow.',
      nullableTime,
    ),
    delivered: described('When the delivery succeeded. Null until then.', nullableTime),
  });

/** Schema of the newest attempts at a delivery, the newest first. */
export const shownLog = described(
  'The newest attempts, the newest first.',
  v.array(
    v.object({
      number: described(
        'The number of the attempt, counted from 1 through all replays.',
        v.pipe(v.number(), v.integer()),
      ),
      replay: described(
        'The replay that the attempt belongs to. 0 is the first delivery.',
        v.pipe(v.number(), v.integer()),
      ),
      started: described('When the attempt began.', time),
      duration_ms: described(
        'How long the attempt took, in milliseconds. Null while it lasts, and if it was interrupted.',
        v.nullable(v.pipe(v.number(), v.integer())),
      ),
      outcome: described(
        'How the attempt ended. `paused`: the time of one attempt was too short for the file. `interrupted`: the attempt never reported a result.',
        v.picklist(attemptOutcomes),
      ),
      http_status: described(
        'The HTTP status that the webhook answered. Null without an answer, and for other kinds.',
        v.nullable(v.pipe(v.number(), v.integer())),
      ),
      read_back: described(
        'How an SFTP attempt checked what an earlier attempt had sent. `from_start`: it sent the file again. Null if there was nothing to check.',
        v.nullable(v.picklist(readBackWays)),
      ),
      error: described(
        'Why the attempt failed, in the words of the service. Null for an attempt that did not fail.',
        v.nullable(v.string()),
      ),
      remark: described(
        'What you should know of an attempt that delivered, for example that the server took the file at once. Null without a remark.',
        v.nullable(v.string()),
      ),
    }),
  ),
);

/** The view of a delivery. */
export const shownDelivery = <Kind extends string>(id: string, delivery: Delivery<Kind>) => ({
  id,
  kind: delivery.kind,
  state: delivery.state,
  attempts: delivery.attempts,
  replays: delivery.replays,
  last_attempt: timeOrNull(delivery.last_attempt),
  last_error: delivery.last_error,
  next_attempt: timeOrNull(delivery.next_attempt),
  delivered: timeOrNull(delivery.delivered),
});

/** The view of a delivery with its attempts, the newest first. */
export const shownDeliveryLog = <Kind extends string>(id: string, delivery: Delivery<Kind>) => ({
  ...shownDelivery(id, delivery),
  log: delivery.log.toReversed().map(attemptView),
});

const attemptView = ({ started, ended, ...attempt }: DeliveryAttempt) => ({
  ...attempt,
  started: isoTime(started),
  duration_ms: ended === null ? null : ended - started,
});

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
