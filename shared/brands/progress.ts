import * as v from 'valibot';
import { listAllProperties } from '../properties/list-properties.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const progressItem = v.object({
  w: v.string(),
  version: v.number(),
  /** `prepared`: every new brand of it has an id. `done`: nothing of the version before is left in its index. */
  state: v.picklist(['prepared', 'filling', 'done']),
  /** Of a back-fill: what it has gone through, segment by segment in order of id. */
  segment: v.number(),
  ordinal: v.number(),
});

/** How far a version is in a property. */
export type Progress = Omit<v.InferOutput<typeof progressItem>, 'w'>;

/** Progress as it was read. */
export interface SeenProgress {
  readonly progress: Progress | undefined;
  readonly w?: string;
}

/** How far a version is in a property; nothing was done for it yet when there is none. */
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

/** Notes how far a version is, if nobody else has meanwhile; it does not matter who has. */
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

/** All properties, in the order they were made. */
export async function* allProperties(table: Table): AsyncGenerator<number> {
  let after: string | undefined;
  do {
    const page = await listAllProperties(table, after);
    yield* page.properties;
    after = page.next;
  } while (after !== undefined);
}
