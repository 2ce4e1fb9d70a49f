/**
 * Conventions of the stacks: queues, buckets, topics and roles have policies, queues have readers and dead letters, and the
 * API has a route for what no route takes.
 */
import { deadLetterArns } from '../../../local/assembly/checks/storage.ts';
import { policyOfRole } from '../../../local/assembly/callers.ts';
import type { Deployment } from '../../../local/assembly/deployment.ts';
import { policiesOfQueue } from '../../../local/assembly/resource-policies.ts';

/** Resources that lack a part without which AWS would run them otherwise than the service means it. */
export const conventionProblems = (deployment: Deployment): readonly string[] => [
  ...queueProblems(deployment),
  ...deployment.buckets
    .filter(({ name }) => !deployment.bucketPolicies.some(({ properties }) => properties.Bucket === name))
    .map(({ name }) => `${name}: the bucket has no policy`),
  ...deployment.topics
    .filter(({ ref }) => !deployment.topicPolicies.some(({ properties }) => properties.Topics.includes(ref)))
    .map(({ name }) => `${name}: the topic has no policy`),
  ...deployment.roles
    .filter((role) => policyOfRole(deployment, role).length === 0)
    .map(({ name }) => `${name}: the role has no policy`),
  ...(deployment.routes.some(({ properties }) => properties.RouteKey === '$default')
    ? []
    : ['the API has no $default route']),
];

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
