import { noteMade } from '../../auth/made-things.ts';
import { nameAddress, noticeFaults, webhookSecret } from '../../deliveries/notice-fields.ts';
import type { ApiAnswer, UseCase, NoQuery } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { Pause } from '../../runtime/pause.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import type { ImportBody } from '../schemas/definition-schemas.ts';
import { importSecretContext } from '../announce/call-import-webhook.ts';
import { storedDefinitionView } from '../schemas/views.ts';
import type { DefineDeps } from './create-import.ts';
import { checkMapping } from './definition-rules.ts';

export interface ReplaceDeps extends DefineDeps {
  readonly pause: Pause;
}

/**
 * `PUT imports/{import_id}`: replaces the whole definition. Its id, directory, granted tier and webhook secret stay. The
 * new definition applies to jobs that are created later; an existing job keeps the revision that it was created with.
 */
export const replaceImport: UseCase<ReplaceDeps, NoQuery, ImportBody> = async (deps, request) => {
  const { imports, pause } = deps;
  const { property, path, body } = request;
  const id = Number(path['import_id']);
  const known = await imports.definition(property.id, id);
  if (!known) return err(notFound('import', { property, path }));
  const mapping = checkMapping(body);
  const faults = [...(mapping.ok ? [] : mapping.error), ...noticeFaults(body, deps.stage)];
  if (!mapping.ok || faults.length > 0) return err(problems.invalid(faults));
  await nameAddress(deps.table, request, known);
  const maker = { property: property.id, user: request.user.id, now: request.now };
  await noteMade(deps.table, maker, { kind: 'import', id });
  return retryOnConflict<Result<ApiAnswer, Problem>>({ pause, what: 'imports: a definition' }, async () => {
    const seen = await imports.versionedDefinition(property.id, id);
    if (!seen) return done(err(notFound('import', { property, path })));
    const { value: before } = seen;
    const context = importSecretContext(property.id, id);
    const { stored, secret } = await webhookSecret(deps, { body, before: before.webhook_secret, context });
    const own = { mapping_fields: mapping.value, webhook_secret: stored, revision: before.revision + 1 };
    const after = { ...before, ...body, ...own };
    return (await imports.replaceDefinition(seen, after))
      ? done(ok({ status: 200, body: storedDefinitionView(after, secret) }))
      : 'conflict';
  });
};
