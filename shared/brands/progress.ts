import * as v from 'valibot';
import { listAllProperties } from '../properties/items.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { itemsOf } from '../runtime/pages.ts';

const progressItem = v.object({
  w: v.string(),
  version: v.number(),
  /** `prepared`: every new brand has an id. `done`: the index contains nothing of the previous version. */
  state: v.picklist(['prepared', 'filling', 'done']),
  /**
   * The place of the back-fill of 0.2.0, which reindexed the members itself. Stored as the beginning: a function of 0.2.0
   * would not wait for what is announced, so it does the work again.
   */
  segment: v.number(),
  ordinal: v.number(),
  /** The version belongs to it, because 0.2.0 leaves it in place. */
  announced: v.exactOptional(
    v.object({
      version: v.number(),
      /** The first membership that is not announced yet, in order of segment, then ordinal. */
      segment: v.number(),
      ordinal: v.number(),
      /** Once all are announced: their entries were opened by this time, in epoch milliseconds. */
      by: v.nullable(v.number()),
    }),
  ),
});

/** The progress of a version in a property. */
export interface Progress {
  readonly version: number;
  readonly state: v.InferOutput<typeof progressItem>['state'];
  readonly announced?: Announced;
}

/** How far the memberships that a version changes are announced in the journal. */
export type Announced = Omit<NonNullable<v.InferOutput<typeof progressItem>['announced']>, 'version'>;

/** Progress as read. */
export interface SeenProgress {
  readonly progress: Progress | undefined;
  readonly w?: string;
}

/** Reads the progress of a version in a property; undefined before the first step. */
export const readProgress = async (
  table: Table,
  property: number,
  version: number,
): Promise<SeenProgress> => {
  const item = await table.get(keys.brandProgress(property));
  if (!item) return { progress: undefined };
  const { w, announced, ...stored } = v.parse(progressItem, item);
  if (stored.version !== version) return { progress: undefined, w };
  const progress = { version, state: stored.state };
  return { progress: announced?.version === version ? { ...progress, announced } : progress, w };
};

/** Stores progress; `false` if another writer has stored progress since. Either progress is right. */
export const noteProgress = async (
  table: Table,
  property: number,
  { w }: SeenProgress,
  { version, state, announced }: Progress,
): Promise<boolean> => {
  const key = keys.brandProgress(property);
  const set = {
    ...{ version, state, segment: 0, ordinal: 0 },
    ...(announced && { announced: { ...announced, version } }),
  };
  const outcome = await table.write(
    w === undefined ? { kind: 'insert', key, set } : { kind: 'update', key, set, expect: { w } },
  );
  return outcome === 'applied';
};

/** All properties, in order of creation. */
export const allProperties = (table: Table): AsyncIterable<number> =>
  itemsOf((after) => listAllProperties(table, after));
