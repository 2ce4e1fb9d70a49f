/** Storage checks: find keys without a place, and roles that cannot be evaluated. */
import { compilePolicy } from '../../core/iam.ts';
import { policyOfRole } from '../callers.ts';
import type { Deployment } from '../deployment.ts';

/** Problems of keys and roles. */
export const storageProblems = (deployment: Deployment): readonly string[] => [
  ...deployment.aliases.flatMap(({ name, properties }) =>
    deployment.keys.some((key) => [key.ref, key.attributes['Arn']].includes(properties.TargetKeyId))
      ? []
      : [`${name}: the alias names no key`],
  ),
  ...roleProblems(deployment),
];

/** ARNs of the dead-letter queues. */
export const deadLetterArns = (deployment: Deployment): ReadonlySet<string> =>
  new Set(
    [
      ...deployment.queues.map(({ properties }) => properties.RedrivePolicy?.deadLetterTargetArn),
      ...deployment.schedules.map(({ properties }) => properties.Target.DeadLetterConfig?.Arn),
      ...deployment.rules.flatMap(({ properties }) =>
        properties.Targets.map(({ DeadLetterConfig }) => DeadLetterConfig?.Arn),
      ),
    ].filter((arn) => arn !== undefined),
  );

/** A role may have only statements that the policy evaluator understands. */
const roleProblems = (deployment: Deployment): readonly string[] =>
  deployment.roles.flatMap((role) => {
    try {
      compilePolicy(policyOfRole(deployment, role));
      return [];
    } catch (error) {
      return [`${role.name}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
