/**
 * Lifecycle: the states of an item that other items reference, the transitions between them, and the only writes that
 * make one. Custom segments, moments, collections, exports, imports and timelines share it.
 *
 * | item                                 | states                                  |
 * |--------------------------------------|-----------------------------------------|
 * | custom segment                       | (pending →) current (→ replaced)        |
 * | segment of a moment                  | pending → current                       |
 * | value segment                        | current, which no attribute says        |
 * | collection, export, import, timeline | current, which no attribute says        |
 *
 * Only release 0.2.0 stores `pending` items; later code reads them.
 *
 * Every item but a moment may be deleted. Deletion is a soft delete: the item is marked first (a tombstone), its
 * dependents are removed, and the item is purged last. A function that dies in between leaves a tombstone, which reads
 * as "not there".
 */
import * as v from 'valibot';
import type { Key } from '../table/keys.ts';
import type { Attributes, StoredItem, Write } from '../table/table.ts';

/**
 * `pending`: stored, but live only once another item says so (the segment that it replaces, or its timeline).
 * `replaced`: an edit made a successor; the item stays readable by its id.
 */
export const lifecycleSchema = v.picklist(['pending', 'current', 'replaced', 'deleted']);
export type Lifecycle = v.InferOutput<typeof lifecycleSchema>;

interface Transition {
  readonly from: readonly Lifecycle[];
  readonly to: Lifecycle;
}

/**
 * All transitions. A pending item may be live already, when the function died that was to commit it; so an item can be
 * replaced or deleted while it still says `pending`.
 */
export const transitions = {
  commit: { from: ['pending'], to: 'current' },
  replace: { from: ['pending', 'current'], to: 'replaced' },
  delete: { from: ['pending', 'current'], to: 'deleted' },
} as const satisfies Readonly<Record<string, Transition>>;

const tombstone = { lifecycle: transitions.delete.to } as const;

/** The state of a stored item. */
export const lifecycleOf = ({ lifecycle = 'current' }: StoredItem): Lifecycle =>
  v.parse(lifecycleSchema, lifecycle);

/** Whether an item is stored and not deleted. */
export const isLive = (item: StoredItem | undefined): item is StoredItem =>
  item !== undefined && item['lifecycle'] !== tombstone.lifecycle;

/** The attribute of an item that is inserted in a state. */
export const bornAs = (lifecycle: 'pending' | 'current') => ({ lifecycle });

/** Commits a pending item. Refused when the item is not pending. */
export const commitWrite = (key: Key): Write => ({
  kind: 'update',
  key,
  set: { lifecycle: transitions.commit.to },
  expect: { lifecycle: 'pending' },
});

/** Replaces an item by its successor, at a time (epoch ms). Refused when the item has changed since it was read. */
export const replaceWrite = ({ pk, sk, w }: StoredItem, successor: number, now: number): Write => ({
  kind: 'update',
  key: { pk, sk },
  set: { lifecycle: transitions.replace.to, replaced_by: successor, replaced_at: now },
  expect: { w },
});

/** Makes a replaced item current again whose successor a restore has not brought back. */
export const reviveWrite = ({ pk, sk, w }: StoredItem): Write => ({
  kind: 'update',
  key: { pk, sk },
  set: { lifecycle: 'current', replaced_by: null },
  expect: { w },
});

/**
 * Soft-deletes an item, and changes other attributes with it. Refused when the item has changed since it was read at
 * `w`.
 */
export const deleteWrite = (key: Key, w: string, others: Attributes = {}): Write => ({
  kind: 'update',
  key,
  set: { ...others, ...tombstone },
  expect: { w },
});

/** Purges an item that was soft-deleted. */
export const purgeWrite = (key: Key): Write => ({ kind: 'delete', key, expect: tombstone });
