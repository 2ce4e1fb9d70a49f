import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { Pause } from '../../runtime/pause.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import type { ImportRepository } from '../model/repository.ts';
import type { ImportBody } from '../model/schemas.ts';
import { definitionView } from '../model/views.ts';
import { checkMapping } from './definition-rules.ts';

export interface ReplaceDeps {
  readonly imports: ImportRepository;
  readonly pause: Pause;
}

/**
 * `PUT imports/{import_id}`: replaces the whole definition. Its id, directory and granted tier stay. The new definition
 * applies to jobs that are created later; an existing job keeps the revision that it was created with.
 */
export const replaceImport = async (
  { imports, pause }: ReplaceDeps,
  { property, path, body }: ApiRequest<unknown, ImportBody>,
): Promise<Result<ApiAnswer, Problem>> => {
  const id = Number(path['import_id']);
  if (!(await imports.definition(property.id, id))) return err(notFound('import', { property, path }));
  const mapping = checkMapping(body);
  if (!mapping.ok) return err(problems.invalid(mapping.error));
  return retryOnConflict<Result<ApiAnswer, Problem>>({ pause, what: 'imports: a definition' }, async () => {
    const seen = await imports.versionedDefinition(property.id, id);
    if (!seen) return done(err(notFound('import', { property, path })));
    const { value: before } = seen;
    const after = { ...before, ...body, mapping_fields: mapping.value, revision: before.revision + 1 };
    return (await imports.replaceDefinition(seen, after))
      ? done(ok({ status: 200, body: definitionView(after) }))
      : 'conflict';
  });
};
