/** `inspectFile`: checks the encoding, header and columns of a file, as the first step of its workflow. */
import { limits } from '../../config/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import { ObjectChangedError, type ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { forSeconds } from '../../runtime/time-budget.ts';
import { changeJob, existingJob, type ChangeDeps } from '../repository/change-job.ts';
import { headerWindow } from '../../csv/read-header.ts';
import { tierOf } from '../items/import-definition.ts';
import { expandFile, isCompressed } from './expand-file.ts';
import { findEncoding } from './find-encoding.ts';
import { otherFormat } from './other-format.ts';
import { readLayout } from './read-layout.ts';
import { remarkMessage, withoutWords } from './text-remarks.ts';
import { type FailDeps, failFile, fileFailure } from '../jobs/fail-import.ts';
import type { FileFailure, ImportJob, StoredObject } from '../items/import-job.ts';
import type { JobReference } from '../items/job-messages.ts';
import { canMove, moved } from '../items/transitions.ts';
import { readFirst, type VersionStore } from '../rows/read-rows.ts';

export interface InspectDeps extends ChangeDeps {
  readonly uploads: VersionStore;
  readonly work: VersionStore & Pick<ObjectStore, 'putStream'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

/**
 * Output of a step of the workflow. The workflow ends when the file has failed. `done: false` means that the file is too
 * large for one call: call again.
 */
export interface StepAnswer {
  readonly status: 'ok' | 'failed';
  readonly done: boolean;
}

/**
 * First step of a file: expands a compressed file, finds its encoding, and checks header and columns against the
 * definition. A fault of the file fails the job with the reason and throws nothing.
 */
export const inspectFile = async (deps: InspectDeps, reference: JobReference): Promise<StepAnswer> => {
  const job = await existingJob(deps.imports, reference.property, reference.job);
  if (!canMove(job, 'inspect')) return { status: job.phase === 'failed' ? 'failed' : 'ok', done: true };
  const found = await inspect(deps, job).catch((error: unknown) => {
    if (error instanceof ObjectChangedError) return err(fileChanged);
    throw error;
  });
  if (!found.ok) return failStep(deps, reference, found.error);
  const { done, update } = found.value;
  await changeJob(deps, reference, (seen) =>
    canMove(seen, 'inspect') ? { ...(done ? moved('inspect') : {}), ...update } : undefined,
  );
  return { status: 'ok', done };
};

/** Fails the job of a file, and ends the step. */
export const failStep = async (
  deps: FailDeps,
  job: Pick<JobReference, 'property' | 'job'>,
  failure: FileFailure,
): Promise<StepAnswer> => {
  await failFile(deps, job, failure);
  return { status: 'failed', done: true };
};

/** The failure of a file that was replaced or deleted after its import had started. */
export const fileChanged = fileFailure('file_changed', 'The file was replaced or deleted while it was read.');

interface Inspection {
  readonly done: boolean;
  readonly update: Partial<Pick<ImportJob, 'source' | 'proof' | 'layout' | 'tier' | 'remarks'>>;
}

const inspect = async (deps: InspectDeps, job: ImportJob): Promise<Result<Inspection, FileFailure>> => {
  const hasTime = forSeconds(deps.clock, limits.imports.proofSeconds);
  const definition = await deps.imports.definitionOfJob(job);
  const upload = job.file?.object;
  if (!definition || definition.deleted || !upload)
    return err(fileFailure('definition_gone', 'The definition of this import was deleted.'));
  const plain = await expanded(deps, job, upload);
  if (!plain.ok) return plain;
  const { source, start } = plain.value;
  const other = otherFormat(start);
  if (other) return err(other);
  const hidesWords = definition.mapping_fields.field_maps.some(
    ({ target_field }) => target_field === 'social_token',
  );
  const file = { object: source, start, named: definition.encoding, evidence: job.proof, hidesWords };
  const search = await findEncoding(deps[source.bucket], file, hasTime);
  if (!search.ok) return search;
  if (!search.value.done) return ok({ done: false, update: { source, proof: search.value.evidence } });
  const layout = readLayout(start, search.value.encoding, definition);
  if (!layout.ok) return layout;
  const remarks = search.value.remarks.map((remark) => ({
    code: remark.code,
    message: remarkMessage(hidesWords ? withoutWords(remark) : remark),
  }));
  return ok({
    done: true,
    update: { source, proof: null, layout: layout.value, remarks, tier: tierOf(definition) },
  });
};

/** The uncompressed file and its first bytes. An earlier call may have expanded it. */
const expanded = async (
  deps: InspectDeps,
  job: ImportJob,
  upload: StoredObject,
): Promise<Result<{ readonly source: StoredObject; readonly start: Buffer }, FileFailure>> => {
  if (job.source)
    return ok({ source: job.source, start: await readStart(deps[job.source.bucket], job.source) });
  const start = await readStart(deps.uploads, upload);
  if (!isCompressed(start)) return ok({ source: upload, start });
  const source = await expandFile(deps, job, upload);
  return source.ok ? ok({ source: source.value, start: await readStart(deps.work, source.value) }) : source;
};

/** Reads the first bytes of an object, enough for any header. */
const readStart = (store: VersionStore, object: StoredObject): Promise<Buffer> =>
  readFirst(store, object, headerWindow);
