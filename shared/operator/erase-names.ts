/**
 * Erase names: takes the names and the address of a deleted user out of what the user has made in a property: timelines,
 * moments, collections and custom segments. They keep the user's id. Each item is changed on condition that it is as it was
 * read, and a repeated call passes over what is done.
 */
import * as v from 'valibot';
import { itemsOf } from '../runtime/pages.ts';
import type { Pause } from '../runtime/pause.ts';
import type { ApiUser } from '../http/api-types.ts';
import { creatorSchema, isNameless, namelessCreator } from '../http/api-user.ts';
import { changeItem } from '../table/change-item.ts';
import { keys, SEGMENT_SHARDS } from '../table/keys.ts';
import type { Attributes, StoredItem, Table } from '../table/table.ts';
import { latestMomentOf, momentSet } from '../timelines/timeline-items.ts';

interface EraseDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/** Returns the number of items that have lost the names. */
export const eraseNames = async (deps: EraseDeps, property: number, user: number): Promise<number> => {
  let erased = 0;
  const timelines: number[] = [];
  // Timelines first: a moment that is made later takes the creator of its timeline.
  for await (const item of itemsIn(deps.table, keys.timeline(property, 0).pk)) {
    timelines.push(v.parse(withId, item).id);
    erased += await eraseIn(deps, item, user);
  }
  const rest = [
    ...timelines.map((timeline) => keys.timelineMoment(property, timeline, 0).pk),
    keys.collection(property, 0).pk,
    ...Array.from({ length: SEGMENT_SHARDS }, (_, shard) => keys.segmentShard(property, shard)),
  ];
  for (const pk of rest)
    for await (const item of itemsIn(deps.table, pk)) erased += await eraseIn(deps, item, user);
  return erased;
};

const withId = v.object({ id: v.number() });

const itemsIn = (table: Table, pk: string): AsyncIterable<StoredItem> =>
  itemsOf((after) => table.query(pk, { after }));

const eraseIn = async (deps: EraseDeps, item: StoredItem, user: number): Promise<number> => {
  if (!withoutNames(item, user)) return 0;
  const key = { pk: item.pk, sk: item.sk };
  return changeItem<number>(deps, { key, what: 'users: something that a deleted user made' }, (seen) => {
    const set = seen && withoutNames(seen, user);
    return set ? { result: 1, set } : { result: 0 };
  });
};

/** The attributes of an item without the names of a user; `undefined` when it has none. */
const withoutNames = (item: StoredItem, user: number): Attributes | undefined => {
  const own = v.is(made, item) && isNamed(item, user) ? { created_by: { ...namelessCreator(user) } } : {};
  // The newest moment of a timeline is stored in the timeline.
  const latest = latestMomentOf(item);
  const newest =
    latest && isNamed(latest, user)
      ? { latest: momentSet({ ...latest, created_by: namelessCreator(user) }) }
      : {};
  const set = { ...own, ...newest };
  return Object.keys(set).length === 0 ? undefined : set;
};

const made = v.looseObject({ created_by: creatorSchema });

const isNamed = ({ created_by }: { readonly created_by: ApiUser }, user: number): boolean =>
  created_by.id === user && !isNameless(created_by);
