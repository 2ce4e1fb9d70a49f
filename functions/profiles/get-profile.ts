import { apiHandler } from '../../shared/edge/api-handler.ts';
import { readKeysAhead } from '../../shared/properties/property-keys.ts';
import { getProfile } from '../../shared/profiles/get-profile.ts';
import * as entries from './entries.ts';
import { lookupDeps } from './lookup-deps.ts';

export const handler = apiHandler(entries.getProfile, getProfile, lookupDeps, readKeysAhead);
