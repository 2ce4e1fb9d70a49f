/** Link ports, for the functions whose answers or messages have links: to the next page, to a file or to a chart. */
import type { ListDeps } from '../shared/http/listing.ts';
import { scopesFromEnv } from '../shared/properties/property-keys.ts';
import type { Env } from '../shared/runtime/env.ts';

/** The keys that seal a link, and the address that it begins with. */
export const linkDeps = (env: Env<'TABLE_NAME' | 'PROPERTY_KEY_ID' | 'BASE_URL'>): ListDeps => ({
  scopeOf: scopesFromEnv(env),
  baseUrl: env('BASE_URL'),
});
