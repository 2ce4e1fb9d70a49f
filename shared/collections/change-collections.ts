/** Changes of collections: the use cases that create, replace and delete collections of segments. */
import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { requestIdentityOf } from '../edge/request-identity.ts';
import { notFound } from '../http/not-found.ts';
import { problems, unknownReferences, type Problem, type ProblemError } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { referentsAmong } from '../catalogue/custom-items.ts';
import { resolveRefs, type SegmentRef } from '../catalogue/segment-refs.ts';
import {
  deleteUnreferenced,
  inUseProblem,
  isInUse,
  purgeDeleted,
  type DeleteDeps,
} from '../references/delete-unreferenced.ts';
import {
  addReferences,
  touchReferents,
  type Referent,
  type ReferenceDeps,
} from '../references/references.ts';
import { collectionView } from './read-collections.ts';
import type { CollectionRepository } from './repository.ts';
import type { CollectionBody } from './schemas.ts';

export interface CollectionDeps extends ReferenceDeps {
  readonly collections: CollectionRepository;
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'visible'>;
}
type Answer = Promise<Result<ApiAnswer, Problem>>;
type Request = ApiRequest<unknown, CollectionBody>;

/**
 * `POST collections`. 422 for a segment that is unknown or has a name of several segments, or that is deleted before the collection is stored. A repeated
 * request with the same `Idempotency-Key` gets the collection that the first request created.
 */
export const createCollection = async (deps: CollectionDeps, request: Request): Answer => {
  const { property, body, user, now, keyed = false } = request;
  const requestIdentity = requestIdentityOf(request);
  const named = await segmentsOf(deps, property.id, body.segments);
  if (!named.ok) return err(problems.invalid(named.error));
  const { asked, segments, referents } = named.value;
  const retry = { pause: deps.pause, what: 'collections: a new collection' };
  return retryOnConflict<Result<ApiAnswer, Problem>>(retry, async (round) => {
    const id = await deps.collections.idOf(requestIdentity, round);
    const made = keyed ? await deps.collections.get(property.id, id) : undefined;
    if (made) return done(ok({ status: 201, body: collectionView(made.collection) }));
    await addReferences(deps, property.id, { referrer: { kind: 'collection', id }, referents });
    const deleted = await touchReferents(deps, property.id, referents);
    if (deleted.length > 0) return done(err(unknownSegments(asked, deleted)));
    const collection = { id, name: body.name, segments, created: now, created_by: user };
    const stored = await deps.collections.add(property.id, collection);
    return stored ? done(ok({ status: 201, body: collectionView(stored) })) : 'conflict';
  });
};

/** `PUT collections/{collection_id}`: replaces the name and the segments of a collection. The id stays. */
export const replaceCollection = async (deps: CollectionDeps, request: Request): Answer => {
  const { property, path, body } = request;
  const id = Number(path['collection_id']);
  if (!(await deps.collections.get(property.id, id))) return err(notFound('collection', request));
  const named = await segmentsOf(deps, property.id, body.segments);
  if (!named.ok) return err(problems.invalid(named.error));
  const { asked, segments, referents } = named.value;
  await addReferences(deps, property.id, { referrer: { kind: 'collection', id }, referents });
  const retry = { pause: deps.pause, what: 'collections: a collection' };
  return retryOnConflict<Result<ApiAnswer, Problem>>(retry, async () => {
    // Read before the segments are touched: a later deletion of a segment touches the collection, and the write is refused.
    const seen = await deps.collections.get(property.id, id);
    if (!seen) return done(err(notFound('collection', request)));
    const deleted = await touchReferents(deps, property.id, referents);
    if (deleted.length > 0) return done(err(unknownSegments(asked, deleted)));
    const change = { name: body.name, segments };
    return (await deps.collections.change(property.id, seen, change))
      ? done(ok({ status: 200, body: collectionView({ ...seen.collection, ...change }) }))
      : 'conflict';
  });
};

/** `DELETE collections/{collection_id}`: 409 while an export that is scheduled or running names the collection. */
export const deleteCollection = async (
  deps: DeleteDeps & Pick<CollectionDeps, 'collections'>,
  { property, path }: ApiRequest<unknown, unknown>,
): Answer => {
  const id = Number(path['collection_id']);
  const referent: Referent = { kind: 'collection', id };
  const read = async () => {
    const seen = await deps.collections.get(property.id, id);
    return seen ? ok(seen) : err(notFound('collection', { property, path }));
  };
  const deleted = await deleteUnreferenced(deps, property.id, referent, { read });
  if (!deleted.ok) return err(isInUse(deleted.error) ? inUseProblem(deleted.error) : deleted.error);
  await purgeDeleted(deps.table, property.id, referent);
  return ok({ status: 200, body: { id } });
};

interface NamedSegments {
  /** The ids by their places in the request. */
  readonly asked: readonly number[];
  /** Without duplicates, in the order of the request. */
  readonly segments: number[];
  readonly referents: readonly Referent[];
}

const segmentsOf = async (
  { catalogue }: CollectionDeps,
  property: number,
  refs: readonly SegmentRef[],
): Promise<Result<NamedSegments, readonly ProblemError[]>> => {
  const placed = refs.map((ref, index) => ({ ref, path: ['segments', index] }));
  const visible = (ids: readonly number[]) => catalogue.visible(property, ids);
  const resolved = await resolveRefs(catalogue, property, placed, visible);
  if (!resolved.ok) return resolved;
  const ids = resolved.value;
  const known = await visible(ids);
  const unknown = unknownReferences(segmentIds, ids, (id) => known.has(id));
  if (unknown.length > 0) return err(unknown);
  return ok({ asked: ids, segments: [...new Set(ids)], referents: referentsAmong(known.values()) });
};

const segmentIds = { field: 'segments', kind: 'segment' } as const;

/** The fault of a request that names segments which were deleted in the meantime. */
const unknownSegments = (ids: readonly number[], deleted: readonly Referent[]): Problem => {
  const missing = new Set(deleted.map(({ id }) => id));
  return problems.invalid(unknownReferences(segmentIds, ids, (id) => !missing.has(id)));
};
