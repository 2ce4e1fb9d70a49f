import { noteMade } from '../../auth/made-things.ts';
import {
  nameAddress,
  noticeFaults,
  type NoticeStage,
  webhookSecret,
} from '../../deliveries/notice-fields.ts';
import type { UseCase, NoQuery, ApiAnswer } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { KeyService, ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { Table } from '../../table/table.ts';
import { importPrefix } from '../../sftp/paths.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { ImportRepository } from '../repository/repository.ts';
import type { ImportBody } from '../schemas/definition-schemas.ts';
import { importSecretContext } from '../announce/import-notices.ts';
import { storedDefinitionView } from '../schemas/views.ts';
import { checkMapping } from './definition-rules.ts';
import { notFound } from '../../http/not-found.ts';
import type { Pause } from '../../runtime/pause.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import type { CommandRefusal, Outcome } from '../../auth/accounts.ts';
import type { GrantedTier } from '../../profiles/types.ts';
import { requestIdentityOf } from '../../table/idempotent-ids.ts';

export interface DefineDeps {
  readonly imports: ImportRepository;
  readonly table: Table;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly stage: NoticeStage;
}

/**
 * `POST imports`: creates a definition. The SFTP directory is created first, because a directory without a definition
 * does no harm. A repeated request with the same `Idempotency-Key` returns the definition of the first request.
 */
export const createImport: UseCase<
  DefineDeps & { readonly uploads: Pick<ObjectStore, 'put'> },
  NoQuery,
  ImportBody
> = async (deps, request) => {
  const { imports, uploads, keyService } = deps;
  const { property, body, now } = request;
  const mapping = checkMapping(body);
  const faults = [...(mapping.ok ? [] : mapping.error), ...noticeFaults(body, deps.stage)];
  if (!mapping.ok || faults.length > 0) return err(problems.invalid(faults));
  await nameAddress(deps.table, request);
  const id = await imports.idOf(requestIdentityOf(request), 'import');
  await noteMade(deps.table, { property: property.id, user: request.user.id, now }, { kind: 'import', id });
  const context = importSecretContext(property.id, id);
  const isCalled = body.webhook_url !== null;
  const { stored: webhook_secret } = await webhookSecret(deps, { isCalled, before: null, context });
  const definition: ImportDefinition = {
    ...body,
    id,
    property: property.id,
    account: property.account,
    mapping_fields: mapping.value,
    webhook_secret,
    granted_tier: null,
    created: now,
    revision: 0,
  };
  await uploads.put(importPrefix(property.account, property.id, id), '');
  const stored = await imports.addDefinition(definition);
  // The stored secret may be that of an earlier try of the request.
  const secret = stored.webhook_secret && (await keyService.decrypt(stored.webhook_secret, context));
  return ok({ status: 201, body: storedDefinitionView(stored, secret ?? undefined) });
};

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
    const input = { isCalled: body.webhook_url !== null, before: before.webhook_secret, context };
    const { stored, secret } = await webhookSecret(deps, input);
    const own = { mapping_fields: mapping.value, webhook_secret: stored, revision: before.revision + 1 };
    const after = { ...before, ...body, ...own };
    return (await imports.replaceDefinition(seen, after))
      ? done(ok({ status: 200, body: storedDefinitionView(after, secret) }))
      : 'conflict';
  });
};

/** The tier that an operator grants to an import definition; `tier: null` revokes the grant. */
export interface Grant {
  readonly property: number;
  readonly import: number;
  readonly tier: GrantedTier | null;
}

/**
 * Grants the records of a definition a tier that clients cannot claim, or revokes the grant. The change applies to
 * batches and files that are accepted later. Earlier ones keep their tier.
 */
export const grantSource = async (
  imports: Pick<ImportRepository, 'grantTier'>,
  { property, import: id, tier }: Grant,
): Promise<Outcome<{ readonly import: number; readonly granted_tier: GrantedTier | null }>> =>
  (await imports.grantTier(property, id, tier)) ? ok({ import: id, granted_tier: tier }) : err(unknownImport);

const unknownImport: CommandRefusal = {
  code: 'unknown_import',
  message: 'This property has no such import definition.',
};
