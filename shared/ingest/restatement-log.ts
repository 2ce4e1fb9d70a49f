/**
 * Restatement log: keeps the records that restate stored profiles, and tells writers of older records about them. The
 * records are in the undo logs of the jobs that they restate; an item of the table announces the objects of one write.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { stateOf, type State } from '../profiles/profile-state.ts';
import { DAY_SECONDS } from '../runtime/clock.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { mapAhead } from '../runtime/map-ahead.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { restatedEntriesOf, type Restatement } from './restatement.ts';
import { decodeEntries, rangeOf, undoObjectsOf, type OrdinalRange, type UndoLog } from './undo-log.ts';

/** The restatement log as writers of profiles use it. */
export interface RestatementLog {
  /**
   * Stores restatements and announces them. `name` is unique per call, and made of ids. Returns those of the restated
   * jobs that are being undone, or were undone: nothing is announced then, and the writer plans again. The writer
   * afterwards looks whether the profiles are still as they were.
   */
  add(property: number, name: string, restatements: readonly Restatement[]): Promise<ReadonlySet<number>>;
  /** The announced records for these people with values that are at least as new as a timestamp, by ordinal. */
  since(
    property: number,
    stamp: HybridTimestamp,
    ordinals: ReadonlySet<number>,
  ): Promise<ReadonlyMap<number, readonly State[]>>;
}

/** Ports of the restatement log. */
export interface RestatementLogDeps {
  readonly table: Pick<Table, 'write' | 'query'>;
  readonly work: Pick<ObjectStore, 'get'>;
  readonly undoLog: Pick<UndoLog, 'add'>;
  readonly clock: () => number;
}

const announcement = v.object({
  least: v.number(),
  most: v.number(),
  objects: v.array(v.string()),
});

/** Records older than this are refused, so nobody asks for older announcements. A day more covers clocks and retries. */
const KEPT_SECONDS = (limits.profiles.forgottenDays + 1) * DAY_SECONDS;

const OBJECTS_AT_ONCE = 8;

/** The restatement log in the table and the work bucket. */
export const restatementLog = ({ table, work, undoLog, clock }: RestatementLogDeps): RestatementLog => ({
  add: async (property, name, restatements) => {
    const restated = restatedEntriesOf(restatements);
    if (!restated) return none;
    const marked = await undoLog.add(property, name, restated.entries);
    if (marked.size > 0) return marked;
    const ttl = Math.ceil(clock() / 1_000) + KEPT_SECONDS;
    const objects = undoObjectsOf(property, name, restated.entries);
    const { least, most } = rangeOf(restatements.map(({ ordinal }) => ordinal));
    const key = keys.restatement(property, restated.newest, name);
    await table.write({ kind: 'insert', key, set: { least, most, objects, ttl } });
    return none;
  },
  since: async (property, stamp, ordinals) => {
    const objects = new Set<string>();
    for await (const one of announcedSince(table, property, stamp))
      if (touches(one, ordinals)) for (const key of one.objects) objects.add(key);
    const found = new Map<number, State[]>();
    for await (const bytes of mapAhead([...objects], OBJECTS_AT_ONCE, (key) => work.get(key))) {
      if (!bytes) continue;
      for (const { ordinal, late } of decodeEntries(bytes)) {
        if (!ordinals.has(ordinal)) continue;
        const own = found.get(ordinal) ?? [];
        own.push(...late.map(({ registers }) => stateOf(registers)));
        found.set(ordinal, own);
      }
    }
    return found;
  },
});

const none: ReadonlySet<number> = new Set<number>();

async function* announcedSince(
  table: Pick<Table, 'query'>,
  property: number,
  stamp: HybridTimestamp,
): AsyncGenerator<v.InferOutput<typeof announcement>> {
  const { pk, sk: from } = keys.restatement(property, stamp, '');
  for (let after: string | undefined; ;) {
    const { items, next } = await table.query(pk, { from, after });
    for (const item of items) yield v.parse(announcement, item);
    if (next === undefined) return;
    after = next;
  }
}

const touches = ({ least, most }: OrdinalRange, ordinals: ReadonlySet<number>): boolean => {
  for (const ordinal of ordinals) if (ordinal >= least && ordinal <= most) return true;
  return false;
};
