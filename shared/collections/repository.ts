/** Collections in the table: reads and writes named lists of segments. */
import * as v from 'valibot';
import { creatorSchema } from '../http/api-user.ts';
import type { Page } from '../http/listing.ts';
import type { Listed } from '../runtime/pages.ts';
import { allocateIdOnce, type RequestIdentity } from '../table/idempotent-ids.ts';
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

/** A named list of segments that are exported together. */
export type Collection = Readonly<v.InferOutput<typeof collectionItem>>;

/** A collection and its item as read. */
export interface SeenCollection {
  readonly item: StoredItem;
  readonly collection: Collection;
}

export interface CollectionRepository {
  /** The id of the collection of a request, the same at every retry; a new id for each round of one request. */
  idOf(requestIdentity: RequestIdentity, round: number): Promise<number>;
  /** Adds a collection and returns the stored collection; undefined when a deletion has fenced its id with a tombstone. */
  add(property: number, collection: Collection): Promise<Collection | undefined>;
  get(property: number, id: number): Promise<SeenCollection | undefined>;
  /** Collections by id, without unknown ids. */
  getMany(property: number, ids: readonly number[]): Promise<ReadonlyMap<number, Collection>>;
  list(property: number, page: Page): Promise<Listed<Collection>>;
  /** Changes a collection; `false` when its item has been written since it was read. */
  change(
    property: number,
    seen: SeenCollection,
    change: Pick<Collection, 'name' | 'segments'>,
  ): Promise<boolean>;
}

/** Parses the item of a live collection. */
export const parseCollection = (item: StoredItem): Collection => v.parse(collectionItem, item);

/** The repository on the table. */
export const collectionRepository = (table: Table): CollectionRepository => {
  const getMany: CollectionRepository['getMany'] = async (property, ids) => {
    const own = [...new Set(ids)].filter((id) => belongsTo(property, id));
    const items = own.length === 0 ? [] : await table.getMany(own.map((id) => keys.collection(property, id)));
    const found = items.filter(isLive).map(parseCollection);
    return new Map(found.map((collection) => [collection.id, collection]));
  };
  return {
    getMany,
    idOf: (requestIdentity, round) =>
      allocateIdOnce(table, requestIdentity, `collection#${round}`, async () =>
        scopedId(
          requestIdentity.property,
          await table.increment(keys.counter(requestIdentity.property, 'collection'), 1),
        ),
      ),
    add: async (property, collection) => {
      const key = keys.collection(property, collection.id);
      const set = { ...collection, created_by: { ...collection.created_by } };
      if ((await table.write({ kind: 'insert', key, set })) === 'applied') return collection;
      // Our own item, from an attempt whose answer was lost, or a tombstone.
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
