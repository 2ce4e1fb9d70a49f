import type { RequestIdentity } from '../table/idempotent-ids.ts';
import type { ApiRequest } from '../http/api-types.ts';

/** The identity of a request: repeatable only when the request came with an `Idempotency-Key`. */
export const requestIdentityOf = ({
  property,
  requestKey,
  keyed = false,
  now,
}: Pick<ApiRequest<unknown, unknown>, 'property' | 'requestKey' | 'keyed' | 'now'>): RequestIdentity => ({
  property: property.id,
  requestKey,
  again: keyed,
  now,
});
