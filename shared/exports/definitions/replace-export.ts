import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import { showSecret } from '../../webhooks/signature.ts';
import { checkDefinition } from './check-definition.ts';
import type { DefineDeps } from './create-export.ts';
import { definitionFields, isTooLarge, tooLarge } from './define.ts';
import type { ExportDefinition } from '../model/items.ts';
import { confirmOwnAddress } from './confirm-own-address.ts';
import { readExport, type ReadDeps } from './read-exports.ts';
import { referencesEnd, addExportReferences } from '../runs/request-run.ts';
import type { Seen } from '../model/repository.ts';
import type { ExportBody } from '../model/schemas.ts';
import { syncSchedules } from '../runs/schedule-runs.ts';
import { findTargets, deletedTargetFaults, type NamedTargets } from '../model/targets.ts';

/** What replacing exports needs. */
export type ReplaceDeps = DefineDeps & ReadDeps;

/**
 * `PUT exports/{export_id}`: takes the place of the whole definition; the id stays. A job that runs goes on with the
 * definition it began with, one that waits begins with the new one. It starts no job; the webhook keeps its secret.
 */
export const replaceExport = async (
  deps: ReplaceDeps,
  request: ApiRequest<unknown, ExportBody>,
): Promise<Result<ApiAnswer, Problem>> => {
  const { property, path, body, now } = request;
  const id = Number(path['export_id']);
  if (!belongsTo(property.id, id) || !(await deps.exports.definition(property.id, id)))
    return err(problems.notFound());
  const faults = await checkDefinition(body, deps.stage, now);
  if (faults.length > 0) return err(problems.invalid(faults));
  const targets = await findTargets(deps, property.id, body);
  if (!targets.ok) return err(problems.invalid(targets.error));
  await confirmOwnAddress(deps.table, request);
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'exports: a definition');
    // Read before what it names is touched: whoever deletes that touches the definition after it.
    const seen = await deps.exports.definition(property.id, id);
    if (!seen) return err(problems.notFound());
    const outcome = await tryReplace(deps, seen, { body, now, targets: targets.value });
    if (outcome !== 'again') return outcome;
  }
};

interface ReplaceInput {
  readonly body: ExportBody;
  readonly now: number;
  readonly targets: NamedTargets;
}

const tryReplace = async (
  deps: ReplaceDeps,
  seen: Seen<ExportDefinition>,
  { body, now, targets }: ReplaceInput,
): Promise<Result<ApiAnswer, Problem> | 'again'> => {
  const before = seen.value;
  const { property, export: id } = before;
  const { fields, secret } = await definitionFields(deps, { property, id, body, now, targets, before });
  const after: ExportDefinition = { ...before, ...fields, revision: before.revision + 1 };
  if (isTooLarge(after)) return err(problems.invalid([tooLarge]));
  const gone = await addExportReferences(deps, {
    property,
    id,
    things: targets.referents,
    ttl: referencesEnd(after, now),
  });
  if (gone.length > 0) return err(problems.invalid(deletedTargetFaults(body, gone)));
  const scheduled = [before, after].filter(({ to_come }) => to_come);
  for (const { revision } of scheduled)
    await deps.exports.addOutboxTask({ property, export: id, created: now, job: null, revision });
  if ((await deps.exports.updateDefinition(seen, { ...fields, revision: after.revision })) === 'refused')
    return 'again';
  for (const { revision } of scheduled) await syncSchedules(deps, { property, export: id, revision });
  const view = await readExport(deps, after, now);
  return ok({
    status: 200,
    body: secret === undefined ? view : { ...view, webhook_secret: showSecret(secret) },
  });
};
