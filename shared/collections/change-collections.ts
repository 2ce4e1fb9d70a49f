import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import { requestCause } from '../edge/request-cause.ts';
import { problems, unknownReferences, type Problem, type ProblemError } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { referentsAmong } from '../catalogue/custom-items.ts';
import { deleteUnreferenced, purgeDeleted, type DeleteDeps } from '../references/delete-unreferenced.ts';
import {
  addReferences,
  touchReferents,
  type Referent,
  type ReferenceDeps,
} from '../references/references.ts';
import { collectionView } from './read-collections.ts';
import type { CollectionRepository } from './repository.ts';
import type { CollectionBody } from './schemas.ts';

/** What making and changing collections needs. */
export interface CollectionDeps extends ReferenceDeps {
  readonly collections: CollectionRepository;
  readonly catalogue: Pick<SegmentCatalogue, 'visible'>;
}
type Answer = Promise<Result<ApiAnswer, Problem>>;
type Request = ApiRequest<unknown, CollectionBody>;

/**
 * `POST collections`. 422 for a segment that is unknown, or that is deleted before the collection is there. A repeated request
 * under one `Idempotency-Key` is answered with the collection that the first has made.
 */
export const createCollection = async (deps: CollectionDeps, request: Request): Answer => {
  const { property, body, user, now, keyed = false } = request;
  const cause = requestCause(request);
  const named = await segmentsOf(deps, property.id, body.segments);
  if (!named.ok) return err(problems.invalid(named.error));
  const { segments, referents } = named.value;
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'collections: a new collection');
    const id = await deps.collections.idOf(cause, round);
    const made = keyed ? await deps.collections.get(property.id, id) : undefined;
    if (made) return ok({ status: 201, body: collectionView(made.collection) });
    await addReferences(deps, property.id, { referrer: { kind: 'collection', id }, referents });
    const gone = await touchReferents(deps, property.id, referents);
    if (gone.length > 0) return err(goneProblem(body.segments, gone));
    const collection = { id, name: body.name, segments, created: now, created_by: user };
    const stored = await deps.collections.add(property.id, collection);
    if (stored) return ok({ status: 201, body: collectionView(stored) });
  }
};

/** `PUT collections/{collection_id}`: takes the place of what it held; the id stays. */
export const replaceCollection = async (deps: CollectionDeps, request: Request): Answer => {
  const { property, path, body } = request;
  const id = Number(path['collection_id']);
  if (!(await deps.collections.get(property.id, id))) return err(problems.notFound());
  const named = await segmentsOf(deps, property.id, body.segments);
  if (!named.ok) return err(problems.invalid(named.error));
  const { segments, referents } = named.value;
  await addReferences(deps, property.id, { referrer: { kind: 'collection', id }, referents });
  for (let round = 0; ; round += 1) {
    await nextRound(deps.pause, round, manyRounds, 'collections: a collection');
    // Read before the segments are touched: whoever deletes one of them touches the collection after that.
    const seen = await deps.collections.get(property.id, id);
    if (!seen) return err(problems.notFound());
    const gone = await touchReferents(deps, property.id, referents);
    if (gone.length > 0) return err(goneProblem(body.segments, gone));
    const change = { name: body.name, segments };
    if (await deps.collections.change(property.id, seen, change))
      return ok({ status: 200, body: collectionView({ ...seen.collection, ...change }) });
  }
};

/** `DELETE collections/{collection_id}`: 409 while an export that is to run or runs names it. */
export const deleteCollection = async (
  deps: DeleteDeps & Pick<CollectionDeps, 'collections'>,
  { property, path }: ApiRequest<unknown, unknown>,
): Answer => {
  const id = Number(path['collection_id']);
  const thing: Referent = { kind: 'collection', id };
  const deleted = await deleteUnreferenced(deps, property.id, thing, async () => {
    const seen = await deps.collections.get(property.id, id);
    return seen ? ok(seen) : err(problems.notFound());
  });
  if (!deleted.ok) return err(deleted.error === 'in_use' ? inUse : deleted.error);
  await purgeDeleted(deps.table, property.id, thing);
  return ok({ status: 200, body: { id } });
};

const inUse = problems.conflict('in_use', 'An export that is to run, or runs, names it.');

interface NamedSegments {
  /** Each once, in the order sent. */
  readonly segments: number[];
  readonly referents: readonly Referent[];
}

const segmentsOf = async (
  { catalogue }: CollectionDeps,
  property: number,
  ids: readonly number[],
): Promise<Result<NamedSegments, readonly ProblemError[]>> => {
  const known = await catalogue.visible(property, ids);
  const unknown = unknownReferences('segments', ids, (id) => known.has(id));
  if (unknown.length > 0) return err(unknown);
  return ok({ segments: [...new Set(ids)], referents: referentsAmong(known.values()) });
};

const goneProblem = (ids: readonly number[], gone: readonly Referent[]): Problem => {
  const missing = new Set(gone.map(({ id }) => id));
  return problems.invalid(unknownReferences('segments', ids, (id) => !missing.has(id)));
};
