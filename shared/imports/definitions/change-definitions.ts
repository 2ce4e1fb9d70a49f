import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { Pause } from '../../runtime/pause.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { manyRounds, nextRound } from '../../runtime/retry.ts';
import { importPrefix } from '../../sftp/paths.ts';
import { definitionView } from '../model/answers.ts';
import { checkMapping } from './definition-rules.ts';
import { type ProgressDeps, readProgress } from '../jobs/read-progress.ts';
import type { ImportRepository, SeenDefinition } from '../model/repository.ts';
import type { ImportBody } from '../model/schemas.ts';
import { hasEnded } from '../model/status.ts';

/** What replacing a definition needs. */
export interface ReplaceDeps {
  readonly imports: ImportRepository;
  readonly pause: Pause;
}
/** What deleting one needs. */
export interface DeleteDeps extends ReplaceDeps, ProgressDeps {
  readonly uploads: Pick<ObjectStore, 'remove'>;
}
type Answer = Promise<Result<ApiAnswer, Problem>>;

/**
 * `PUT imports/{import_id}`: takes the place of the whole definition; id, directory and grant stay. It holds for jobs that
 * are made from then on: what was begun is worked off by the definition that it was made under.
 */
export const replaceImport = async (
  { imports, pause }: ReplaceDeps,
  { property, path, body }: ApiRequest<unknown, ImportBody>,
): Answer => {
  const id = Number(path['import_id']);
  if (!(await imports.definition(property.id, id))) return err(problems.notFound());
  const mapping = checkMapping(body);
  if (!mapping.ok) return err(problems.invalid(mapping.error));
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'imports: a definition');
    const seen = await imports.seenDefinition(property.id, id);
    if (!seen) return err(problems.notFound());
    const { revision } = seen.definition;
    const after = { ...seen.definition, ...body, mapping_fields: mapping.value, revision: revision + 1 };
    if (await imports.replaceDefinition(seen, after)) return ok({ status: 200, body: definitionView(after) });
  }
};

/**
 * `DELETE imports/{import_id}`: the definition is gone at once, then its directory. 409 while a job of it has not ended. A
 * job that somebody makes at the same moment is worked off if its rows were accepted, and fails if its file was not read.
 */
export const deleteImport = async (
  deps: DeleteDeps,
  { property, path }: ApiRequest<unknown, unknown>,
): Answer => {
  const { imports, pause } = deps;
  const id = Number(path['import_id']);
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'imports: a definition');
    const seen = await imports.seenDefinition(property.id, id);
    if (seen && (await isUsed(deps, seen))) return err(inUse);
    if (seen && !(await imports.markDeleted(seen))) continue;
    // Whoever comes after one that died here goes on where it stopped.
    if (await imports.isMarked(property.id, id)) await cleanUp(deps, property, id);
    return seen ? ok({ status: 200, body: { id } }) : err(problems.notFound());
  }
};

const cleanUp = async (
  { imports, uploads }: DeleteDeps,
  { id: property, account }: ApiRequest<unknown, unknown>['property'],
  id: number,
): Promise<void> => {
  await uploads.remove(importPrefix(account, property, id));
  await imports.removeMarked(property, id);
};

const inUse = problems.conflict('in_use', 'A job of it has not ended: wait for it, or cancel it.');

/** Jobs that are looked at together. */
const JOBS_AT_ONCE = 100;

/** Whether a job of a definition has not ended. The newest are looked at first: the others have most probably. */
const isUsed = async (
  deps: DeleteDeps,
  { definition: { property, id } }: SeenDefinition,
): Promise<boolean> => {
  let after: string | undefined;
  do {
    const page = await deps.imports.jobs(property, id, { limit: JOBS_AT_ONCE, after, descending: true });
    for (const job of page.items) if (!hasEnded((await readProgress(deps, job)).status)) return true;
    after = page.next;
  } while (after !== undefined);
  return false;
};
