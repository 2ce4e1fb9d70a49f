/** Key policies: decide whether a caller may use the key of an encrypted queue, bucket, table or topic. */
import { ACCOUNT, REGION } from '../core/arn.ts';
import { compilePolicy, type Verdict } from '../core/iam.ts';
import type { KeyGuard, KeyUser } from '../core/key-guard.ts';
import type { ResourceStatement } from '../core/policy-documents.ts';
import type { NeededPermission } from '../core/types.ts';
import type { Deployment } from './deployment.ts';

/** A resource that is encrypted with a key of the template. */
interface Encrypted {
  readonly keyArn: string;
  /** The encryption context that the service of the resource sends to KMS. */
  readonly context: Readonly<Record<string, string>>;
}

/**
 * The uses of a key by each call, from the chapters about KMS in the guides of SQS, SNS, S3 and DynamoDB. S3 decrypts
 * during multipart uploads, which IAM does not tell from other uploads.
 */
const keyActions: Readonly<Record<string, readonly string[]>> = {
  'sqs:SendMessage': ['kms:GenerateDataKey', 'kms:Decrypt'],
  'sqs:ReceiveMessage': ['kms:Decrypt'],
  'sns:Publish': ['kms:GenerateDataKey', 'kms:Decrypt'],
  's3:GetObject': ['kms:Decrypt'],
  's3:PutObject': ['kms:GenerateDataKey', 'kms:Decrypt'],
};

const actionsOf = (action: string): readonly string[] =>
  keyActions[action] ?? (/^dynamodb:(?!Describe|List)/.test(action) ? ['kms:Decrypt'] : []);

const encryptedBuckets = ({ buckets }: Deployment): readonly (readonly [string, Encrypted])[] =>
  buckets.flatMap(({ attributes, properties }) => {
    const [rule] = properties.BucketEncryption?.ServerSideEncryptionConfiguration ?? [];
    const keyArn = rule?.ServerSideEncryptionByDefault?.KMSMasterKeyID;
    const bucketArn = attributes['Arn'] ?? '';
    // Without a bucket key the context would name each object.
    if (keyArn === undefined || rule?.BucketKeyEnabled !== true) return [];
    return [[bucketArn, { keyArn, context: { 'aws:s3:arn': bucketArn } }] as const];
  });

/** The encrypted resources by ARN. */
const encryptedOf = (deployment: Deployment): ReadonlyMap<string, Encrypted> =>
  new Map<string, Encrypted>([
    ...deployment.queues.flatMap(({ attributes, properties }) => {
      const [arn, keyArn] = [attributes['Arn'] ?? '', properties.KmsMasterKeyId];
      return keyArn === undefined ? [] : [[arn, { keyArn, context: { 'aws:sqs:arn': arn } }] as const];
    }),
    ...deployment.topics.flatMap(({ ref, properties }) => {
      const keyArn = properties.KmsMasterKeyId;
      return keyArn === undefined ? [] : [[ref, { keyArn, context: { 'aws:sns:topicArn': ref } }] as const];
    }),
    ...deployment.tables.flatMap(({ name, attributes, properties }) => {
      const keyArn = properties.SSESpecification?.KMSMasterKeyId;
      const context = { 'aws:dynamodb:tableName': name, 'aws:dynamodb:subscriberId': ACCOUNT };
      return keyArn === undefined ? [] : [[attributes['Arn'] ?? '', { keyArn, context }] as const];
    }),
    ...encryptedBuckets(deployment),
  ]);

/** The ARN of the bucket or table of a call, without the key of the object or the name of the index. */
const resourceOf = ({ resource }: NeededPermission): string =>
  resource.startsWith('arn:aws:s3:::')
    ? (resource.split('/')[0] ?? resource)
    : resource.replace(/\/index\/.*$/, '');

const contextOf = ({ context }: Encrypted): Record<string, readonly string[]> =>
  Object.fromEntries(
    Object.entries(context).map(([name, value]) => [`kms:EncryptionContext:${name}`, [value]]),
  );

