/** Replace export: stores a new revision of a definition, with the tasks that move the schedules to it. */
import { noteMade } from '../../auth/made-things.ts';
import { nameAddress } from '../../deliveries/notice-fields.ts';
import type { ApiAnswer, ApiRequest, NoQuery, UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { done, retryOnConflict, type Attempted } from '../../runtime/retry.ts';
import type { Versioned } from '../../table/versioned.ts';
import { showSecret } from '../../webhooks/signature.ts';
import { taskWrite } from '../../tasks/tasks.ts';
import { definitionFields, isTooLarge, tooLarge } from '../model/definition-fields.ts';
import { scheduleTask, updateDefinition } from '../model/repository.ts';
import type { ExportDefinition, RunQueue } from '../model/items.ts';
import { requestedDefinition } from '../model/named-items.ts';
import type { ExportBody } from '../model/schemas.ts';
import { targetWrites, type NamedTargets } from '../model/targets.ts';
import { checkDefinition } from './check-definition.ts';
import type { DefineDeps } from './create-export.ts';
import { readView, type DefinitionReadDeps } from './read-exports.ts';

export type ReplaceDeps = DefineDeps & DefinitionReadDeps;

/**
 * `PUT exports/{export_id}`: replaces the whole definition; its id and its webhook secret stay. A running job continues
 * with the definition that it began with; a waiting job begins with the new definition. The request starts no job.
 */
export const replaceExport: UseCase<ReplaceDeps, NoQuery, ExportBody> = async (deps, request) => {
  const { property, body, now, permissions } = request;
  const found = await requestedDefinition(deps.exports, request);
  if (!found) return err(notFound('export', request));
  const targets = await checkDefinition(deps, request, found.value);
  if (!targets.ok) return targets;
  await nameAddress(deps.table, request, found.value);
  const maker = { property: property.id, user: request.user.id, now };
  await noteMade(deps.table, maker, { kind: 'export', id: found.value.export });
  return retryOnConflict<Result<ApiAnswer, Problem>>(
    { pause: deps.pause, what: 'exports: a definition' },
    async () => {
      const seen = await requestedDefinition(deps.exports, request);
      if (!seen) return done(err(notFound('export', request)));
      return tryReplace(deps, seen, { body, now, permissions, targets: targets.value });
    },
  );
};

interface ReplaceInput extends Pick<ApiRequest<unknown, unknown>, 'now' | 'permissions'> {
  readonly body: ExportBody;
  readonly targets: NamedTargets;
}

const tryReplace = async (
  deps: ReplaceDeps,
  seen: Versioned<ExportDefinition>,
  { body, now, permissions, targets }: ReplaceInput,
): Promise<Attempted<Result<ApiAnswer, Problem>>> => {
  const before = seen.value;
  const { property, export: id } = before;
  const { fields, secret } = await definitionFields(deps, { property, id, body, now, targets, before });
  const revision = before.revision + 1;
  const own = { revision, ...newFeed(before, fields, revision) };
  const after: ExportDefinition = { ...before, ...fields, ...own };
  if (isTooLarge(after)) return done(err(problems.invalid([tooLarge])));
  const referenced = await targetWrites(deps, after, targets, now);
  if (!referenced.ok) return done(err(problems.invalid(referenced.error)));
  const scheduled = [before, after].filter(({ to_come }) => to_come);
  const tasks = scheduled.map((each) => taskWrite(deps.table, scheduleTask(each, now)));
  const refused = await deps.table.transact([
    updateDefinition(seen, { ...fields, ...own }),
    ...(await Promise.all(tasks)),
    ...referenced.value,
  ]);
  if (refused.length > 0) return 'conflict';
  const view = await readView(deps, after, { now, permissions });
  const shown = secret === undefined ? view : { ...view, webhook_secret: showSecret(secret) };
  return done(ok({ status: 200, body: shown }));
};

/**
 * What begins anew with another receiver of changes: it knows nobody, and no job of an earlier revision tells it anything.
 * Nothing begins anew while the address stays.
 */
const newFeed = (
  before: Pick<ExportDefinition, 'changes'>,
  after: Pick<ExportDefinition, 'changes'>,
  revision: number,
): Partial<RunQueue> =>
  before.changes?.url === after.changes?.url
    ? {}
    : { told_job: null, untold_job: null, feed_revision: revision };
