import * as v from 'valibot';
import { creatorSchema } from '../http/api-user.ts';
import type { Listed, Page } from '../http/listing.ts';
import { allocateIdOnce, type RequestKey } from '../table/idempotent-ids.ts';
import { keys } from '../table/keys.ts';
import { belongsTo, scopedId } from '../table/scoped-ids.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { isLive } from '../references/lifecycle.ts';

const collectionItem = v.object({
  id: v.number(),
  name: v.string(),
  segments: v.array(v.number()),
  /** Epoch milliseconds. */
  created: v.number(),
  created_by: creatorSchema,
});
/** Segments under a name, to be exported together. */
export type Collection = Readonly<v.InferOutput<typeof collectionItem>>;

/** A collection and its item as it was read. */
export interface SeenCollection {
  readonly item: StoredItem;
  readonly collection: Collection;
}

/** Collections in the table. */
export interface CollectionRepository {
  /** The id of a collection that a cause makes, the same each time; `attempt` tells the tries of one time apart. */
  idOf(cause: RequestKey, attempt: number): Promise<number>;
  /** Adds a collection, and returns the one that is there then; undefined when somebody has taken the place of its id. */
  add(property: number, collection: Collection): Promise<Collection | undefined>;
  get(property: number, id: number): Promise<SeenCollection | undefined>;
  /** Collections by id; unknown ones are absent. */
  getMany(property: number, ids: readonly number[]): Promise<ReadonlyMap<number, Collection>>;
  list(property: number, page: Page): Promise<Listed<Collection>>;
  /** Changes a collection in the state seen; `false` when it has been touched since. */
  change(
    property: number,
    seen: SeenCollection,
    change: Pick<Collection, 'name' | 'segments'>,
  ): Promise<boolean>;
}

/** The collection of an item that is there. */
export const parseCollection = (item: StoredItem): Collection => v.parse(collectionItem, item);

/** The repository of a table. */
export const collectionRepository = (table: Table): CollectionRepository => {
  const getMany: CollectionRepository['getMany'] = async (property, ids) => {
    const own = [...new Set(ids)].filter((id) => belongsTo(property, id));
    const items = own.length === 0 ? [] : await table.getMany(own.map((id) => keys.collection(property, id)));
    const found = items.filter(isLive).map(parseCollection);
    return new Map(found.map((collection) => [collection.id, collection]));
  };
  return {
    getMany,
    idOf: (cause, attempt) =>
      allocateIdOnce(table, cause, `collection#${attempt}`, async () =>
        scopedId(cause.property, await table.increment(keys.counter(cause.property, 'collection'), 1)),
      ),
    add: async (property, collection) => {
      const key = keys.collection(property, collection.id);
      const set = { ...collection, created_by: { ...collection.created_by } };
      if ((await table.write({ kind: 'insert', key, set })) === 'applied') return collection;
      // Ours by a try whose answer was lost, or the mark of somebody who took the place.
      const item = await table.get(key);
      return isLive(item) ? parseCollection(item) : undefined;
    },
    get: async (property, id) => {
      const item = belongsTo(property, id) ? await table.get(keys.collection(property, id)) : undefined;
      return isLive(item) ? { item, collection: parseCollection(item) } : undefined;
    },
    list: async (property, page) => {
      const { items, next } = await table.query(keys.collection(property, 0).pk, page);
      const found = items.filter(isLive).map(parseCollection);
      return next === undefined ? { items: found } : { items: found, next };
    },
    change: async (property, { item, collection }, change) => {
      const key = keys.collection(property, collection.id);
      const outcome = await table.write({ kind: 'update', key, set: change, expect: { w: item.w } });
      return outcome === 'applied';
    },
  };
};
