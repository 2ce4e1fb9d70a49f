import { bornAs, commitWrite, lifecycleOf } from '../references/lifecycle.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { parseMoment } from '../membership/moments.ts';
import { nameKey } from '../catalogue/segment-items.ts';
import { readDirectories } from '../membership/directory.ts';
import { nextRound, manyRounds } from '../runtime/retry.ts';
import type { CopyDeps } from './copy-members.ts';
import type { Counts } from './moment-counts.ts';
import { momentSet, type UnfinishedMoment, type Moment } from './timeline-items.ts';
import { readTimeline } from './read-items.ts';

/** A moment by its segment, and the timeline it is of. */
export interface MomentRef {
  readonly property: number;
  readonly timeline: number;
  readonly segment: number;
}

/**
 * Announces a moment before anything of it is written: to who clears up when its maker dies, then to who takes forgotten
 * people out, who from now on writes every chunk that such a person would be copied into.
 */
export const registerMoment = async (
  table: Table,
  ref: MomentRef,
  { previous, since }: { readonly previous: number | null; readonly since: number },
): Promise<void> => {
  const { property, timeline, segment } = ref;
  await table.write({ kind: 'insert', key: keys.making(property, segment), set: { ...ref, since } });
  const facts = { segment, timeline, previous, open: true, touched: null };
  const set = { ...facts, count: 0, added: null, removed: null };
  await table.write({ kind: 'insert', key: keys.moment(property, segment), set });
};

/** Keeps what was counted while the moment was copied. */
export const storeCounts = async (
  { table, pause }: CopyDeps,
  { property, segment }: MomentRef,
  counts: Counts,
): Promise<void> => {
  const key = keys.moment(property, segment);
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'timelines: the counts of a moment');
    const item = await table.get(key);
    if (!item) throw new Error('timelines: a moment was cleared up while it was made');
    const { w } = parseMoment(item);
    if ((await table.write({ kind: 'update', key, set: { ...counts }, expect: { w } })) === 'applied') return;
  }
};

/** Stores a moment as a segment that is found by id and name once it has come. */
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
 * Lets everything say of a moment that has come that it has, so that the next one may come. May be done any number of times,
 * by anybody.
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
 * Whether a moment has come. Its maker asks when the deciding write was told as refused: that happens also when the answer of the
 * write was lost and the next maker, or a deletion of the timeline, has settled the moment since. Clearing up asks before it removes
 * what a dead maker left: a deleted timeline no longer names the moment.
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

/** Whether a moment that has come may be unsettled, because its maker has died. */
export const needsFinalizing = async (table: Table, property: number, segment: number): Promise<boolean> =>
  (await table.get(keys.making(property, segment))) !== undefined;

/**
 * Removes what is left of a moment that did not come and does not any more. What it is found by goes last, so that whoever
 * is cut off is followed by another.
 */
export const discardMoment = async (
  table: Table,
  { property, segment }: Pick<UnfinishedMoment, 'property' | 'segment'>,
): Promise<void> => {
  const groups = (await readDirectories(table, property, [segment])).get(segment) ?? [];
  for (const group of groups) {
    const { items } = await table.query(keys.chunk(property, segment, group, 0).pk);
    await removeAll(table, items);
  }
  const name = (await table.get(keys.segment(property, segment)))?.['name'];
  const found = typeof name === 'string' ? [nameKey(property, name, segment)] : [];
  await removeAll(table, [...found, keys.directory(property, segment)]);
  for (const key of [keys.segment, keys.moment, keys.making])
    await removeAll(table, [key(property, segment)]);
};

/** Removes items whatever they hold; what is not there needs no more. */
const removeAll = async (table: Table, gone: readonly Key[]): Promise<void> => {
  await table.writeMany(gone.map(({ pk, sk }): Write => ({ kind: 'delete', key: { pk, sk }, expect: {} })));
};
