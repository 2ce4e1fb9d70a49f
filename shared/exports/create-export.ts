import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';
import { problems } from '../http/problem.ts';
import type { KeyService } from '../runtime/ports.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Result } from '../runtime/result.ts';
import { manyRounds } from '../runtime/rounds.ts';
import { err, ok } from '../runtime/result.ts';
import { scopedId } from '../table/scoped-ids.ts';
import type { UsesDeps } from '../uses/uses.ts';
import { showSecret } from '../webhooks/signature.ts';
import { checkDefinition, type DefinitionStage } from './check-definition.ts';
import { definitionFields, isTooLarge, tooLarge } from './define.ts';
import type { ExportDefinition } from './items.ts';
import { beginJob, launchJob, storeJob, type StartDeps } from './jobs.ts';
import { usesEnd, use } from './request-run.ts';
import type { ExportBody } from './schemas.ts';
import { createSchedules, type SyncDeps } from './schedule-runs.ts';
import { findTargets, goneTargets, type NamedTargets, type TargetDeps } from './targets.ts';
import { definitionView } from './views.ts';

/** What defining exports needs. */
export interface DefineDeps extends SyncDeps, UsesDeps, TargetDeps {
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly stage: DefinitionStage;
}

/** What creating exports needs. */
export interface CreateDeps extends DefineDeps, StartDeps {}

/**
 * `POST exports`: stores the definition, and starts its first job or makes its schedule. The order is such that whoever
 * finds one thing finds what it needs: what is to be looked after, the uses of what it names, the job, then the definition
 * that names that, then the execution.
 */
export const createExport = async (
  deps: CreateDeps,
  { property, body, now }: ApiRequest<unknown, ExportBody>,
): Promise<Result<ApiAnswer, Problem>> => {
  const faults = await checkDefinition(body, deps.stage, now);
  if (faults.length > 0) return err(problems.invalid(faults));
  const targets = await findTargets(deps, property.id, body);
  if (!targets.ok) return err(problems.invalid(targets.error));
  const stored = await store(deps, property.id, { body, now, targets: targets.value });
  if (!stored.ok) return stored;
  const { definition, secret } = stored.value;
  const { latest_job: job, revision, export: id } = definition;
  if (job === null) await createSchedules(deps, { property: property.id, export: id, revision }, definition);
  else await launchJob(deps, definition, { job, created: now });
  const view = definitionView(definition, { status: 'received', location: null });
  return ok({
    status: 202,
    body: secret === undefined ? view : { ...view, webhook_secret: showSecret(secret) },
  });
};

interface Wanted {
  readonly body: ExportBody;
  readonly now: number;
  readonly targets: NamedTargets;
}

interface Defined {
  readonly definition: ExportDefinition;
  readonly secret: Uint8Array | undefined;
}

/** Stores job and definition; 422 when something that it names has been deleted meanwhile. */
const store = async (
  deps: CreateDeps,
  property: number,
  wanted: Wanted,
): Promise<Result<Defined, Problem>> => {
  const { body, now, targets } = wanted;
  for (let round = 0; round < manyRounds.rounds; round += 1) {
    const defined = await define(deps, property, wanted);
    const { definition } = defined;
    if (isTooLarge(definition)) return err(problems.invalid([tooLarge]));
    const { export: id, latest_job: job, revision } = definition;
    const chore = { property, export: id, created: now };
    await deps.exports.addChore({ ...chore, job, revision: job === null ? revision : null });
    const { things } = targets;
    const gone = await use(deps, { property, id, things, ttl: usesEnd(definition, now) });
    if (gone.length > 0) return err(problems.invalid(goneTargets(body, gone)));
    if (job !== null) {
      await beginJob(deps.exports, definition, job, now);
      await storeJob(deps.exports, { property, export: id, job }, now);
    }
    if (await deps.exports.addDefinition(definition)) return ok(defined);
  }
  throw new Error('exports: a new definition stayed contended');
};

const define = async (
  deps: CreateDeps,
  property: number,
  { body, now, targets }: Wanted,
): Promise<Defined> => {
  const id = scopedId(property, await deps.exports.next(property, 'export'));
  const job =
    body.schedule === null ? scopedId(property, await deps.exports.next(property, 'export-job')) : null;
  const { fields, secret } = await definitionFields(deps, { property, id, body, now, targets });
  const lane = { latest_job: job, current_job: job, waiting_job: null, complete_job: null };
  return { definition: { ...fields, property, export: id, created: now, revision: 1, ...lane }, secret };
};
