/** Begin replay: makes a delivery wait for new attempts, at the request of a client. */
import { problems, type Problem } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { Versioned } from '../table/versioned.ts';
import type { Delivery } from './delivery.ts';
import { newDelivery } from './delivery-state.ts';
import type { StoredDelivery } from './make-attempt.ts';

interface Replay<Kind extends string> {
  /** The delivery as read. */
  readonly seen: Versioned<Delivery<Kind>>;
  readonly now: number;
  /** The number of the replay that the request makes: `next`, unless an earlier try of the request has a number. */
  readonly numberOf: (next: number) => Promise<number>;
  /** Stores what starts the attempts if this function dies before it starts them itself. */
  readonly promise: () => Promise<void>;
  readonly update: StoredDelivery<Kind>['update'];
}

/**
 * Makes a delivery wait for its next attempt, with three new days of retries, whatever its state. 409 while an attempt is
 * under way. Changes nothing when an earlier try of the same request has begun its replay.
 */
export const beginReplay = async <Kind extends string>({
  seen,
  now,
  numberOf,
  promise,
  update,
}: Replay<Kind>): Promise<Result<Delivery<Kind>, Problem>> => {
  const isRepeated = seen.value.replays >= (await numberOf(seen.value.replays + 1));
  if (!isRepeated && isUnderWay(seen.value, now)) return err(underWay);
  await promise();
  if (isRepeated) return ok(seen.value);
  const after = newDelivery(seen.value.kind, seen.value);
  // Refused when another writer began an attempt or a replay in between.
  return (await update(after, { w: seen.w })) === 'refused' ? err(underWay) : ok(after);
};

const underWay = problems.conflict(
  'delivery_in_progress',
  'An attempt is under way; its outcome shows soon.',
);

const isUnderWay = ({ state, next_attempt }: Delivery<string>, now: number): boolean =>
  state === 'sending' && (next_attempt ?? 0) > now;
