/** Paced calls: sends a call to the table at the rate of its load class, and again while the table throttles it. */
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { isNamed, isThrottle } from '../runtime/aws-errors.ts';
import { noteThrottle, noteUnits } from '../runtime/deadline.ts';
import type { Pause } from '../runtime/pause.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import type { RateControl } from './rate-control.ts';

/** Asks DynamoDB for the units that a call consumed: rates are in units. */
export const countUnits = { ReturnConsumedCapacity: 'TOTAL' } as const;

/** The part of an answer that tells the consumed units. */
export interface Metered {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined;
}

/** The table throttled a whole call and carried out nothing of it. */
export class ThrottledCall {
  /** Whether an earlier attempt of the SDK may have been carried out without an answer. */
  readonly mayBeDone: boolean;

  constructor(error: unknown) {
    this.mayBeDone = wasSentBefore(error);
  }
}

/** Whether the SDK had sent a call before the attempt that failed with this error. */
export const wasSentBefore = (error: unknown): boolean => {
  const sent = v.safeParse(sentError, error);
  return sent.success && (sent.output.$metadata.attempts ?? 1) > 1;
};

const sentError = v.looseObject({ $metadata: v.looseObject({ attempts: v.optional(v.number()) }) });

/** One call. */
interface PacedCall<Output> {
  readonly control: RateControl;
  /** The number of its items, which is an estimate of its units. */
  readonly items: number;
  readonly send: () => Promise<Output>;
  /** How many of the items the table throttled. */
  readonly throttledOf?: (output: Output) => number;
}

/** Sends a call when its rate allows it, and reports the outcome to the control. */
export const sendPaced = async <Output extends Metered>({
  control,
  items,
  send,
  throttledOf = () => 0,
}: PacedCall<Output>): Promise<Output | ThrottledCall> => {
  await control.admit(items);
  const report = (served: number, throttled: number): void => {
    if (throttled > 0) noteThrottle();
    noteUnits(served);
    control.answered({ admitted: items, served, throttled });
  };
  try {
    const output = await send();
    const throttled = throttledOf(output);
    report(unitsOf(output) ?? items - throttled, throttled);
    return output;
  } catch (error) {
    report(0, isThrottle(error) ? items : 0);
    // A transaction on the same item comes between: as little was carried out, and the rate is not to blame.
    if (isThrottle(error) || isNamed(error, 'TransactionConflictException')) return new ThrottledCall(error);
    throw error;
  }
};

/** The units that a call consumed; `undefined` when its answer does not tell. */
export const unitsOf = ({ ConsumedCapacity: consumed = [] }: Metered): number | undefined => {
  const parts = [consumed].flat();
  return parts.length === 0 ? undefined : parts.reduce((sum, one) => sum + (one.CapacityUnits ?? 0), 0);
};

/**
 * Sends a call that the table serves as a whole or not at all, again and again while the table throttles it. Throws
 * `UnavailableError` when the deadline of the work passes.
 */
export const untilServed = <Output extends Metered>(
  { pause, control }: { readonly pause: Pause; readonly control: RateControl },
  send: () => Promise<Output>,
): Promise<Output> =>
  retryOnConflict({ pause, what: 'table: a throttled call', patience: control.patience }, async () => {
    const answer = await sendPaced({ control, items: 1, send });
    return answer instanceof ThrottledCall ? 'conflict' : done(answer);
  });
