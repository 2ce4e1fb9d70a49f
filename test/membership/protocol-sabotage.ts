import { limits } from '../../shared/config/limits.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Table, Write } from '../../shared/table/table.ts';
import type { GroupCommit } from '../../shared/membership/group-commit.ts';
import { propagationMs } from '../../shared/catalogue/look.ts';
import { HOUR_MS } from '../../shared/runtime/clock.ts';
import type { JournalEntry } from '../../shared/membership/journal.ts';
import { keyOf } from './protocol-cells.ts';
import type { FamilyName } from './protocol-families.ts';
import { viewOf } from '../support/table-view.ts';
import type { Sabotage } from './protocol-programs.ts';

const MARGIN_MS = limits.segments.journalMarginSeconds * 1000;

const isOf = (kind: string, cell: number): boolean => kindOfKey(keyOf(cell).pk) === kind;
const isChunk = ({ key }: Write): boolean => kindOfKey(key.pk) === 'chunk';
const bytesOf = (value: unknown): string => (value instanceof Uint8Array ? value.join() : '');

/** A table that skips a chunk write when the members are unchanged. */
const skipsNoOps = (table: Table): Table => {
  const read = new Map<string, string>();
  const isIdle = (write: Write): boolean =>
    isChunk(write) && write.kind === 'update' && read.get(write.key.pk) === bytesOf(write.set['members']);
  return viewOf(table, {
    getMany: async (keys) => {
      const items = await table.getMany(keys);
      keys.forEach(({ pk }, at) => read.set(pk, bytesOf(items[at]?.['members'])));
      return items;
    },
    writeMany: async (writes) => {
      const left = [...(await table.writeMany(writes.filter((write) => !isIdle(write))))];
      return writes.map((write) => (isIdle(write) ? 'applied' : (left.shift() ?? 'refused')));
    },
  });
};

/** A table that delays chunk writes that add members until the writes that only remove members are done. */
const losesFirst = (table: Table): Table => {
  let held: readonly Write[] | undefined;
  return viewOf(table, {
    writeMany: async (writes) => {
      if (!held && !writes.every(isChunk)) return table.writeMany(writes);
      if (!held) {
        held = writes;
        return writes.map(() => 'applied');
      }
      const outcomes = await table.writeMany(writes);
      const late = await table.writeMany(held);
      held = undefined;
      if (late.includes('refused')) throw new Error('to be done over by the sweep');
      return outcomes;
    },
  });
};

const endless = (entry: JournalEntry): JournalEntry => ({ ...entry, writeUntil: Number.POSITIVE_INFINITY });

/** A writer that reads chunks behind its profile write, and still takes the profile for what it has written. */
const readsChunksLate = (commit: GroupCommit): GroupCommit => ({
  ...commit,
  alone: async (property, pairs, seen) => {
    const chunks = await commit.chunksAhead(property, pairs);
    return commit.alone(property, pairs, seen && chunks && { ...seen, chunks });
  },
});

/** The index writes the works of conditions that it does not know as "no member". */
export const knowsAll: NonNullable<Sabotage['known']> = ({ catalogue, derivations }) => ({
  catalogue: {
    ...catalogue,
    indexed: async (...asked) => {
      const found = await catalogue.indexed(...asked);
      return new Map([...found].filter(([, { type }]) => type !== 'condition'));
    },
  },
  derivations,
});

/** The index goes by its first look at what decides segments, also behind its read of the chunks. */
export const looksOnce: NonNullable<Sabotage['known']> = ({ catalogue, derivations }) => {
  let first: ReturnType<typeof derivations.of> | undefined;
  return {
    catalogue,
    derivations: { ...derivations, of: (property) => (first ??= derivations.of(property)) },
  };
};

/** Waits of whoever puts something new in place that are too short: none, or one without a part. */
const noWait: Sabotage = { waits: () => 0 };
const withoutRefresh: Sabotage = {
  waits: (marginMs) => propagationMs(marginMs) - limits.brands.refreshSeconds * 1000,
};
const withoutLook: Sabotage = {
  waits: (marginMs) => propagationMs(marginMs) - limits.segments.lookSeconds * 1000,
};
const withoutMargin: Sabotage = { waits: () => propagationMs(0) };

/**
 * The guards of the protocol. Each sabotage leaves one guard out, and a scene of its family shows the fault. The number
 * is the place of the scene that shows it soonest; without a number, it is the first scene.
 */
export const sabotages: Readonly<
  Record<string, readonly [family: FamilyName, sabotage: Sabotage, telling?: number]>
