import type { Faults } from '../../core/faults.ts';
import type { BusEvent } from './object-created.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import type { Deliver, Target } from './targets.ts';

/** A rule of the bus. `pattern` is the event pattern as the template writes it. */
export interface Rule {
  readonly arn: string;
  readonly pattern: unknown;
  readonly targets: readonly Target[];
}

interface CompiledRule {
  readonly arn: string;
  readonly matches: Pattern;
  readonly targets: readonly Target[];
}

/**
 * Builds the bus. `faults` sends some events to a target twice, because EventBridge delivers at least once. Throws when
 * a pattern uses a filter that the bus does not know.
 */
export const createBus = (rules: readonly Rule[], deliver: Deliver, faults?: Faults) => {
  const compiled = rules.map(({ arn, pattern, targets }): CompiledRule => ({
    arn,
    matches: compilePattern(pattern),
    targets,
  }));
  let busy = 0;
  return {
    /** Sends an event to the targets of every rule that it matches. */
    put: async (event: BusEvent) => {
      busy += 1;
      try {
        const hit = compiled.filter(({ matches }) => matches(event));
        const deliveries = hit.flatMap(({ arn, targets }) =>
          targets.flatMap((target) => {
            const sender = { principal: 'events.amazonaws.com', sourceArn: arn };
            const times = faults?.decide('duplicate', arn) === true ? 2 : 1;
            return Array.from({ length: times }, () => deliver(target, sender, JSON.stringify(event)));
          }),
        );
        await Promise.all(deliveries);
      } finally {
        busy -= 1;
      }
    },
    /** Deliveries in progress. */
    busy: (): number => busy,
  };
};

/** The default event bus. */
export type Bus = ReturnType<typeof createBus>;
