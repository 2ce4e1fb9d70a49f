import type { DeployedOf } from '../../assembly/deployment.ts';
import type { BusEvent } from './object-created.ts';
import { compilePattern } from './pattern.ts';
import type { Pattern } from './pattern.ts';
import type { Deliver, Target } from './targets.ts';

/** The default event bus. */
export interface Bus {
  /** Sends an event to the targets of every rule that it matches. */
  put(event: BusEvent): Promise<void>;
  /** Deliveries under way. */
  busy(): number;
}

interface CompiledRule {
  readonly arn: string;
  readonly matches: Pattern;
  readonly targets: readonly Target[];
}

/** Targets of a rule in the delivery's terms. */
export const targetsOf = (
  rule: DeployedOf<'rules'>,
): readonly (Target & { readonly input?: string | undefined })[] =>
  rule.properties.Targets.map((target) => ({
    arn: target.Arn,
    roleArn: target.RoleArn,
    groupId: target.SqsParameters?.MessageGroupId,
    deadLetters: target.DeadLetterConfig?.Arn,
    input: target.Input,
  }));

/** Builds the bus from the rules that have a pattern. Throws when a pattern uses a filter that is not known. */
export const createBus = (rules: readonly DeployedOf<'rules'>[], deliver: Deliver): Bus => {
  const compiled = rules.flatMap((rule): CompiledRule[] => {
    const { EventPattern, State } = rule.properties;
    if (EventPattern === undefined || State === 'DISABLED') return [];
    const arn = rule.attributes['Arn'] ?? '';
    return [{ arn, matches: compilePattern(EventPattern), targets: targetsOf(rule) }];
  });
  let busy = 0;
  return {
    put: async (event) => {
      busy += 1;
      try {
        const hit = compiled.filter(({ matches }) => matches(event));
        const deliveries = hit.flatMap(({ arn, targets }) =>
          targets.map((target) =>
            deliver(target, { principal: 'events.amazonaws.com', sourceArn: arn }, JSON.stringify(event)),
          ),
        );
        await Promise.all(deliveries);
      } finally {
        busy -= 1;
      }
    },
    busy: () => busy,
  };
};
