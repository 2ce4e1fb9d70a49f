/** Erasures: the routes that begin and show erasures of segments. */
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { expand } from '../catalogue/segment-items.ts';
import { resolveRefs } from '../catalogue/segment-refs.ts';
import { cardinality, storeFrozen } from '../exports/model/frozen-set.ts';
import type { NoQuery, UseCase } from '../http/api-types.ts';
import { answerList, type ListDeps } from '../http/listing.ts';
import { notFound } from '../http/not-found.ts';
import { problems, unknownReference, type Problem } from '../http/problem.ts';
import { pointerOf } from '../http/text.ts';
import { limits } from '../config/limits.ts';
import { drainAnnounced, type DrainQueue } from '../membership/drain.ts';
import type { Journal } from '../membership/journal.ts';
import { costFault } from '../membership/read-members.ts';
import { chunksFrom } from '../membership/walk-members.ts';
import type { Pause } from '../runtime/pause.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { err, ok } from '../runtime/result.ts';
import { done, fewRounds, retryOnConflict, retryUntil } from '../runtime/retry.ts';
import { allocateIdOnce, allocatedId, requestIdentityOf } from '../table/idempotent-ids.ts';
import { keys } from '../table/keys.ts';
import { belongsTo } from '../table/scoped-ids.ts';
import type { Table } from '../table/table.ts';
import { taskWrite } from '../tasks/tasks.ts';
import {
  erasureView,
  erasureWrite,
  membersKey,
  nextErasureId,
  parseErasure,
  type Erasure,
} from './erasure-items.ts';
import type { ErasureBody, ErasuresQuery } from './schemas.ts';

export interface CreateErasureDeps extends DrainQueue {
  readonly table: Table;
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'getMany'>;
  readonly work: Pick<ObjectStore, 'put'>;
  readonly pause: Pause;
  readonly journal: Pick<Journal, 'groups'>;
}

const ATTEMPT_BYTES = 8;

/**
 * `POST erasures`: 202 with the erasure, whose people are those in the segment now, however the segment changes. 409 when
 * their number is not the one of the body, so that nobody is forgotten whom a preview did not count; and when the index does
 * not show within some seconds what was stored before. 422 for an unknown segment, or one that is too expensive to count. A
 * repeated request with the same `Idempotency-Key` gets the erasure that the first request began.
 */
export const createErasure: UseCase<CreateErasureDeps, NoQuery, ErasureBody> = async (deps, request) => {
  const { property, body, user, now } = request;
  const path = ['segment'];
  const known = (ids: readonly number[]) => deps.catalogue.getMany(property.id, ids);
  const resolved = await resolveRefs(deps.catalogue, property.id, [{ ref: body.segment, path }], known);
  if (!resolved.ok) return err(problems.invalid(resolved.error));
  const [wanted = 0] = resolved.value;
  const segments = await known([wanted]);
  const segment = segments.get(wanted);
  const pointer = pointerOf(path);
  if (!segment) return err(problems.invalid([unknownReference(pointer, { kind: 'segment', id: wanted })]));
  const identity = requestIdentityOf(request);
  const earlier = await allocatedId(deps.table, identity, 'erasure');
  const made = earlier === undefined ? undefined : await deps.table.get(keys.erasure(property.id, earlier));
  if (made) return ok({ status: 202, body: erasureView(parseErasure(made)) });
  const expression = expand(segment.id, segments);
  const fault = await costFault(deps.table, { property: property.id, expression });
  if (fault) return err(problems.invalid([{ pointer, ...fault }]));
  if (!(await showsAllBefore(deps, property.id, now))) return err(indexBehind());
  const members = await Array.fromAsync(chunksFrom(deps.table, { property: property.id, expression }));
  const profiles = cardinality(members);
  if (profiles !== body.profiles) return err(otherCount(profiles, body.profiles));
  const next = () => nextErasureId(deps.table, property.id);
  const id = await allocateIdOnce(deps.table, identity, 'erasure', next);
  const object = membersKey(property.id, id, deps.ids.hex(ATTEMPT_BYTES));
  await storeFrozen(deps.work, object, members);
  const { type, name } = segment;
  const erasure: Erasure = {
    ...{ id, cause: 'segment', segment: { id: segment.id, type, name }, stored_before: null },
    ...{ members: object, profiles, forgotten: 0, at: 0, created: now, created_by: user.id, finished: null },
  };
  await begin(deps, property.id, erasure);
  return ok({ status: 202, body: erasureView(erasure), audited: { segment_ids: [segment.id] } });
};

const CLOCK_SKEW_MS = limits.clockSkewSeconds * 1_000;

/**
 * Whether the index shows all that was stored in a property before a time (epoch milliseconds), perhaps after some seconds.
 * Other reads may be behind; but whoever has left a segment may not be forgotten as one of its members.
 */
const showsAllBefore = async (deps: CreateErasureDeps, property: number, time: number): Promise<boolean> => {
  const shown = await retryUntil({ pause: deps.pause, patience: fewRounds }, async () =>
    (await drainAnnounced(deps, property, time + CLOCK_SKEW_MS)) ? done(true) : 'conflict',
  );
  return shown !== 'conflict';
};

/** Seconds after which the index has usually caught up. */
const BEHIND_SECONDS = 15;

const indexBehind = (): Problem => {
  const wait = String(BEHIND_SECONDS);
  const detail = `The index does not show all records yet that were stored before, so nobody was forgotten; try again in ${wait} s (Retry-After: ${wait}).`;
  return { ...problems.conflict('index_behind', detail), headers: { 'retry-after': wait } };
};

/** Stores an erasure with its task, which is due at once, unless an earlier attempt of the request has done it. */
const begin = ({ table, pause }: CreateErasureDeps, property: number, erasure: Erasure): Promise<void> =>
  retryOnConflict({ pause, what: 'retention: a new erasure' }, async () => {
    const task = { kind: 'erasure', property, ids: [erasure.id], due: erasure.created };
    const refused = await table.transact([erasureWrite(property, erasure), await taskWrite(table, task)]);
    return refused.length === 0 || refused.includes(0) ? done(undefined) : 'conflict';
  });

const otherCount = (profiles: number, asked: number) =>
  problems.conflict(
    'count_changed',
    `The segment has ${profiles} profiles now, not ${asked}, so nobody was forgotten. Look at it again, and send the number that it has.`,
  );

/** `GET erasures/{erasure_id}`: an erasure, running or as its receipt. 404 without one. */
export const getErasure: UseCase<{ readonly table: Pick<Table, 'get'> }> = async (
  { table },
  { property, path },
) => {
  const id = Number(path['erasure_id']);
  const item = belongsTo(property.id, id) ? await table.get(keys.erasure(property.id, id)) : undefined;
  return item
    ? ok({ status: 200, body: erasureView(parseErasure(item)) })
    : err(notFound('erasure', { property, path }));
};

/** `GET erasures`: the erasures of a property in the order in which they began. */
export const listErasures: UseCase<ListDeps & { readonly table: Pick<Table, 'query'> }, ErasuresQuery> = (
  deps,
  request,
) => {
  const { property } = request;
  return answerList(deps, request, 'erasures', {
    path: `/v1/${property.id}/erasures`,
    read: async (page) => {
      const { items, next } = await deps.table.query(keys.erasures(property.id), page);
      return { items: items.map(parseErasure), next };
    },
    positionOf: ({ id }) => keys.erasure(property.id, id).sk,
    views: (erasures) => erasures.map(erasureView),
  });
};
