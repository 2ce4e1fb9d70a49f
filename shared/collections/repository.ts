/** Collections in the table: reads and writes named lists of segments. */
import * as v from 'valibot';
import { creatorSchema } from '../http/api-user.ts';
import type { Page } from '../http/listing.ts';
import type { Listed } from '../runtime/pages.ts';
import { keys } from '../table/keys.ts';
import { belongsTo, scopedId } from '../table/scoped-ids.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
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

/** The write that stores a new collection. */
export const insertCollection = (property: number, collection: Collection): Write => ({
  kind: 'insert',
  key: keys.collection(property, collection.id),
  set: { ...collection, created_by: { ...collection.created_by } },
});

/** The write that changes a collection. Refused when its item has been written since it was read. */
export const updateCollection = (
  { item: { pk, sk, w } }: SeenCollection,
  change: Pick<Collection, 'name' | 'segments'>,
): Write => ({ kind: 'update', key: { pk, sk }, set: change, expect: { w } });

/** Parses the item of a live collection. */
export const parseCollection = (item: StoredItem): Collection => v.parse(collectionItem, item);

/** The repository on the table. */
export const collectionRepository = (table: Table) => ({
  /** An id for a new collection. */
  newId: async (property: number): Promise<number> =>
    scopedId(property, await table.increment(keys.counter(property, 'collection'), 1)),
  get: async (property: number, id: number): Promise<SeenCollection | undefined> => {
    const item = belongsTo(property, id) ? await table.get(keys.collection(property, id)) : undefined;
    return isLive(item) ? { item, collection: parseCollection(item) } : undefined;
  },
  /** Collections by id, without unknown ids. */
  getMany: async (property: number, ids: readonly number[]): Promise<ReadonlyMap<number, Collection>> => {
    const own = [...new Set(ids)].filter((id) => belongsTo(property, id));
    const items = own.length === 0 ? [] : await table.getMany(own.map((id) => keys.collection(property, id)));
    const found = items.filter(isLive).map(parseCollection);
    return new Map(found.map((collection) => [collection.id, collection]));
  },
  list: async (property: number, page: Page): Promise<Listed<Collection>> => {
    const { items, ...rest } = await table.query(keys.collection(property, 0).pk, page);
    return { ...rest, items: items.filter(isLive).map(parseCollection) };
  },
});
export type CollectionRepository = ReturnType<typeof collectionRepository>;
