import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readKeysAhead } from '../../shared/properties/property-keys.ts';
import { findFormerValues } from '../../shared/ingest/former-values.ts';
import { momentsHolding } from '../../shared/membership/moments.ts';
import { accessRequest } from '../../shared/profiles/access-request.ts';
import { objectionsOf } from '../../shared/profiles/objections.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { disclosuresFromEnv } from './disclosure-deps.ts';
import * as entries from './entries.ts';
import { lookupDeps } from './lookup-deps.ts';

export const handler = apiHandler(
  entries.accessRequest,
  accessRequest,
  (env) => {
    const { table, ...lookup } = lookupDeps(env);
    const work = objectStore(env('WORK_BUCKET'));
    return {
      ...lookup,
      momentsOf: (property, ordinal) => momentsHolding(table, property, ordinal),
      disclosuresOf: disclosuresFromEnv(env),
      objectionsOf: (scope, identities) => objectionsOf(table, scope, identities),
      formerOf: findFormerValues({ work, clock: systemClock }),
      work,
    };
  },
  readKeysAhead,
);
