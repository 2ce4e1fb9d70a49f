/** Moment steps: the writes by which a moment is registered, committed or discarded. */
import { limits } from '../config/limits.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { bornAs, commitWrite } from '../references/lifecycle.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { nameKey } from '../catalogue/identity.ts';
import { readDirectories } from '../membership/chunk.ts';
import { mapLimited } from '../runtime/pool.ts';
import { changeItem } from '../table/change-item.ts';
import { addTask, removeTask, type AddTaskDeps, type NewTask } from '../tasks/tasks.ts';
import type { CopyDeps } from './copy-members.ts';
import type { Counts } from './moment-counts.ts';
import { momentSet, type Moment } from './timeline-items.ts';

/** Names a moment by its segment, and its timeline. */
export interface MomentRef {
  readonly property: number;
  readonly timeline: number;
  readonly segment: number;
}

/** The task that clears up after a maker who dies. No maker works for so long. */
const momentTask = ({ property, timeline, segment }: MomentRef, since: number): NewTask => ({
  ...{ kind: 'moment', property, ids: [timeline, segment] },
  due: since + limits.timelines.abandonedSeconds * 1_000,
});

/**
 * Registers a moment before the first write of its content: first as a task, in case the maker dies, then for the removal of
 * forgotten people, which from now on writes each chunk that a forgotten person would be copied into.
 */
export const registerMoment = async (
  deps: AddTaskDeps,
  ref: MomentRef,
  { previous, since }: { readonly previous: number | null; readonly since: number },
): Promise<void> => {
  const { property, timeline, segment } = ref;
  await addTask(deps, momentTask(ref, since));
  const base = { segment, timeline, previous, open: true, touched: null };
  const set = { ...base, count: 0, added: null, removed: null };
  await deps.table.write({ kind: 'insert', key: keys.moment(property, segment), set });
};

/** Stores the counts of a copied moment. Returns `false` when the moment was cleared up while it was made. */
export const storeCounts = (
  deps: CopyDeps,
  { property, segment }: MomentRef,
  counts: Counts,
): Promise<boolean> => {
  const key = keys.moment(property, segment);
  return changeItem<boolean>(deps, { key, what: 'timelines: the counts of a moment' }, (item) =>
    item ? { result: true, set: { ...counts } } : { result: false },
  );
};

/**
 * The writes that make a copied moment a segment, and a moment of its timeline. They are part of the transaction that names
 * the moment in its timeline. The first one is refused when the copy was cleared up.
 */
const commitWrites = ({ property, timeline, segment }: MomentRef, moment: Moment): readonly Write[] => [
  { kind: 'update', key: keys.moment(property, segment), set: { open: false }, expect: { open: true } },
  { kind: 'insert', key: keys.timelineMoment(property, timeline, segment), set: momentSet(moment) },
  { kind: 'insert', key: nameKey(property, moment.name, segment), set: { segment } },
  {
    kind: 'insert',
    key: keys.segment(property, segment),
    set: { id: segment, type: 'moment', path: [], name: moment.name, ...bornAs('current'), timeline },
  },
];

/** A moment, and the writes that name it in its timeline. */
export interface Commit {
  readonly moment: Moment;
  readonly lead: readonly Write[];
}

/**
 * Commits a copied moment in one transaction with the writes that `read` returns from what it reads now. Reads again when
 * another writer came between. Returns the moment; `undefined` when `read` returns nothing, or when the copy was cleared up.
 */
export const commitMoment = async (
  { table, pause }: Pick<CopyDeps, 'table' | 'pause'>,
  ref: MomentRef,
  read: () => Promise<Commit | undefined>,
): Promise<Moment | undefined> => {
  return retryOnConflict({ pause, what: 'timelines: a timeline' }, async () => {
    const commit = await read();
    if (!commit) return done(undefined);
    const refused = await table.transact([...commitWrites(ref, commit.moment), ...commit.lead]);
    if (refused.length === 0) return done(commit.moment);
    return refused.includes(0) ? done(undefined) : 'conflict';
  });
};

/** Ends the task of a moment, for a maker who leaves nothing unfinished. */
export const forgetWork = (table: Table, ref: MomentRef): Promise<void> =>
  removeTask(table, momentTask(ref, 0));

/**
 * Completes a moment that its timeline names, and of which other items are missing: release 0.2.0 wrote them one after the
 * other, and a backup may hold some writes of a transaction and not the others. Idempotent.
 */
export const completeMoment = async (table: Table, ref: MomentRef, moment: Moment): Promise<void> => {
  await table.writeMany(commitWrites(ref, moment));
  await table.write(commitWrite(keys.segment(ref.property, ref.segment)));
};

/**
 * Removes a moment that was not committed. First its maker loses the item that the commit needs. Returns `false` when the
 * moment is closed, which its commit has done.
 */
export const discardMoment = async (table: Table, ref: MomentRef): Promise<boolean> => {
  const key = keys.moment(ref.property, ref.segment);
  if ((await table.write({ kind: 'delete', key, expect: { open: true } })) === 'refused') return false;
  await removeMoment(table, ref);
  return true;
};

/** Removes all items of a moment. After a crash, the next look at its task goes on. */
export const removeMoment = async (
  table: Table,
  { property, timeline, segment }: MomentRef,
): Promise<void> => {
  const groups = (await readDirectories(table, property, [segment])).get(segment) ?? [];
  await mapLimited(groups, limits.segments.groupsAtOnce, async (group) => {
    const { items } = await table.query(keys.chunk(property, segment, group, 0).pk);
    await removeAll(table, items);
  });
  const name = (await table.get(keys.segment(property, segment)))?.['name'];
  const found = typeof name === 'string' ? [nameKey(property, name, segment)] : [];
  const rest = [keys.directory(property, segment), keys.timelineMoment(property, timeline, segment)];
  await removeAll(table, [...found, ...rest]);
  for (const key of [keys.segment, keys.moment]) await removeAll(table, [key(property, segment)]);
};

/** Removes items unconditionally; missing items are ignored. */
const removeAll = async (table: Table, doomed: readonly Key[]): Promise<void> => {
  await table.writeMany(doomed.map(({ pk, sk }): Write => ({ kind: 'delete', key: { pk, sk }, expect: {} })));
};
