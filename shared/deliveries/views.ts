/** Views of deliveries: the form in which the API shows them, and its schemas. */
import * as v from 'valibot';
import { isoTime } from '../runtime/clock.ts';
import { readBackWays } from '../sftp/read-back.ts';
import { attemptOutcomes, type Delivery, type DeliveryAttempt, deliveryStates } from './delivery.ts';

const time = v.pipe(v.string(), v.isoTimestamp());
const nullableTime = v.nullable(time);

/** Schema of a delivery in an answer. */
export const shownDeliveryOf = <const Kinds extends readonly string[]>(kinds: Kinds) =>
  v.object({
    id: v.string(),
    kind: v.picklist(kinds),
    state: v.picklist(deliveryStates),
    attempts: v.number(),
    replays: v.number(),
    last_attempt: nullableTime,
    last_error: v.nullable(v.string()),
    next_attempt: nullableTime,
    delivered: nullableTime,
  });

/** Schema of the newest attempts at a delivery, the newest first. */
export const shownLog = v.array(
  v.object({
    number: v.number(),
    replay: v.number(),
    started: time,
    duration_ms: v.nullable(v.number()),
    outcome: v.picklist(attemptOutcomes),
    http_status: v.nullable(v.number()),
    read_back: v.nullable(v.picklist(readBackWays)),
    error: v.nullable(v.string()),
  }),
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
