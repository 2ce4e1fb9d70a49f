/**
 * Looks: how long a writer of profiles may go by what it has seen of the facts that decide segments besides the profiles,
 * and when every writer knows a new one. Such a fact is a version of the brand catalogue.
 */
import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Derivations, DerivationSource } from './derivation.ts';

/** What a writer has seen. */
export interface Look {
  readonly derivations: Derivations;
  /** Epoch milliseconds of the writer's clock. A profile write that goes by this look leaves before that time. */
  readonly until: number;
}

/** Ports of a look. */
export interface LookDeps {
  readonly clock: Clock;
  readonly derivations: Pick<DerivationSource, 'of'>;
}

const LOOK_MS = limits.segments.lookSeconds * 1000;

/**
 * Looks at what decides the segments of a property. The clock is read first: a process may stand still behind its read, and what it has read
 * grows old meanwhile. Throws when the facts cannot be read.
 */
export const look = async ({ clock, derivations }: LookDeps, property: number): Promise<Look> => {
  const until = clock() + LOOK_MS;
  return { derivations: await derivations.of(property), until };
};

const REFRESH_MS = limits.brands.refreshSeconds * 1000;

/**
 * Milliseconds after a fact was stored until no profile write without it can arrive any more: every process has read the
 * fact, the last writes by an earlier look have left, and have arrived. From then on every profile write announces the
 * memberships that follow from the fact. `marginMs` covers clock skew and writes in flight.
 */
export const propagationMs = (marginMs: number): number => REFRESH_MS + LOOK_MS + marginMs;
