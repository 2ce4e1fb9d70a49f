import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import type { NamedListQuery } from '../../http/list-schemas.ts';
import { filterPage, linkTo, type ListDeps, type Page, readPage } from '../../http/listing.ts';
import { requestCause } from '../../edge/request-cause.ts';
import { problems, type Problem } from '../../http/problem.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { hasInName } from '../../catalogue/name-filter.ts';
import { importPrefix } from '../../sftp/paths.ts';
import { keys } from '../../table/keys.ts';
import { definitionView } from '../model/answers.ts';
import type { ImportDefinition } from '../model/definition.ts';
import { checkMapping } from './definition-rules.ts';
import type { ImportRepository } from '../model/repository.ts';
import type { ImportBody } from '../model/schemas.ts';

interface Deps {
  readonly imports: ImportRepository;
}
type Answer = Promise<Result<ApiAnswer, Problem>>;

/**
 * `POST imports`: makes a definition. Its directory of SFTP comes first: a directory without definition does no harm. A
 * repeated request under one `Idempotency-Key` is answered with the definition that the first has made.
 */
export const createImport = async (
  { imports, uploads }: Deps & { readonly uploads: Pick<ObjectStore, 'put'> },
  request: ApiRequest<unknown, ImportBody>,
): Answer => {
  const { property, body, now } = request;
  const mapping = checkMapping(body);
  if (!mapping.ok) return err(problems.invalid(mapping.error));
  const definition: ImportDefinition = {
    ...body,
    id: await imports.idOf(requestCause(request), 'import'),
    property: property.id,
    account: property.account,
    mapping_fields: mapping.value,
    granted_tier: null,
    created: now,
    revision: 0,
  };
  await uploads.put(importPrefix(property.account, property.id, definition.id), '');
  return ok({ status: 201, body: definitionView(await imports.addDefinition(definition)) });
};

/** `GET imports/{import_id}`. */
export const getImport = async (
  { imports }: Deps,
  { property, path }: ApiRequest<unknown, unknown>,
): Answer => {
  const definition = await imports.definition(property.id, Number(path['import_id']));
  return definition ? ok({ status: 200, body: definitionView(definition) }) : err(problems.notFound());
};

/** `GET imports`: definitions in order of creation, the oldest first unless asked otherwise; all, or those of a name. */
export const listImports = async (
  deps: Deps & ListDeps,
  { property, query }: ApiRequest<NamedListQuery, unknown>,
): Answer => {
  const list = `/v1/${property.id}/imports`;
  const page = await readPage(deps, { property: property.id, list, query });
  if (!page.ok) return page;
  const { items, next } = await filterPage(
    page.value,
    (wanted: Page) => deps.imports.definitions(property.id, wanted),
    { keep: hasInName(query.name), positionOf: ({ id }) => keys.importDefinition(property.id, id).sk },
  );
  const next_page = await linkTo(deps, { property: property.id, list, query, next });
  return ok({ status: 200, body: { imports: items.map(definitionView), paging: { next_page } } });
};
