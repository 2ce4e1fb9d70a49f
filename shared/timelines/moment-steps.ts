/** Moment steps: the writes by which a moment is registered, stored, finalized or discarded. */
import { limits } from '../config/limits.ts';
import { bornAs, commitWrite, lifecycleOf } from '../references/lifecycle.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { nameKey } from '../catalogue/segment-items.ts';
import { readDirectories } from '../membership/directory.ts';
import { mapLimited } from '../runtime/pool.ts';
import { changeItem } from '../table/change-item.ts';
import type { CopyDeps } from './copy-members.ts';
import type { Counts } from './moment-counts.ts';
import { momentSet, type UnfinishedMoment, type Moment } from './timeline-items.ts';
import { readTimeline } from './read-items.ts';

/** Names a moment by its segment, and its timeline. */
export interface MomentRef {
  readonly property: number;
  readonly timeline: number;
  readonly segment: number;
}

/**
 * Registers a moment before the first write of its content: first for `clearUpMoments`, in case the maker dies, then
 * for the removal of forgotten people, which from now on writes each chunk that a forgotten person would be copied
 * into.
 */
export const registerMoment = async (
  table: Table,
  ref: MomentRef,
  { previous, since }: { readonly previous: number | null; readonly since: number },
): Promise<void> => {
  const { property, timeline, segment } = ref;
  await table.write({ kind: 'insert', key: keys.making(property, segment), set: { ...ref, since } });
  const base = { segment, timeline, previous, open: true, touched: null };
  const set = { ...base, count: 0, added: null, removed: null };
  await table.write({ kind: 'insert', key: keys.moment(property, segment), set });
};

/** Stores the counts of a copied moment. */
export const storeCounts = async (
  deps: CopyDeps,
  { property, segment }: MomentRef,
  counts: Counts,
): Promise<void> => {
  const key = keys.moment(property, segment);
  await changeItem(deps, { key, what: 'timelines: the counts of a moment' }, (item) => {
    if (!item) throw new Error('timelines: a moment was cleared up while it was made');
    return { result: undefined, set: { ...counts } };
  });
};

/** Stores a moment as a pending segment. Readers find it by id and name once it is committed. */
export const storeMomentSegment = async (
  table: Table,
  { property, timeline, segment }: MomentRef,
  name: string,
): Promise<void> => {
  await table.writeMany([
    { kind: 'insert', key: nameKey(property, name, segment), set: { segment } },
    {
      kind: 'insert',
      key: keys.segment(property, segment),
      set: { id: segment, type: 'moment', path: [], name, ...bornAs('pending'), timeline },
    },
  ]);
};

/**
 * Finalizes a committed moment: updates all items that still show it as unfinished, so that the next moment may follow.
 * Idempotent, and any function may call it.
 */
export const finalizeMoment = async (
  table: Table,
  { property, timeline }: Pick<MomentRef, 'property' | 'timeline'>,
  moment: Moment,
): Promise<void> => {
  const { segment } = moment;
  await table.writeMany([
    { kind: 'insert', key: keys.timelineMoment(property, timeline, segment), set: momentSet(moment) },
    commitWrite(keys.segment(property, segment)),
    { kind: 'update', key: keys.moment(property, segment), set: { open: false }, expect: { open: true } },
  ]);
  await table.write({ kind: 'delete', key: keys.making(property, segment), expect: {} });
};

/**
 * Whether a moment is committed. A maker checks this after a refused commit, because the answer of its commit may have
 * been lost while the next maker, or a deletion of the timeline, finalized the moment. `clearUpMoments` checks it
 * before it removes leftovers, because a deleted timeline no longer names its moments.
 */
export const isCommitted = async (
  table: Table,
  { property, timeline, segment }: MomentRef,
): Promise<boolean> => {
  if ((await readTimeline(table, property, timeline))?.latest.segment === segment) return true;
  if ((await table.get(keys.timelineMoment(property, timeline, segment))) !== undefined) return true;
  const item = await table.get(keys.segment(property, segment));
  return item !== undefined && lifecycleOf(item) === 'current';
};

/** Whether a committed moment may be unfinished, because its maker has died. */
export const needsFinalizing = async (table: Table, property: number, segment: number): Promise<boolean> =>
  (await table.get(keys.making(property, segment))) !== undefined;

/**
 * Removes all items of a moment that can no longer be committed. The item that `clearUpMoments` finds it by goes last,
 * so a later call continues after a crash.
 */
export const discardMoment = async (
  table: Table,
  { property, segment }: Pick<UnfinishedMoment, 'property' | 'segment'>,
): Promise<void> => {
  const groups = (await readDirectories(table, property, [segment])).get(segment) ?? [];
  await mapLimited(groups, limits.segments.groupsAtOnce, async (group) => {
    const { items } = await table.query(keys.chunk(property, segment, group, 0).pk);
    await removeAll(table, items);
  });
  const name = (await table.get(keys.segment(property, segment)))?.['name'];
  const found = typeof name === 'string' ? [nameKey(property, name, segment)] : [];
  await removeAll(table, [...found, keys.directory(property, segment)]);
  for (const key of [keys.segment, keys.moment, keys.making])
    await removeAll(table, [key(property, segment)]);
};

/** Removes items unconditionally; missing items are ignored. */
const removeAll = async (table: Table, doomed: readonly Key[]): Promise<void> => {
  await table.writeMany(doomed.map(({ pk, sk }): Write => ({ kind: 'delete', key: { pk, sk }, expect: {} })));
};
