import { hash } from 'node:crypto';

/** What may happen to an AWS call; `partial` only to batches, `lost` after the call was applied. */
export type CallFault = 'throttle' | 'error' | 'lost' | 'partial';

/** Kinds of disturbance that others decide here: of SQS deliveries and of the function workers. */
type OtherFault = 'duplicate' | 'reorder' | 'kill';

/**
 * Seeded disturbance. A decision depends on the seed, what is decided and how often that was asked before, never on
 * what else goes on: the n-th PutObject of a caller meets the same fate in every run, whatever the interleaving.
 */
export interface Faults {
  readonly seed: number;
  readonly rate: number;
  /** Fate of the next call of this action by this caller; undefined lets it pass. */
  call(caller: string, action: string): { readonly fault: CallFault; readonly random: number } | undefined;
  /** Whether the next event of this kind and key (queue name, function name, …) is disturbed. */
  decide(kind: OtherFault, key: string): boolean;
  /** A number in [0, 1) that belongs to (kind, key, sequence): when to kill, whom to swap. */
  random(kind: string, key: string): number;
}

const CALL_FAULTS: readonly CallFault[] = ['throttle', 'error', 'lost', 'partial'];

/** Parses `--faults <seed>:<rate>`, rate between 0 and 1. Throws on anything else. */
export const parseFaults = (text: string): Faults => {
  const match = /^(\d{1,15}):(\d+(?:\.\d+)?|\.\d+)$/.exec(text);
  const rate = Number(match?.[2]);
  if (!match || !(rate >= 0 && rate <= 1)) throw new Error(`--faults takes <seed>:<rate>, not ${text}`);
  return createFaults(Number(match[1]), rate);
};

/** Faults of a seed at a rate per decision. */
export const createFaults = (seed: number, rate: number): Faults => {
  const sequences = new Map<string, number>();
  const random = (kind: string, key: string): number => {
    const name = `${kind}\n${key}`;
    const sequence = sequences.get(name) ?? 0;
    sequences.set(name, sequence + 1);
    return fraction(`${seed}\n${name}\n${sequence}`);
  };
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

/** The first 48 bits of a hash as a fraction: even, and the same on every machine. */
const fraction = (text: string): number => parseInt(hash('sha256', text, 'hex').slice(0, 12), 16) / 2 ** 48;
