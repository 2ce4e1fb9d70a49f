/** Use cases of objections: make one, list them, end one. */
import type { UseCase, ApiAnswer, ApiRequest, NoQuery } from '../http/api-types.ts';
import type { ListQuery } from '../http/list-schemas.ts';
import { filterPage, fitPage, readPage, type ListDeps, type Page } from '../http/listing.ts';
import { notFound } from '../http/not-found.ts';
import type { Problem } from '../http/problem.ts';
import { lookupKey } from '../profiles/find-profile.ts';
import type { ObjectionBody } from '../profiles/objection-schemas.ts';
import {
  objectionRef,
  objectionView,
  parseObjection,
  readObjection,
  type Objection,
} from '../profiles/objections.ts';
import { sealOrdinal } from '../profiles/profile-uuid.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { keys } from '../table/keys.ts';
import type { AppendOnlyTable, Table } from '../table/table.ts';
import { changeObjection } from './change-objection.ts';
import { logObjection } from './objection-log.ts';
import type { RestrictDeps } from './restrict-person.ts';

export interface ObjectionDeps extends RestrictDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  /** The log of forgettings and objections, for a restored table. */
  readonly forgettings: Pick<AppendOnlyTable, 'add'>;
}

/**
 * `POST objections`: 201 for a new objection, 200 for one that exists, whose scope it changes. Once it answers, later records
 * with the identity are refused, or the person is in no segment.
 */
export const createObjection: UseCase<ObjectionDeps, NoQuery, ObjectionBody> = async (
  deps,
  { property, user, body, now, requestId },
) => {
  const scope = await deps.scopeOf(property.id);
  const { scope: about, ...query } = body;
  const identity = lookupKey(scope, query);
  if (!identity || 'ordinal' in identity) throw new Error('profiles: an objection names no identity');
  const ref = objectionRef(scope, identity);
  const known = await readObjection(deps.table, property.id, ref.id);
  const made = { created: now, created_by: user.id };
  const objection: Objection = { ...(known?.scope === about ? known : made), ...ref, scope: about };
  await logObjection(deps, property.id, objection, { now, attemptId: requestId });
  const ordinal = await changeObjection(deps, scope, objection, `object-${requestId}`);
  const profile_uuid = ordinal === undefined ? null : sealOrdinal(scope.keys.uuid, ordinal);
  return ok({
    status: known ? 200 : 201,
    body: { ...objectionView(objection), profile_uuid },
    ...(profile_uuid !== null && { audited: { profile_uuid } }),
  });
};

const idForm = /^[\w-]{43}$/;

/** `DELETE objections/{objection}`: later records with the identity are stored and used again. 404 without one. */
export const endObjection = async (
  deps: ObjectionDeps,
  { property, path, now, requestId }: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const { objection: id = '' } = path;
  const known = idForm.test(id) ? await readObjection(deps.table, property.id, id) : undefined;
  if (!known) return err(notFound('objection', { property, path }));
  const scope = await deps.scopeOf(property.id);
  const ended = { ...known, scope: null };
  await logObjection(deps, property.id, ended, { now, attemptId: requestId });
  await changeObjection(deps, scope, ended, `object-${requestId}`);
  return ok({ status: 200, body: { id } });
};

/** `GET objections`: the objections of a property, without the identities. */
export const listObjections = async (
  deps: ListDeps & { readonly table: Pick<Table, 'query'> },
  { property, query }: ApiRequest<ListQuery, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const asked = { property: property.id, list: `/v1/${property.id}/objections`, query };
  const page = await readPage(deps, asked);
  if (!page.ok) return page;
  const read = async (wanted: Page) => {
    const { items, next } = await deps.table.query(keys.objections(property.id), wanted);
    return { items: items.map(parseObjection), next };
  };
  const positionOf = ({ id }: Objection): string => id;
  const found = await filterPage(page.value, read, { keep: () => true, positionOf });
  const { shown, next_page } = await fitPage(deps, asked, found, {
    views: found.items.map(objectionView),
    positionOf,
  });
  return ok({ status: 200, body: { objections: shown, paging: { next_page } } });
};
