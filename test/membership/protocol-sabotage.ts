import { limits } from '../../shared/config/limits.ts';
import { kindOfKey } from '../../local/cloud/item-kinds.ts';
import type { Table, Write } from '../../shared/table/table.ts';
import type { JournalEntry } from '../../shared/membership/journal.ts';
import { keyOf } from './protocol-cells.ts';
import type { FamilyName } from './protocol-families.ts';
import { forwarding, type Sabotage } from './protocol-programs.ts';

const MARGIN_MS = limits.segments.journalMarginSeconds * 1000;

const isOf = (kind: string, cell: number): boolean => kindOfKey(keyOf(cell).pk) === kind;
const isChunk = ({ key }: Write): boolean => kindOfKey(key.pk) === 'chunk';
const bytesOf = (value: unknown): string => (value instanceof Uint8Array ? value.join() : '');

/** A table that does not write a chunk whose members stay as they were read. */
const skipsNoOps = (table: Table): Table => {
  const read = new Map<string, string>();
  const isIdle = (write: Write): boolean =>
    isChunk(write) && write.kind === 'update' && read.get(write.key.pk) === bytesOf(write.set['members']);
  return {
    ...forwarding(table),
    getMany: async (keys) => {
      const items = await table.getMany(keys);
      keys.forEach(({ pk }, at) => read.set(pk, bytesOf(items[at]?.['members'])));
      return items;
    },
    writeMany: async (writes) => {
      const left = [...(await table.writeMany(writes.filter((write) => !isIdle(write))))];
      return writes.map((write) => (isIdle(write) ? 'applied' : (left.shift() ?? 'refused')));
    },
  };
};

/** A table that holds back the chunks that gain members until those that only lose some are written. */
const losesFirst = (table: Table): Table => {
  let held: readonly Write[] | undefined;
  return {
    ...forwarding(table),
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
  };
};

const endless = (entry: JournalEntry): JournalEntry => ({ ...entry, writeUntil: Number.POSITIVE_INFINITY });

/** Each guard of the protocol left out, with scenes in which that shows. */
export const sabotages: Readonly<Record<string, readonly [FamilyName, Sabotage]>> = {
  'what may change is announced before it is written': [
    'one writer',
    { pretended: ({ cell, kind }) => isOf('journal', cell) && kind === 'insert' },
  ],
  'an announcement grows before a second try': [
    'two writers and a drainer',
    { announced: (journal) => ({ ...journal, extend: (entry) => Promise.resolve(entry) }) },
  ],
  'profiles are changed only as they were read': [
    'two writers and a drainer',
    { forced: ({ cell, kind }) => isOf('profile', cell) && kind === 'update' },
  ],
  'chunks are read before profiles': ['two writers', { profilesFirst: true }],
  'chunks are changed only as they were read': [
    'two writers',
    { forced: ({ cell, kind }) => isOf('chunk', cell) && kind === 'update' },
  ],
  'chunks are made only where there is none': [
    'two writers',
    { forced: ({ cell, kind }) => isOf('chunk', cell) && kind === 'insert' },
  ],
  'chunks are written even when nothing changes': ['two writers', { indexed: skipsNoOps }],
  'members are set before others are cleared': ['one writer', { indexed: losesFirst }],
  'directories are written before chunks': [
    'one writer',
    { pretended: ({ cell }) => isOf('directory', cell) },
  ],
  'entries are retired only after their writers are done': [
    'a writer and a drainer',
    { ripeClock: () => () => Number.MAX_SAFE_INTEGER },
  ],
  'no profile is written after the end of its entry': [
    'two writers and a drainer',
    {
      announced: (journal) => ({
        ...journal,
        open: async (...asked) => endless(await journal.open(...asked)),
      }),
    },
  ],
  'what is sent before that by who dies arrives within the margin': [
    'a writer and a drainer',
    { lingers: true },
  ],
  'who lives looks whether the announcement was still there': [
    'a writer and a drainer',
    { announced: (journal) => ({ ...journal, close: async (entry) => (await journal.close(entry), true) }) },
  ],
  'entries are retired a margin after their end': [
    'a writer and a drainer ahead of it',
    { ripeClock: (clock) => () => clock() + 2 * MARGIN_MS },
  ],
};
