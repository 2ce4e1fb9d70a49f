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
  /** The position of the back-fill, which goes segment by segment in order of id. */
  segment: v.number(),
  ordinal: v.number(),
});

/** The progress of a version in a property. */
export type Progress = Omit<v.InferOutput<typeof progressItem>, 'w'>;

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
  const { w, ...progress } = v.parse(progressItem, item);
  return progress.version === version ? { progress, w } : { progress: undefined, w };
};

/** Stores progress unless another writer has stored progress since; either progress is right. */
export const noteProgress = async (
  table: Table,
  property: number,
  { w }: SeenProgress,
  progress: Progress,
): Promise<SeenProgress> => {
  const key = keys.brandProgress(property);
  const set = { ...progress };
  await table.write(
    w === undefined ? { kind: 'insert', key, set } : { kind: 'update', key, set, expect: { w } },
  );
  return readProgress(table, property, progress.version);
};

/** All properties, in order of creation. */
export const allProperties = (table: Table): AsyncIterable<number> =>
  itemsOf((after) => listAllProperties(table, after));
