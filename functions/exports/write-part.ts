import * as v from 'valibot';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { writePart, type PartDeps } from '../../shared/exports/parts/write-part.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { fileDeps } from './file-deps.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

const input = v.object({ ...jobRef.entries, shard: v.pipe(v.number(), v.integer()) });

export const handler = taskHandler(
  input,
  (deps: PartDeps, { shard, ...ref }) => writePart(deps, ref, shard),
  (env: EnvOf<typeof entries.writeExportPart>) => ({
    ...fileDeps(env),
    readProfiles: profileRepository({ table: tableFromEnv(env) }).readSteps,
    scopeOf: scopesFromEnv(env),
  }),
);
