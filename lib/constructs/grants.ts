import { Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Grant } from '../../functions/grants.ts';
import type { Reachable, Reachables } from './service.ts';

const bucketActions = new Set(['s3:ListBucket', 's3:ListBucketMultipartUploads']);

/** IAM distinguishes the objects of a bucket from the bucket itself. */
const statementsOf = (
  { arn, alsoArns = [], demands }: Reachable,
  actions: readonly string[],
): PolicyStatement[] => {
  const isS3 = actions.some((action) => action.startsWith('s3:'));
  if (!isS3) {
    const statement = allow(actions, [arn, ...alsoArns]);
    if (demands !== undefined) statement.addCondition('StringEquals', demands);
    return [statement];
  }
  const onBucket = actions.filter((action) => bucketActions.has(action));
  const onObjects = actions.filter((action) => !bucketActions.has(action));
  return [
    ...(onBucket.length > 0 ? [allow(onBucket, [arn])] : []),
    ...(onObjects.length > 0 ? [allow(onObjects, [`${arn}/*`])] : []),
  ];
};

/** One statement that allows `actions` on `resources`. */
export const allow = (actions: readonly string[], resources: readonly string[]): PolicyStatement =>
  new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [...resources] });

/**
 * The policy of a function: the actions that it is granted, each on its resource, and writes to its own log group.
 * The keys of tables, buckets and queues admit the services through policies of their own.
 */
export const policyOf = (
  grants: readonly Grant[],
  reachables: Reachables,
  logGroupArn: string,
): PolicyDocument => {
  const statements = grants.flatMap(({ to, actions }) => {
    const target = reachables[to];
    if (target === undefined) throw new Error(`No stack created ${to} before the function that uses it`);
    const { earlierArns = [] } = target;
    const reading = actions.filter((action) => action === 'kms:Decrypt');
    return [
      ...statementsOf(target, actions),
      ...(reading.length > 0 && earlierArns.length > 0 ? [allow(reading, earlierArns)] : []),
    ];
  });
  const logs = allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroupArn]);
  return new PolicyDocument({ statements: [...statements, logs] });
};
