import { limits } from '../../shared/config/limits.ts';
import { scopesFromEnv, type PropertyScopes } from '../../shared/properties/property-keys.ts';
import { profileWriter, type ProfileWriter } from '../../shared/ingest/profile-writer.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { derivationsFromEnv, catalogueFromEnv } from '../segments/catalogue-deps.ts';

/** Ports of the functions that write profiles. */
interface ProfileWriterDeps extends ProfileWriter {
  readonly scopeOf: PropertyScopes;
}

/** The logs of a profile writer. */
export type WriterLogs = Pick<ProfileWriter, 'undoLog' | 'restatements'>;

/** The profile writer on the table of the environment. Only writers behind a request need no logs. */
export const profileWriterDeps = (
  env: Env<'TABLE_NAME' | 'PROPERTY_KEY_ID' | 'DEFLATE_PROFILES'>,
  logs?: WriterLogs,
): ProfileWriterDeps => {
  const ports = {
    table: tableFromEnv(env),
    clock: systemClock,
    pause: jitteredPause,
    derivations: derivationsFromEnv(env),
    ...(env('DEFLATE_PROFILES') === 'true' && { deflateFrom: limits.profiles.deflateFrom }),
    ...logs,
  };
  return { ...profileWriter(ports, catalogueFromEnv(env)), scopeOf: scopesFromEnv(env) };
};
