/** Changes of collections: the use cases that create, replace and delete collections of segments. */
import type { ApiAnswer, NoQuery, UseCase } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import { problems, unknownReferences, type Problem, type ProblemError } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { referentsAmong } from '../catalogue/identity.ts';
import { resolveRefs, type SegmentRef } from '../catalogue/segment-refs.ts';
import {
  deleteUnreferenced,
  inUseProblem,
  isInUse,
  purgeDeleted,
  type DeleteDeps,
} from '../references/delete-unreferenced.ts';
import {
  referenceWrites,
  type DeletedReferents,
  type Referent,
  type ReferenceDeps,
} from '../references/references.ts';
import { idWrites, readAllocatedId, requestIdentityOf } from '../table/idempotent-ids.ts';
import { collectionView } from './read-collections.ts';
import { insertCollection, updateCollection, type CollectionRepository } from './repository.ts';
import type { CollectionBody } from './schemas.ts';

export interface CollectionDeps extends ReferenceDeps {
  readonly collections: CollectionRepository;
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'visible'>;
}

/**
 * `POST collections`. 422 for a segment that is unknown or has a name of several segments, or that is deleted before the collection is stored. A repeated
 * request with the same `Idempotency-Key` gets the collection that the first request created.
 */
export const createCollection: UseCase<CollectionDeps, NoQuery, CollectionBody> = async (deps, request) => {
  const { property, body, user, now } = request;
  const requestIdentity = requestIdentityOf(request);
  const named = await segmentsOf(deps, property.id, body.segments);
  if (!named.ok) return err(problems.invalid(named.error));
  const { asked, segments, referents } = named.value;
  const id = await deps.collections.newId(property.id);
  const collection = { id, name: body.name, segments, created: now, created_by: user };
  const retry = { pause: deps.pause, what: 'collections: a new collection' };
  return retryOnConflict<Result<ApiAnswer, Problem>>(retry, async () => {
    const seen = await readAllocatedId(deps.table, requestIdentity, COLLECTION);
    const made = seen && (await deps.collections.get(property.id, seen.id));
    if (made) return done(ok({ status: 201, body: collectionView(made.collection) }));
    const referrer = { kind: 'collection', id } as const;
    const referenced = await referenceWrites(deps, property.id, { referrer, referents, now });
    if (!referenced.ok) return done(err(unknownSegments(asked, referenced.error)));
    const refused = await deps.table.transact([
      insertCollection(property.id, collection),
      ...referenced.value,
      ...idWrites(requestIdentity, { what: COLLECTION, id, seen }),
    ]);
    return refused.length === 0 ? done(ok({ status: 201, body: collectionView(collection) })) : 'conflict';
  });
};

/** Name of the collection among the ids of a request, as release 0.2.0 has it. */
const COLLECTION = 'collection#0';

/** `PUT collections/{collection_id}`: replaces the name and the segments of a collection. The id stays. */
export const replaceCollection: UseCase<CollectionDeps, NoQuery, CollectionBody> = async (deps, request) => {
  const { property, path, body, now } = request;
  const id = Number(path['collection_id']);
  if (!(await deps.collections.get(property.id, id))) return err(notFound('collection', request));
  const named = await segmentsOf(deps, property.id, body.segments);
  if (!named.ok) return err(problems.invalid(named.error));
  const { asked, segments, referents } = named.value;
  const retry = { pause: deps.pause, what: 'collections: a collection' };
  return retryOnConflict<Result<ApiAnswer, Problem>>(retry, async () => {
    const seen = await deps.collections.get(property.id, id);
    if (!seen) return done(err(notFound('collection', request)));
    const naming = { referrer: { kind: 'collection', id }, referents, now } as const;
    const referenced = await referenceWrites(deps, property.id, naming);
    if (!referenced.ok) return done(err(unknownSegments(asked, referenced.error)));
    const change = { name: body.name, segments };
    const refused = await deps.table.transact([updateCollection(seen, change), ...referenced.value]);
    return refused.length === 0
      ? done(ok({ status: 200, body: collectionView({ ...seen.collection, ...change }) }))
      : 'conflict';
  });
};

/** `DELETE collections/{collection_id}`: 409 while an export that is scheduled or running names the collection. */
export const deleteCollection: UseCase<DeleteDeps & Pick<CollectionDeps, 'collections'>> = async (
  deps,
  { property, path, now },
) => {
  const id = Number(path['collection_id']);
  const referent: Referent = { kind: 'collection', id };
  const read = async () => {
    const seen = await deps.collections.get(property.id, id);
    return seen ? ok(seen) : err(notFound('collection', { property, path }));
  };
  const deleted = await deleteUnreferenced(deps, property.id, referent, { read, now });
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
const unknownSegments = (ids: readonly number[], { deleted }: DeletedReferents): Problem => {
  const missing = new Set(deleted.map(({ id }) => id));
  return problems.invalid(unknownReferences(segmentIds, ids, (id) => !missing.has(id)));
};
