import { limits } from '../../lib/config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';
import { problems } from '../http/problem.ts';
import { DAY_SECONDS } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { KeyService, Workflow } from '../runtime/ports.ts';
import type { Result } from '../runtime/result.ts';
import { manyRounds } from '../runtime/rounds.ts';
import { err, ok } from '../runtime/result.ts';
import { scopedId } from '../table/scoped-ids.ts';
import { announceUses, touchThings, type UsesDeps } from '../uses/uses.ts';
import { newSecret, showSecret } from '../webhooks/signature.ts';
import type { WebhookStage } from '../webhooks/stage.ts';
import { checkDefinition } from './check-definition.ts';
import type { ExportDefinition, ExportDelivery, ExportJob } from './items.ts';
import { secretContext } from './items.ts';
import type { ExportRepository } from './repository.ts';
import type { ExportBody } from './schemas.ts';
import { findTargets, goneTargets, type NamedTargets, type TargetDeps } from './targets.ts';
import { definitionView } from './views.ts';

/** What creating an export needs. */
export interface CreateDeps extends UsesDeps, TargetDeps {
  readonly exports: ExportRepository;
  readonly keyService: KeyService;
  readonly workflow: Workflow;
  readonly ids: Ids;
  readonly stage: WebhookStage;
}

/** Longest time that a job runs: for so long what it names is in use. */
const USE_SECONDS = limits.workflows.timeoutSeconds + DAY_SECONDS;

/**
 * `POST exports`: stores the definition and starts its first job. The order is such that whoever finds one thing finds
 * what it needs: the uses of what it names, the job, then the definition that names that, then the execution.
 */
export const createExport = async (
  deps: CreateDeps,
  { property, body, now }: ApiRequest<unknown, ExportBody>,
): Promise<Result<ApiAnswer, Problem>> => {
  const faults = checkDefinition(body, deps.stage);
  if (faults.length > 0) return err(problems.invalid(faults));
  const targets = await findTargets(deps, property.id, body);
  if (!targets.ok) return err(problems.invalid(targets.error));
  const stored = await store(deps, property.id, { body, now, targets: targets.value });
  if (!stored.ok) return stored;
  const { definition, secret } = stored.value;
  await startJob(deps.workflow, definition);
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
  const ttl = Math.ceil(now / 1000) + USE_SECONDS;
  for (let round = 0; round < manyRounds.rounds; round += 1) {
    const defined = await define(deps, property, wanted);
    const user = { kind: 'export', id: defined.definition.export } as const;
    await announceUses(deps, property, { user, things: targets.things, ttl });
    const gone = await touchThings(deps, property, targets.things);
    if (gone.length > 0) return err(problems.invalid(goneTargets(body, gone)));
    await storeJob(deps, defined.definition, now);
    if (await deps.exports.addDefinition(defined.definition)) return ok(defined);
  }
  throw new Error('exports: a new definition stayed contended');
};

const define = async (
  { exports, keyService, ids }: CreateDeps,
  property: number,
  { body, now, targets }: Wanted,
): Promise<Defined> => {
  const id = scopedId(property, await exports.next(property, 'export'));
  const job = scopedId(property, await exports.next(property, 'export-job'));
  const secret = body.webhook_url === null ? undefined : newSecret(ids);
  const definition: ExportDefinition = {
    property,
    export: id,
    created: now,
    segment: targets.segment,
    collection: targets.collection,
    field_set: body.field_set,
    data_format: body.data_format,
    scope: 'full',
    custom_result_format: body.custom_result_format,
    start_date: body.start_date,
    end_date: body.end_date,
    formula_guard: body.formula_guard,
    webhook_url: body.webhook_url,
    webhook_secret: secret ? await keyService.encrypt(secret, secretContext(property, id)) : null,
    latest_job: job,
  };
  return { definition, secret };
};

/** Stores a new job, and how telling its webhook stands when it has one. */
const storeJob = async (
  { exports }: CreateDeps,
  { property, export: id, latest_job, webhook_url }: ExportDefinition,
  now: number,
): Promise<void> => {
  const job: ExportJob = { ...newJob, property, export: id, job: latest_job, created: now };
  if (webhook_url !== null) expectNew(await exports.insertDelivery(job, newDelivery));
  expectNew(await exports.insertJob(job));
};

const newJob = {
  status: 'pending',
  started: null,
  finished: null,
  plan: null,
  skipped: null,
  file: null,
  error: null,
} as const;

const newDelivery: ExportDelivery = {
  state: 'waiting',
  attempts: 0,
  first_attempt: null,
  last_attempt: null,
  last_error: null,
  next_attempt: null,
  delivered: null,
};

/** Starts the execution of a job; its name makes a second start harmless. */
const startJob = (
  workflow: Workflow,
  { property, export: id, latest_job }: ExportDefinition,
): Promise<void> =>
  workflow.start(`p${property}-export-${latest_job}`, { property, export: id, job: latest_job });

const expectNew = (outcome: 'applied' | 'refused'): void => {
  if (outcome === 'refused') throw new Error('exports: an id was issued twice');
};
