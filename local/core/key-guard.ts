import { ServiceError } from './service-error.ts';
import type { NeededPermission, PolicyStatement } from './types.ts';

/** A principal of the account, with the statements of its own policies. */
export interface KeyUser {
  /** ARN of the session, of the user or of the role. */
  readonly principal: string;
  readonly policy: readonly PolicyStatement[];
}

/**
 * Checks the keys of encrypted resources: a call to a queue, bucket, table or topic also uses its key, and the key's own
 * policy decides about that. Both functions return the first use that is refused.
 */
export interface KeyGuard {
  /** The uses of keys that belong to a call of a principal of the account. */
  usesOf(needed: NeededPermission): readonly NeededPermission[];
  /** A call of a principal of the account. A direct call to KMS counts as a use of its key. */
  refusedTo(user: KeyUser, needed: NeededPermission): NeededPermission | undefined;
  /** A call that an AWS service makes with its own principal, such as `events.amazonaws.com`. */
  refusedToService(principal: string, needed: NeededPermission): NeededPermission | undefined;
}

/** The refusal of a use of a key, in the words of KMS. SQS has an error of its own for it. */
export const keyRefusal = (
  principal: string,
  needed: NeededPermission,
  use: NeededPermission,
): ServiceError => {
  const message = `User: ${principal} is not authorized to perform: ${use.action} on resource: ${use.resource} because no resource-based policy allows the ${use.action} action`;
  return needed.action.startsWith('sqs:')
    ? new ServiceError('KmsAccessDenied', message, 400)
    : new ServiceError('AccessDenied', message, 403);
};