/** The key policy's statements for whoever `matches`, as the policy evaluator takes them. */
const statementsFor = (
  statements: readonly ResourceStatement[],
  matches: (principal: Exclude<ResourceStatement['Principal'], '*'>) => boolean,
) =>
  statements
    .filter(
      ({ Principal }) => Principal === '*' || Principal.AWS?.includes('*') === true || matches(Principal),
    )
    .map(({ Effect, Action, Condition }) => ({
      effect: Effect,
      actions: Action,
      // A key policy is about its own key, which it calls `*`.
      resources: ['*'],
      conditions: Condition,
    }));

const root = `arn:aws:iam::${ACCOUNT}:root`;

/** The role of a session: `assumed-role/name/session` is `role/name`. */
const roleOf = (principal: string): string =>
  principal.replace(/^arn:aws:sts::(\d+):assumed-role\/([^/]+)\/.*$/, 'arn:aws:iam::$1:role/$2');

/**
 * The decision on a use by a principal of the account. The key policy allows it itself, or it gives the decision to the
 * account (by naming its root), and the policies of the principal allow it. A Deny of either wins.
 */
const decideOn = (
  statements: readonly ResourceStatement[],
  { principal, policy }: KeyUser,
  use: NeededPermission,
): Verdict => {
  const own = statementsFor(statements, ({ AWS }) => AWS?.includes(roleOf(principal)) === true);
  const delegated = statementsFor(statements, ({ AWS }) => AWS?.includes(root) === true);
  const verdicts = [compilePolicy(own)(use), compilePolicy(policy)(use)];
  if (verdicts.includes('denied')) return 'denied';
  if (verdicts[0] === 'allowed') return 'allowed';
  const byAccount = compilePolicy(delegated)(use);
  return byAccount === 'allowed' ? (verdicts[1] ?? 'unallowed') : byAccount;
};

/**
 * The guard of the keys in the template. It knows no policy of another key (one that the operator brought), and lets its
 * uses pass. The decisions on a principal are kept, as its policies never change.
 */
export const keyGuardOf = (deployment: Deployment): KeyGuard => {
  const encrypted = encryptedOf(deployment);
  const policies = new Map(
    deployment.keys.map(({ attributes, properties }) => [attributes['Arn'], properties.KeyPolicy.Statement]),
  );
  const known = new Map<string, NeededPermission | undefined>();
  const usesWith = (
    needed: NeededPermission,
    more: Record<string, readonly string[]>,
  ): NeededPermission[] => {
    const found = encrypted.get(resourceOf(needed));
    if (found === undefined) return [];
    return actionsOf(needed.action).map((action) => ({
      action,
      resource: found.keyArn,
      context: { ...contextOf(found), ...more },
    }));
  };
  const usesOf = (needed: NeededPermission): readonly NeededPermission[] => {
    const account = { 'kms:CallerAccount': [ACCOUNT] };
    const service = needed.action.split(':')[0] ?? '';
    return service === 'kms'
      ? [{ ...needed, context: { ...needed.context, ...account } }]
      : usesWith(needed, { ...account, 'kms:ViaService': [`${service}.${REGION}.amazonaws.com`] });
  };
  const firstRefused = (
    uses: readonly NeededPermission[],
    decide: (statements: readonly ResourceStatement[], use: NeededPermission) => Verdict,
  ): NeededPermission | undefined =>
    uses.find((use) => {
      const statements = policies.get(use.resource);
      return statements !== undefined && decide(statements, use) !== 'allowed';
    });
  const decided = (user: KeyUser, needed: NeededPermission): NeededPermission | undefined =>
    firstRefused(usesOf(needed), (statements, use) => decideOn(statements, user, use));
  return {
    usesOf,
    refusedTo: (user, needed) => {
      if (needed.action.startsWith('kms:')) return decided(user, needed);
      const key = `${user.principal} ${needed.action} ${resourceOf(needed)}`;
      if (!known.has(key)) known.set(key, decided(user, needed));
      return known.get(key);
    },
    // EventBridge sends no `aws:SourceAccount` and no `aws:SourceArn` to KMS that AWS would document; CloudWatch does.
    refusedToService: (principal, needed) => {
      const source: Record<string, readonly string[]> =
        principal === 'cloudwatch.amazonaws.com' ? { 'aws:SourceAccount': [ACCOUNT] } : {};
      return firstRefused(usesWith(needed, source), (statements, use) =>
        compilePolicy(statementsFor(statements, ({ Service }) => Service?.includes(principal) === true))(use),
      );
    },
  };
};