> = {
  'a writer announces a change before it writes the profile': [
    'one writer',
    { pretended: ({ cell, kind }) => isOf('journal', cell) && kind === 'insert' },
    2,
  ],
  'a writer extends its announcement before a second attempt': [
    'two writers and a drainer',
    { announced: (journal) => ({ ...journal, extend: (entry) => Promise.resolve(entry) }) },
    3,
  ],
  'a profile is updated only if it is unchanged since it was read': [
    'two writers and a drainer',
    { forced: ({ cell, kind }) => isOf('profile', cell) && kind === 'update' },
    2,
  ],
  'chunks are read before profiles': ['a writer and a drainer', { profilesFirst: true }],
  'chunks are read before the profile is written that the index goes by': [
    'two writers',
    { committed: readsChunksLate },
    1,
  ],
  'a chunk is updated only if it is unchanged since it was read': [
    'two writers',
    { forced: ({ cell, kind }) => isOf('chunk', cell) && kind === 'update' },
    1,
  ],
  'a chunk of writers who heed no lease is updated only if it is unchanged': [
    'two writers, who heed no lease',
    { forced: ({ cell, kind }) => isOf('chunk', cell) && kind === 'update' },
  ],
  'a chunk is created only where no chunk exists': [
    'two writers',
    { forced: ({ cell, kind }) => isOf('chunk', cell) && kind === 'insert' },
    1,
  ],
  'chunks are written even when nothing changes': ['two writers', { indexed: skipsNoOps }, 1],
  'members are set before other members are cleared': ['one writer', { indexed: losesFirst }],
  'directories are written before chunks': [
    'one writer',
    { pretended: ({ cell }) => isOf('directory', cell) },
    2,
  ],
  'entries are retired only after their writers are done': [
    'a writer and a drainer',
    { ripeClock: () => () => Number.MAX_SAFE_INTEGER },
    1,
  ],
  'no profile is written after the end of its entry': [
    'two writers and a drainer',
    {
      announced: (journal) => ({
        ...journal,
        open: async (...asked) => endless(await journal.open(...asked)),
      }),
    },
    4,
  ],
  'the last profile write of a dead writer arrives within the margin': [
    'a writer and a drainer',
    { lingers: true },
    1,
  ],
  'a surviving writer checks that its announcement is still there': [
    'a writer and a drainer',
    { announced: (journal) => ({ ...journal, close: async (entry) => (await journal.close(entry), true) }) },
    1,
  ],
  'entries are retired a margin after their end': [
    'two writers, a drainer ahead of them',
    { ripeClock: (clock) => () => clock() + 2 * MARGIN_MS },
  ],
  'whoever puts a new fact in place waits until every profile write knows it': [
    'a new fact that decides segments',
    noWait,
  ],
  'that wait has the time in which every process reads the fact': [
    'a new fact that decides segments',
    withoutRefresh,
  ],
  'that wait has the time from a look to the last write by it': [
    'a new fact that decides segments',
    withoutLook,
  ],
  'that wait has the margin for late writes': ['a new fact that decides segments', withoutMargin],
  'a write that changes no known segment leaves soon after its look': [
    'a new fact that decides segments',
    { lagBehindLook: () => HOUR_MS },
  ],
  'the time of a write begins before its look, not behind it at the opening of its entry': [
    'a new fact that decides segments',
    { lagBehindLook: (took) => took },
    1,
  ],
  'the time of a write without an entry begins before its look, not behind it': [
    'a new fact that decides segments',
    { lagBehindLook: (took) => took },
    2,
  ],
  'a tombstone leaves soon after the look that named its segments': [
    'a new fact that decides segments',
    { lagBehindLook: (took) => took },
    3,
  ],
  'whoever prepares a condition waits until every profile write knows it': [
    'writers of a condition in the making',
    noWait,
  ],
  'the wait for a condition has the time in which every process reads the list': [
    'writers of a condition in the making',
    withoutRefresh,
  ],
  'the wait for a condition has the time from a look to the last write by it': [
    'writers of a condition in the making',
    withoutLook,
  ],
  'the wait for a condition has the margin for late writes': [
    'writers of a condition in the making',
    withoutMargin,
  ],
  'the wait for a condition begins at a look that has seen it, not at its request': [
    'writers of a condition in the making',
    { dates: true },
    1,
  ],
  'an indexer that stands still looks again, or leaves out what it does not know': [
    'writers of a condition in the making',
    { known: (ports) => knowsAll(looksOnce(ports)) },
    2,
  ],
  'a condition is ready only when no block of its fill is left': [
    'writers of a condition in the making',
    { announced: (journal) => ({ ...journal, left: () => Promise.resolve([]) }) },
    3,
  ],
  'the chunks of a condition are removed when no indexer is left that knew it': [
    'drainers of a removed condition',
    { waits: (marginMs) => propagationMs(marginMs) - limits.segments.indexerSeconds * 1000 },
  ],
};
