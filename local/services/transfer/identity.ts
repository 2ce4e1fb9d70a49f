import * as v from 'valibot';
import { compilePolicy } from '../../core/iam.ts';
import { statementsOf, IdentityPolicy } from '../../core/policy-documents.ts';
import type { NeededPermission } from '../../core/types.ts';
import { ServiceError } from '../../core/service-error.ts';

/** The request to the identity function. Without a password the function answers the public keys of the user. */
export interface Question {
  readonly username: string;
  readonly password?: string;
  readonly protocol: 'SFTP';
  readonly serverId: string;
  readonly sourceIp: string;
}

const fromJson = <S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);

const directory = v.strictObject({
  Entry: v.pipe(v.string(), v.regex(/^(\/[^/]+)+$/)),
  Target: v.pipe(v.string(), v.regex(/^(\/[^/]+){2,}$/)),
});

/** The response of the identity function. An empty response rejects the login. */
export const Answer = v.union([
  v.strictObject({
    Role: v.string(),
    Policy: v.pipe(v.string(), v.maxLength(2048), v.parseJson(), IdentityPolicy),
    HomeDirectoryType: v.literal('LOGICAL'),
    HomeDirectoryDetails: fromJson(v.pipe(v.array(directory), v.minLength(1))),
    PublicKeys: v.optional(v.array(v.string()), []),
  }),
  v.pipe(
    v.strictObject({}),
    v.transform(() => undefined),
  ),
]);

/** An authenticated user. */
export type Identity = NonNullable<v.InferOutput<typeof Answer>>;

/** Throws AccessDenied unless both the role and the session's own policy allow the call. */
export type Permit = (needed: NeededPermission) => void;

/** The checks of a session besides its own policy. */
interface SessionChecks {
  /** Throws AccessDenied when the role itself does not allow a call. */
  readonly requireRole: (roleArn: string, needed: NeededPermission) => void;
  /** The uses of the key of the bucket that belong to a call. The policy of a session limits these too. */
  readonly keyUsesOf: (needed: NeededPermission) => readonly NeededPermission[];
}

/** The permissions of a session. */
export const permitOf = ({ Role, Policy }: Identity, { requireRole, keyUsesOf }: SessionChecks): Permit => {
  const allowed = compilePolicy(statementsOf(Policy));
  return (needed) => {
    requireRole(Role, needed);
    if ([needed, ...keyUsesOf(needed)].some((one) => allowed(one) !== 'allowed'))
      throw new ServiceError('AccessDenied', 'the session policy does not allow this call', 403);
  };
};
