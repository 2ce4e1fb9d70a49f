import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { assembleExport } from '../../shared/exports/file/assemble-export.ts';
import { fileStore } from '../../shared/exports/file/outgoing-file.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { fileDeps } from './file-deps.ts';
import { partUploads } from '../../shared/runtime/s3-object-store.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

export const handler = taskHandler(jobRef, assembleExport, (env: EnvOf<typeof entries.assembleExport>) => {
  const ports = fileDeps(env);
  const files = fileStore({ objects: ports.files, parts: partUploads(env('EXPORTS_BUCKET')) });
  return { ...ports, files, scopeOf: scopesFromEnv(env) };
});
