/** Storage checks: find missing parts of queues, buckets, keys, topics and roles. */
import { compilePolicy } from '../../core/iam.ts';
import { policiesOfQueue } from '../resource-policies.ts';
import { policyOfRole } from '../callers.ts';
import type { Deployment } from '../deployment.ts';

/** Problems of queues, buckets, keys, topics and roles. */
export const storageProblems = (deployment: Deployment): readonly string[] => [
  ...queueProblems(deployment),
  ...deployment.buckets
    .filter(({ name }) => !deployment.bucketPolicies.some(({ properties }) => properties.Bucket === name))
    .map(({ name }) => `${name}: the bucket has no policy`),
  ...deployment.topics
    .filter(({ ref }) => !deployment.topicPolicies.some(({ properties }) => properties.Topics.includes(ref)))
    .map(({ name }) => `${name}: the topic has no policy`),
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

const queueProblems = (deployment: Deployment): readonly string[] => {
  const dead = deadLetterArns(deployment);
  const known = new Set(deployment.queues.map(({ attributes }) => attributes['Arn']));
  return deployment.queues.flatMap(({ name, ref, attributes, properties }) => {
    const problems: string[] = [];
    const arn = attributes['Arn'] ?? '';
    const target = properties.RedrivePolicy?.deadLetterTargetArn;
    if (policiesOfQueue(deployment, ref).length === 0) problems.push('the queue has no policy');
    if (dead.has(arn)) return problems.map((problem) => `${name}: ${problem}`);
    if (target === undefined || !known.has(target)) problems.push('the queue has no dead-letter queue');
    if (!deployment.mappings.some((mapping) => mapping.properties.EventSourceArn === arn))
      problems.push('nothing reads the queue');

    return problems.map((problem) => `${name}: ${problem}`);
  });
};

/** A role must have at least one statement, and only statements that the policy evaluator understands. */
const roleProblems = (deployment: Deployment): readonly string[] =>
  deployment.roles.flatMap((role) => {
    const policy = policyOfRole(deployment, role);
    if (policy.length === 0) return [`${role.name}: the role has no policy`];
    try {
      compilePolicy(policy);
      return [];
    } catch (error) {
      return [`${role.name}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
