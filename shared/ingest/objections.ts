/** Use cases of objections: make one, list them, end one. */
import type { UseCase, NoQuery } from '../http/api-types.ts';
import { answerList, type ListDeps } from '../http/listing.ts';
import { notFound } from '../http/not-found.ts';
import { permit } from '../http/permit.ts';
import { lookupKey } from '../profiles/find-profile.ts';
import type { ObjectionBody, ObjectionsQuery } from '../profiles/objection-schemas.ts';
import {
  objectionRef,
  objectionsBehind,
  objectionsOf,
  objectionView,
  parseObjection,
} from '../profiles/objections.ts';
import { sealOrdinal } from '../profiles/profile-uuid.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { err, ok } from '../runtime/result.ts';
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
  const [known] = await objectionsBehind(deps.table, [ref]);
  const made = { scope: about, created: now, created_by: user.id };
  const objection =
    known?.scope === about ? { ...made, created: known.created, created_by: known.created_by } : made;
  const change = { ...ref, objection };
  await logObjection(deps, property.id, change, { now, attemptId: requestId });
  // An objection makes no segment: if it meets the end of another one, that call makes the missing segments.
  const segments = { ...deps.segments, idsOf: deps.segments.findIds };
  const ordinal = await changeObjection({ ...deps, segments }, scope, change, `object-${requestId}`);
  const profile_uuid = ordinal === undefined ? null : sealOrdinal(scope.keys.uuid, ordinal);
  return ok({
    status: known ? 200 : 201,
    body: { ...objectionView({ ...ref, ...objection }), profile_uuid },
    ...(profile_uuid !== null && { audited: { profile_uuid } }),
  });
};

const idForm = /^[\w-]{43}$/;

/** `DELETE objections/{objection}`: later records with the identity are stored and used again. 404 without one. */
export const endObjection: UseCase<ObjectionDeps> = async (deps, { property, path, now, requestId }) => {
  const { objection: id = '' } = path;
  const item = idForm.test(id) ? await deps.table.get(keys.objection(property.id, id)) : undefined;
  const known = item && parseObjection(item);
  if (!known) return err(notFound('objection', { property, path }));
  const scope = await deps.scopeOf(property.id);
  const ended = { id, kind: known.kind, claim: known.claim, objection: null };
  await logObjection(deps, property.id, ended, { now, attemptId: requestId });
  await changeObjection(deps, scope, ended, `object-${requestId}`);
  return ok({ status: 200, body: { id } });
};

/**
 * `GET objections`: the objections of a property, without the identities; or those of one identity, if the token may see
 * people.
 */
export const listObjections: UseCase<
  ListDeps & { readonly table: Pick<Table, 'query' | 'getMany'> },
  ObjectionsQuery
> = async (deps, { property, permissions, query }) => {
  const { email, unique_id, social_id, ...list } = query;
  const scope = await deps.scopeOf(property.id);
  const identity = lookupKey(scope, { email, unique_id, social_id });
  if (identity && !('ordinal' in identity)) {
    const permitted = permit({ permissions }, 'people.read');
    if (!permitted.ok) return permitted;
    const own = await objectionsOf(deps.table, scope, [identity]);
    return ok({ status: 200, body: { objections: own.map(objectionView), paging: { next_page: null } } });
  }
  return answerList(deps, { property, query: list }, 'objections', {
    path: `/v1/${property.id}/objections`,
    read: async (page) => {
      const { items, next } = await deps.table.query(keys.objections(property.id), page);
      return { items: await objectionsBehind(deps.table, items.map(parseObjection)), next };
    },
    positionOf: ({ id }) => id,
    views: (objections) => objections.map(objectionView),
  });
};
