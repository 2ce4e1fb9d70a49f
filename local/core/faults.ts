import { seededRandom } from './seeded-random.ts';

/** A fault of an AWS call. `partial` concerns batches only; `lost` drops the answer after the call took effect. */
export type CallFault = 'throttle' | 'error' | 'lost' | 'partial';

/**
 * Faults that the services inject: into the deliveries of SQS and EventBridge, into the events of Transfer Family, and
 * into the function workers.
 */
type OtherFault = 'duplicate' | 'reorder' | 'lose' | 'kill';

/** Seeded fault injection. The n-th PutObject of a caller meets the same fault in every run. */
export interface Faults {
  readonly seed: number;
  readonly rate: number;
  /** The fault of the next call of this action by this caller; undefined for none. */
  call(caller: string, action: string): { readonly fault: CallFault; readonly random: number } | undefined;
  /** Whether to disturb the next event of this kind and key (queue name, function name, …). */
  decide(kind: OtherFault, key: string): boolean;
  /** A number in [0, 1) by kind, key and sequence, for example the time of a kill. */
  random(kind: string, key: string): number;
}

const CALL_FAULTS: readonly CallFault[] = ['throttle', 'error', 'lost', 'partial'];

/** The same faults, except for the callers and functions that prepare the application for others. */
export const sparing = (faults: Faults, isSpared: (name: string) => boolean): Faults => ({
  ...faults,
  call: (caller, action) => (isSpared(caller) ? undefined : faults.call(caller, action)),
  decide: (kind, key) => !isSpared(key) && faults.decide(kind, key),
});

/** Parses `--faults <seed>:<rate>` with a rate from 0 to 1. Throws for other texts. */
export const parseFaults = (text: string): Faults => {
  const match = /^(\d{1,15}):(\d+(?:\.\d+)?|\.\d+)$/.exec(text);
  const rate = Number(match?.[2]);
  if (!match || !(rate >= 0 && rate <= 1)) throw new Error(`--faults takes <seed>:<rate>, not ${text}`);
  return createFaults(Number(match[1]), rate);
};

/** Creates the faults of a seed, at a rate per decision. */
export const createFaults = (seed: number, rate: number): Faults => {
  const random = seededRandom(seed);
  return {
    seed,
    rate,
    random,
    decide: (kind, key) => random(kind, key) < rate,
    call: (caller, action) => {
      const drawn = random('call', `${caller}\n${action}`);
      if (drawn >= rate) return undefined;
      const fault = CALL_FAULTS[Math.floor((drawn / rate) * CALL_FAULTS.length)] ?? 'error';
      return { fault, random: random('detail', `${caller}\n${action}`) };
    },
  };
};
