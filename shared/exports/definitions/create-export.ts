import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { requestCause } from '../../edge/request-cause.ts';
import type { KeyService } from '../../runtime/ports.ts';
import type { Ids } from '../../runtime/ids.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import type { RequestKey } from '../../table/idempotent-ids.ts';
import type { ReferenceDeps } from '../../references/references.ts';
import { showSecret } from '../../webhooks/signature.ts';
import { checkDefinition, type DefinitionStage } from './check-definition.ts';
import { definitionFields, isTooLarge, tooLarge } from './define.ts';
import { secretContext, type ExportDefinition } from '../model/items.ts';
import { beginJob, launchJob, insertPendingJob, type StartDeps } from '../runs/launch-job.ts';
import { referencesEnd, addExportReferences } from '../runs/request-run.ts';
import { confirmOwnAddress } from './confirm-own-address.ts';
import type { ExportBody } from '../model/schemas.ts';
import { createSchedules, type SyncDeps } from '../runs/schedule-runs.ts';
import { findTargets, deletedTargetFaults, type NamedTargets, type TargetDeps } from '../model/targets.ts';
import { definitionView } from '../model/views.ts';

/** What defining exports needs. */
export interface DefineDeps extends SyncDeps, ReferenceDeps, TargetDeps {
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly stage: DefinitionStage;
}

/** What creating exports needs. */
export interface CreateDeps extends DefineDeps, StartDeps {}

/**
 * `POST exports`: stores the definition, and starts its first job or makes its schedule. The order is such that whoever
 * finds one thing finds what it needs: what is to be looked after, the uses of what it names, the job, then the definition
 * that names that, then the execution. A repeated request under one `Idempotency-Key` goes on with the definition that the
 * first has made, and answers it.
 */
export const createExport = async (
  deps: CreateDeps,
  request: ApiRequest<unknown, ExportBody>,
): Promise<Result<ApiAnswer, Problem>> => {
  const { property, body, now } = request;
  const cause = requestCause(request);
  const made = await deps.exports.madeBy(cause);
  if (made) return ok(await begin(deps, made, undefined));
  const faults = await checkDefinition(body, deps.stage, now);
  if (faults.length > 0) return err(problems.invalid(faults));
  const targets = await findTargets(deps, property.id, body);
  if (!targets.ok) return err(problems.invalid(targets.error));
  await confirmOwnAddress(deps.table, request);
  const stored = await store(deps, cause, { account: property.account, body, now, targets: targets.value });
  if (!stored.ok) return stored;
  return ok(await begin(deps, stored.value.definition, stored.value.secret));
};

/** Lets the first run of a definition that is stored come, and answers the definition. Done again, it changes nothing. */
const begin = async (
  deps: CreateDeps,
  definition: ExportDefinition,
  fresh: Uint8Array | undefined,
): Promise<ApiAnswer> => {
  const { property, export: id, latest_job: job, revision, created } = definition;
  if (job !== null) await launchJob(deps, definition, { job, created });
  else if (definition.to_come) await createSchedules(deps, { property, export: id, revision }, definition);
  const view = definitionView(definition, { status: 'received', location: null });
  const { webhook_secret: sealed } = definition;
  const secret = fresh ?? (sealed && (await deps.keyService.decrypt(sealed, secretContext(property, id))));
  return { status: 202, body: secret ? { ...view, webhook_secret: showSecret(secret) } : view };
};

interface CreateInput {
  readonly account: number;
  readonly body: ExportBody;
  readonly now: number;
  readonly targets: NamedTargets;
}

interface NewDefinition {
  readonly definition: ExportDefinition;
  readonly secret: Uint8Array | undefined;
}

/** Stores job and definition; 422 when something that it names has been deleted meanwhile. */
const store = async (
  deps: CreateDeps,
  cause: RequestKey,
  wanted: CreateInput,
): Promise<Result<NewDefinition, Problem>> => {
  const { body, now, targets } = wanted;
  const { property } = cause;
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'exports: a new definition');
    const defined = await define(deps, cause, wanted, round);
    const { definition } = defined;
    if (isTooLarge(definition)) return err(problems.invalid([tooLarge]));
    const { export: id, latest_job: job, revision } = definition;
    const chore = { property, export: id, created: now };
    await deps.exports.addOutboxTask({ ...chore, job, revision: job === null ? revision : null });
    const { referents: things } = targets;
    const gone = await addExportReferences(deps, {
      property,
      id,
      things,
      ttl: referencesEnd(definition, now),
    });
    if (gone.length > 0) return err(problems.invalid(deletedTargetFaults(body, gone)));
    if (job !== null) {
      await beginJob(deps.exports, definition, job, now);
      await insertPendingJob(deps.exports, { property, export: id, job }, now);
    }
    const stored = await deps.exports.addDefinition(definition);
    if (stored === definition) return ok(defined);
    if (stored) return ok({ definition: stored, secret: undefined });
  }
};

const define = async (
  deps: CreateDeps,
  cause: RequestKey,
  { account, body, now, targets }: CreateInput,
  attempt: number,
): Promise<NewDefinition> => {
  const { property } = cause;
  const id = await deps.exports.idOf(cause, 'export', attempt);
  const job = body.schedule === null ? await deps.exports.idOf(cause, 'export-job', attempt) : null;
  const { fields, secret } = await definitionFields(deps, { property, id, body, now, targets });
  const lane = { latest_job: job, current_job: job, waiting_job: null, complete_job: null };
  const own = { account, property, export: id, created: now, revision: 1 };
  return { definition: { ...fields, ...own, ...lane }, secret };
};
