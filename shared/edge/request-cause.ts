import type { RequestKey } from '../table/idempotent-ids.ts';
import type { ApiRequest } from '../http/api-types.ts';

/** A request as the cause of what it makes: told again only when it came with an `Idempotency-Key`. */
export const requestCause = ({
  property,
  cause,
  keyed = false,
  now,
}: Pick<ApiRequest<unknown, unknown>, 'property' | 'cause' | 'keyed' | 'now'>): RequestKey => ({
  property: property.id,
  name: cause,
  again: keyed,
  now,
});
