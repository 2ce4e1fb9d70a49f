import type { Cause } from '../table/cause-ids.ts';
import type { ApiRequest } from '../http/api-types.ts';

/** A request as the cause of what it makes: told again only when it came with an `Idempotency-Key`. */
export const requestCause = ({
  property,
  cause,
  keyed = false,
  now,
}: Pick<ApiRequest<unknown, unknown>, 'property' | 'cause' | 'keyed' | 'now'>): Cause => ({
  property: property.id,
  name: cause,
  again: keyed,
  now,
});
