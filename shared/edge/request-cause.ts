import type { RequestKey } from '../table/idempotent-ids.ts';
import type { ApiRequest } from '../http/api-types.ts';

/** The request key of a request: repeated only when the request came with an `Idempotency-Key`. */
export const requestCause = ({
  property,
  requestKey,
  keyed = false,
  now,
}: Pick<ApiRequest<unknown, unknown>, 'property' | 'requestKey' | 'keyed' | 'now'>): RequestKey => ({
  property: property.id,
  name: requestKey,
  again: keyed,
  now,
});
