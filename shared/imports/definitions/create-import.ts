import { noteMade } from '../../auth/made-things.ts';
import {
  nameAddress,
  noticeFaults,
  type NoticeStage,
  webhookSecret,
} from '../../deliveries/notice-fields.ts';
import type { UseCase, NoQuery } from '../../http/api-types.ts';
import { requestIdentityOf } from '../../edge/request-identity.ts';
import { problems } from '../../http/problem.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { KeyService, ObjectStore } from '../../runtime/ports.ts';
import { err, ok } from '../../runtime/result.ts';
import type { Table } from '../../table/table.ts';
import { importPrefix } from '../../sftp/paths.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { ImportRepository } from '../repository/repository.ts';
import type { ImportBody } from '../schemas/definition-schemas.ts';
import { importSecretContext } from '../announce/call-import-webhook.ts';
import { storedDefinitionView } from '../schemas/views.ts';
import { checkMapping } from './definition-rules.ts';

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
  const { stored: webhook_secret } = await webhookSecret(deps, { body, before: null, context });
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
