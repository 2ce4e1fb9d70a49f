/**
 * Lost entries: where an object of an undo log is gone, the profiles still name the job of each value. So what the job
 * brought is found there, and only what it hid is lost.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { readEntries } from '../profiles/identity-claims.ts';
import { jobOfOrigin } from '../profiles/origin.ts';
import { mapAhead } from '../runtime/map-ahead.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { keys, PROFILES_PER_BLOCK } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { UndoEntry } from './undo-entries.ts';
import { addFound, lostObject, ordinalsOfObject, type OrdinalRange } from './undo-log.ts';

interface FindDeps {
  readonly table: Table;
  readonly work: Pick<ObjectStore, 'put'>;
}

/** The log to be mended. `id` is unique per call. */
interface LostLog {
  readonly property: number;
  readonly job: number;
  readonly id: string;
  /** Keys of the objects of the log, of which `lost` cannot be read. */
  readonly objects: readonly string[];
  readonly lost: string;
  /** The lowest ordinal whose person is still to be processed. */
  readonly from: number;
}

const counterItem = v.object({ value: v.number() });

/** The ordinals that a property has given out. */
export const givenOut = async (table: Pick<Table, 'get'>, property: number): Promise<OrdinalRange> => {
  const counter = await table.get(keys.counter(property, 'ordinal'));
  return { least: 0, most: counter ? v.parse(counterItem, counter).value : 0 };
};

const BLOCKS_AT_ONCE = 8;

/**
 * Replaces a lost object of a log by one with what the profiles of its ordinals show of the job; returns the new list of
 * objects. One call looks at a bounded number of profiles: the rest of the ordinals stays in the list, under the key of an
 * object that does not exist. Nobody stores a value of the job any more, because the job has its mark.
 */
export const findLost = async (
  { table, work }: FindDeps,
  { property, job, id, objects, lost, from }: LostLog,
): Promise<readonly string[]> => {
  const { undoBlocks, undoFound } = limits.imports;
  const { least, most } = ordinalsOfObject(lost);
  const first = Math.max(least, from);
  const end = Math.min(most + 1, first + undoBlocks * PROFILES_PER_BLOCK);
  const entries: UndoEntry[] = [];
  let next = first;
  const look = async (start: number) => {
    const behind = Math.min(start - (start % PROFILES_PER_BLOCK) + PROFILES_PER_BLOCK, end);
    const ordinals = Array.from({ length: behind - start }, (_, offset) => start + offset);
    return { behind, found: await entriesAt(table, property, job, ordinals) };
  };
  for await (const { behind, found } of mapAhead(startsOf(first, end), BLOCKS_AT_ONCE, look)) {
    entries.push(...found);
    next = behind;
    if (entries.length >= undoFound) break;
  }
  const others = objects.filter((key) => key !== lost);
  if (entries.length > 0) others.push(await addFound(work, { property, job, id }, entries));
  if (next <= most) others.push(lostObject(property, job, { least: next, most }));
  return others.toSorted();
};

/** The first ordinals of pieces that each lie in one block. */
function* startsOf(first: number, end: number): Generator<number> {
  for (let start = first; start < end; start += PROFILES_PER_BLOCK - (start % PROFILES_PER_BLOCK))
    yield start;
}

const entriesAt = async (
  table: Table,
  property: number,
  job: number,
  ordinals: readonly number[],
): Promise<readonly UndoEntry[]> => {
  const stored = await readEntries(table, property, ordinals);
  return ordinals.flatMap((ordinal) => {
    const entry = stored.get(ordinal);
    if (entry?.kind !== 'profile') return [];
    const brought = [...entry.state.values()].filter(({ origin }) => jobOfOrigin(origin) === job);
    return brought.length === 0 ? [] : [{ ordinal, brought, beneath: [], late: [] }];
  });
};
