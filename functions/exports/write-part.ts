import * as v from 'valibot';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { writePart, type PartDeps } from '../../shared/exports/parts/write-part.ts';
import { profileReader, profileRepository } from '../../shared/profiles/profile-repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

const input = v.object({ ...jobRef.entries, shard: v.pipe(v.number(), v.integer()) });

export const handler = taskHandler(
  input,
  (deps: PartDeps, { shard, ...ref }) => writePart(deps, ref, shard),
  (env: EnvOf<typeof entries.writeExportPart>) => {
    const table = tableFromEnv(env);
    return {
      exports: exportRepository(table),
      work: objectStore(env('WORK_BUCKET')),
      files: objectStore(env('EXPORTS_BUCKET')),
      keyService: keyService(env('PROPERTY_KEY_ID')),
      ids: systemIds,
      clock: systemClock,
      readProfiles: profileReader(profileRepository({ table })),
      scopeOf: scopesFromEnv(env),
    };
  },
);
