import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import type { Problem, ProblemError } from '../http/problem.ts';
import { problems } from '../http/problem.ts';
import type { Ids } from '../runtime/ids.ts';
import type { KeyService, Workflow } from '../runtime/ports.ts';
import type { Result } from '../runtime/result.ts';
import { err, ok } from '../runtime/result.ts';
import { belongsTo, scopedId } from '../table/scoped-ids.ts';
import type { StageFacts } from './check-definition.ts';
import { checkDefinition } from './check-definition.ts';
import type { ExportDefinition, ExportDelivery, ExportJob } from './items.ts';
import { secretContext } from './items.ts';
import type { ExportRepository } from './repository.ts';
import type { ExportBody } from './schemas.ts';
import { definitionView } from './views.ts';
import { showSecret } from './webhook-message.ts';

/** What creating an export needs. */
export interface CreateDeps {
  readonly exports: ExportRepository;
  readonly keyService: KeyService;
  readonly workflow: Workflow;
  readonly ids: Ids;
  readonly stage: StageFacts;
  /** Which of these segments the property has. */
  readonly knownSegments: (property: number, ids: readonly number[]) => Promise<ReadonlySet<number>>;
}

/** Bytes of a webhook secret; Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

/**
 * `POST exports`: stores the definition and starts its first job. The order is such that whoever finds one thing finds
 * what it needs: the job, then the definition that names it, then the execution.
 */
export const createExport = async (
  deps: CreateDeps,
  { property, body, now }: ApiRequest<unknown, ExportBody>,
): Promise<Result<ApiAnswer, Problem>> => {
  const faults = checkDefinition(body, deps.stage);
  if (faults.length > 0) return err(problems.invalid(faults));
  const unknown = await unknownTargets(deps, property.id, body);
  if (unknown.length > 0) return err(problems.invalid(unknown));
  const { definition, secret } = await define(deps, property.id, body, now);
  await storeJob(deps, definition, now);
  expectNew(await deps.exports.insertDefinition(definition));
  await startJob(deps.workflow, definition);
  const view = definitionView(definition, { status: 'received', location: null });
  return ok({
    status: 202,
    body: secret === undefined ? view : { ...view, webhook_secret: showSecret(secret) },
  });
};

const unknownTargets = async (
  { knownSegments }: CreateDeps,
  property: number,
  { segment, collection }: ExportBody,
): Promise<readonly ProblemError[]> => {
  const own = (segment ?? []).filter((id) => belongsTo(property, id));
  const known = own.length === 0 ? new Set<number>() : await knownSegments(property, [...new Set(own)]);
  const segments = (segment ?? []).flatMap((id, index) =>
    known.has(id) ? [] : [unknownReference(`/segment/${index}`)],
  );
  // There are no collections yet, so every id of one is unknown.
  const collections = (collection ?? []).map((_, index) => unknownReference(`/collection/${index}`));
  return [...segments, ...collections];
};

const unknownReference = (pointer: string): ProblemError => ({
  pointer,
  code: 'unknown_reference',
  detail: 'There is no such thing in this property.',
});

const define = async (
  { exports, keyService, ids }: CreateDeps,
  property: number,
  body: ExportBody,
  now: number,
): Promise<{ definition: ExportDefinition; secret: Uint8Array | undefined }> => {
  const id = scopedId(property, await exports.next(property, 'export'));
  const job = scopedId(property, await exports.next(property, 'export-job'));
  const secret = body.webhook_url === null ? undefined : Buffer.from(ids.hex(SECRET_BYTES), 'hex');
  const definition: ExportDefinition = {
    property,
    export: id,
    created: now,
    segment: [...new Set(body.segment)],
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
