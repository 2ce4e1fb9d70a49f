import type { AccountDeps } from '../../shared/auth/accounts.ts';
import { scryptKdf } from '../../shared/auth/passwords.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { credentialsFromEnv, tableFromEnv } from '../../shared/table/dynamo-client.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';

/** Ports of account changes, with the tables and the key that the environment names. */
export const accountDeps = (
  env: Env<'TABLE_NAME' | 'CREDENTIALS_TABLE_NAME' | 'PROPERTY_KEY_ID'>,
): AccountDeps => ({
  table: tableFromEnv(env),
  credentials: credentialsFromEnv(env),
  clock: systemClock,
  pause: jitteredPause,
  ids: systemIds,
  kdf: scryptKdf,
  keyService: keyService(env('PROPERTY_KEY_ID')),
});
