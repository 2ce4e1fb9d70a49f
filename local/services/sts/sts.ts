/**
 * STS of the embedded cloud: AssumeRole for the roles of other accounts, whose buckets the service may write to. A trust
 * policy decides who may assume a role, as in IAM.
 *
 *     const sts = createSts({ now, admit: (session) => gateway.registerCaller(session) });
 *     sts.putRole({ arn: 'arn:aws:iam::111122223333:role/destination-crm', trust, policy });
 *     gateway.addService(sts.service);
 */
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { accountOf } from '../../core/arn.ts';
import { inputAs } from '../../core/json-protocol.ts';
import { compilePolicy } from '../../core/iam.ts';
import { IdentityPolicy, TrustPolicy, statementsOf } from '../../core/policy-documents.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { AwsRequest, AwsResponse, AwsService, Caller, Session } from '../../core/types.ts';
import { xmlResponse } from '../../core/xml.ts';

/** A role of another account, with its policies as JSON values. */
export interface ForeignRole {
  readonly arn: string;
  /** The trust policy: who may assume the role. */
  readonly trust: unknown;
  /** The permission policy: what the role may do. */
  readonly policy: unknown;
}

/** Options of the service. */
export interface StsOptions {
  readonly now: () => number;
  /** Lets a session call the services from now on. */
  readonly admit: (session: Caller & { readonly secretAccessKey: string; readonly session: Session }) => void;
}

interface StoredRole {
  readonly trust: v.InferOutput<typeof TrustPolicy>;
  readonly policy: v.InferOutput<typeof IdentityPolicy>;
}

/** Opens the service without roles. */
export const createSts = ({ now, admit }: StsOptions) => {
  const roles = new Map<string, StoredRole>();
  const assume = (request: AwsRequest, caller: Caller): AwsResponse => {
    const input = inputOf(request);
    const role = roles.get(input.RoleArn);
    // AWS does not tell a missing role from a role that refuses.
    if (!role || !trusts(role, input, caller)) throw refusal(caller, input.RoleArn);
    const [, name = ''] = /role\/(?:.*\/)?([^/]+)$/.exec(input.RoleArn) ?? [];
    const session = {
      accessKeyId: `ASIA${randomBytes(8).toString('hex').toUpperCase()}`,
      secretAccessKey: randomBytes(20).toString('hex'),
      session: { token: randomBytes(32).toString('base64'), expires: now() + input.DurationSeconds * 1000 },
      name,
      principal: `arn:aws:sts::${accountOf(input.RoleArn)}:assumed-role/${name}/${input.RoleSessionName}`,
      policy: statementsOf(role.policy),
    };
    admit(session);
    return assumed(session);
  };
  return {
    /** Creates or replaces a role. Throws for a policy that is no policy document. */
    putRole: ({ arn, trust, policy }: ForeignRole) =>
      void roles.set(arn, { trust: v.parse(TrustPolicy, trust), policy: v.parse(IdentityPolicy, policy) }),
    service: {
      name: 'sts',
      permissions: (request) => [{ action: 'sts:AssumeRole', resource: inputOf(request).RoleArn }],
      handle: (request, caller) => Promise.resolve(assume(request, caller)),
    } satisfies AwsService,
  };
};

/** The running service. */
export type Sts = ReturnType<typeof createSts>;

/** Limits of the STS API, and the hour that a session lasts at most when a role assumes another role. */
const Input = v.object({
  Action: v.literal('AssumeRole'),
  RoleArn: v.pipe(v.string(), v.minLength(20), v.maxLength(2048)),
  RoleSessionName: v.pipe(v.string(), v.regex(/^[\w+=,.@-]{2,64}$/)),
  ExternalId: v.optional(v.pipe(v.string(), v.regex(/^[\w+=,.@:/-]{2,1224}$/))),
  DurationSeconds: v.optional(
    v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(900), v.maxValue(3600)),
    '3600',
  ),
});
type Input = v.InferOutput<typeof Input>;

const inputOf = ({ body }: AwsRequest): Input => {
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
  return inputAs(Input, Object.fromEntries(form), 'ValidationError');
};

/** Whether the trust policy of a role lets a caller assume it under this external id. */
const trusts = ({ trust }: StoredRole, { RoleArn, ExternalId }: Input, { principal }: Caller): boolean => {
  const statements = trust.Statement.filter(({ Principal }) => names(Principal, principal)).map(
    ({ Effect, Action, Condition }) => ({
      effect: Effect,
      actions: Action,
      resources: ['*'],
      conditions: Condition,
    }),
  );
  const context = ExternalId === undefined ? {} : { 'sts:ExternalId': [ExternalId] };
  return compilePolicy(statements)({ action: 'sts:AssumeRole', resource: RoleArn, context }) === 'allowed';
};

/** Whether the principal of a statement is the account, the role or the session of a caller. */
const names = (
  named: v.InferOutput<typeof TrustPolicy>['Statement'][number]['Principal'],
  principal: string,
): boolean => {
  if (named === '*') return true;
  const account = accountOf(principal);
  const role = /:assumed-role\/([^/]+)\//.exec(principal)?.[1];
  const own = [
    '*',
    account,
    `arn:aws:iam::${account}:root`,
    principal,
    `arn:aws:iam::${account}:role/${role}`,
  ];
  return (named.AWS ?? []).some((one) => own.includes(one));
};

const refusal = ({ principal }: Caller, role: string): ServiceError =>
  new ServiceError(
    'AccessDenied',
    `User: ${principal} is not authorized to perform: sts:AssumeRole on resource: ${role}`,
    403,
  );

const assumed = ({
  accessKeyId,
  secretAccessKey,
  session,
  principal,
}: Parameters<StsOptions['admit']>[0]): AwsResponse =>
  xmlResponse('AssumeRoleResponse', {
    AssumeRoleResult: {
      Credentials: {
        AccessKeyId: accessKeyId,
        SecretAccessKey: secretAccessKey,
        SessionToken: session.token,
        Expiration: new Date(session.expires).toISOString(),
      },
      AssumedRoleUser: { Arn: principal, AssumedRoleId: `AROA:${principal.split('/').at(-1)}` },
    },
  });
