/** Create export: stores a definition with its first job or its schedules, once for each idempotency key. */
import { noteMade } from '../../auth/made-things.ts';
import { nameAddress } from '../../deliveries/notice-fields.ts';
import type { ApiAnswer, UseCase, NoQuery } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { PropertyScopes } from '../../properties/property-keys.ts';
import type { ReferenceDeps } from '../../references/references.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import type { Write } from '../../table/table.ts';
import {
  idWrites,
  readAllocatedId,
  requestIdentityOf,
  type RequestIdentity,
} from '../../table/idempotent-ids.ts';
import { showSecret } from '../../webhooks/signature.ts';
import { taskWrite } from '../../tasks/tasks.ts';
import { definitionFields, isTooLarge, secretContext, tooLarge } from '../model/definition-fields.ts';
import type { ExportDefinition } from '../model/items.ts';
import { insertDefinition, insertHostKey, scheduleTask, type ExportRepository } from '../model/repository.ts';
import type { ExportBody, NewExportBody } from '../model/schemas.ts';
import { targetWrites, type NamedTargets } from '../model/targets.ts';
import { definitionView } from '../model/views.ts';
import { jobWrites, startJob, type LaunchDeps } from '../runs/launch-job.ts';
import { newQueue } from '../runs/run-queue.ts';
import { checkDefinition, type CheckDeps } from './check-definition.ts';
import { findShared } from './find-shared.ts';

export interface DefineDeps extends ReferenceDeps, CheckDeps {
  readonly exports: ExportRepository;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly scopeOf: PropertyScopes;
  /** ARN of the account of the service. */
  readonly accountArn: string;
}

export interface CreateDeps extends DefineDeps, LaunchDeps {}

/**
 * `POST exports`: stores the definition, and starts its first job; with `start: false` or a schedule it starts nothing. One
 * transaction stores the definition, its job, its references to the targets and its task; then the job starts. The task
 * creates the schedules. `destination_of` copies the destination of another export, secrets and host key included; later
 * changes of that export do not change this one. A repeated request with the same `Idempotency-Key` continues with the
 * definition that the first request stored, and answers that definition.
 */
export const createExport: UseCase<CreateDeps, NoQuery, NewExportBody> = async (deps, request) => {
  const { property, now } = request;
  const requestIdentity = requestIdentityOf(request);
  const { made } = await findMade(deps, requestIdentity);
  if (made) return ok(await start(deps, made, undefined));
  const found = await findShared(deps, request);
  if (!found.ok) return found;
  const { shared } = found.value;
  const { start: starts, destination_of, ...body } = found.value.body;
  const targets = await checkDefinition(deps, { property, now, body: { ...body, destination_of } });
  if (!targets.ok) return targets;
  await nameAddress(deps.table, request);
  const maker = { account: property.account, user: request.user.id };
  const input = { ...maker, body, starts, now, targets: targets.value, shared };
  const stored = await store(deps, requestIdentity, input);
  if (!stored.ok) return stored;
  return ok(await start(deps, stored.value.definition, stored.value.secret));
};

/** Starts the first job of a stored definition, and answers the definition. Idempotent. */
const start = async (
  deps: CreateDeps,
  definition: ExportDefinition,
  newSecret: Uint8Array | undefined,
): Promise<ApiAnswer> => {
  const { property, export: id, latest_job: job, created } = definition;
  if (job !== null) await startJob(deps, definition, { job });
  const view = definitionView(definition, {
    status: 'received',
    ...{ location: null, told: null },
    now: created,
    accountArn: deps.accountArn,
  });
  const { webhook_secret: sealed } = definition;
  const secret =
    newSecret ?? (sealed && (await deps.keyService.decrypt(sealed, secretContext(property, id))));
  return { status: 202, body: secret ? { ...view, webhook_secret: showSecret(secret) } : view };
};

interface CreateInput {
  readonly account: number;
  readonly user: number;
  readonly body: ExportBody;
  /** Whether a first job starts at once, unless there is a schedule. */
  readonly starts: boolean;
  readonly now: number;
  readonly targets: NamedTargets;
  /** The export whose destination the new one shares. */
  readonly shared: ExportDefinition | undefined;
}

interface NewDefinition {
  readonly definition: ExportDefinition;
  readonly secret: Uint8Array | undefined;
}

/** The definition that an earlier try of the same request made, unless it was deleted since, and the id of that try. */
const findMade = async ({ table, exports }: CreateDeps, requestIdentity: RequestIdentity) => {
  const seen = await readAllocatedId(table, requestIdentity, EXPORT);
  return { seen, made: seen && (await exports.definition(requestIdentity.property, seen.id))?.value };
};

/** Name of the export among the ids of a request, as release 0.2.0 has it. */
const EXPORT = 'export#0';

/** Stores the definition with its job; 422 when a target was deleted meanwhile. */
const store = async (
  deps: CreateDeps,
  requestIdentity: RequestIdentity,
  input: CreateInput,
): Promise<Result<NewDefinition, Problem>> => {
  const { now, targets } = input;
  const built = await buildDefinition(deps, requestIdentity.property, input);
  const { definition } = built;
  if (isTooLarge(definition)) return err(problems.invalid([tooLarge]));
  const { property, export: id, latest_job: job } = definition;
  const maker = { property, user: input.user, now };
  await Promise.all([
    noteMade(deps.table, maker, { kind: 'export', id }),
    ...(job === null ? [] : [noteMade(deps.table, maker, { kind: 'job', export: id, job })]),
  ]);
  const pinned = await pinnedWrites(deps, definition, input.shared);
  const retry = { pause: deps.pause, what: 'exports: a new definition' };
  return retryOnConflict<Result<NewDefinition, Problem>>(retry, async () => {
    const { seen, made } = await findMade(deps, requestIdentity);
    if (made) return done(ok({ definition: made, secret: undefined }));
    const referenced = await targetWrites(deps, definition, targets, now);
    if (!referenced.ok) return done(err(problems.invalid(referenced.error)));
    const refused = await deps.table.transact([
      insertDefinition(definition),
      ...(job === null
        ? [await taskWrite(deps.table, scheduleTask(definition, now))]
        : await jobWrites(deps.table, definition, { job, created: now })),
      ...pinned,
      ...referenced.value,
      ...idWrites(requestIdentity, { what: EXPORT, id, seen }),
    ]);
    return refused.length === 0 ? done(ok(built)) : 'conflict';
  });
};

/** The write of the host key of a shared server, if it is pinned: nobody trusts a server unseen twice. */
const pinnedWrites = async (
  { exports }: Pick<DefineDeps, 'exports'>,
  definition: ExportDefinition,
  shared: ExportDefinition | undefined,
): Promise<readonly Write[]> => {
  if (!shared?.destination) return [];
  const { domain } = shared.destination;
  const hostKey = await exports.hostKey(shared, domain);
  return hostKey ? [insertHostKey(definition, domain, hostKey)] : [];
};

const buildDefinition = async (
  deps: CreateDeps,
  property: number,
  { account, body, starts, now, targets, shared }: CreateInput,
): Promise<NewDefinition> => {
  const [id, job] = await Promise.all([
    deps.exports.newId(property, 'export'),
    body.schedule === null && starts ? deps.exports.newId(property, 'export-job') : null,
  ]);
  const { fields, secret } = await definitionFields(deps, { property, id, body, now, targets, shared });
  const own = { account, property, export: id, created: now, revision: 1 };
  const begun = job === null ? {} : { latest_job: job, current_job: job, runs: 1, current_run: 1 };
  return { definition: { ...fields, ...own, ...newQueue(own.revision), ...begun }, secret };
};
