/**
 * Undo cleanups: removes forgotten people from what their properties keep for undos, which are the undo logs and the
 * restatements, some time after the forgetting. A log has too many objects for a request, and a writer under way may add
 * to either until its own end.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { forgottenBetween, type ForgottenPeople } from '../profiles/forgotten-people.ts';
import { parseEntry } from '../profiles/stored-profile.ts';
import type { Clock } from '../runtime/clock.ts';
import { Failures } from '../runtime/failures.ts';
import { batchesOf, mapLimited } from '../runtime/pool.ts';
import { inTurn } from '../runtime/turns.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { folderOf } from '../properties/folders.ts';
import { blockOf, keys } from '../table/keys.ts';
import type { Attributes, Table, WriteOutcome } from '../table/table.ts';
import { removeRestated } from './restatements.ts';
import { isLogObject, ordinalsOfObject, withoutPeople } from './undo-log.ts';

/** A property with forgotten people who may still be in its undo log or its restatements. */
const cleanupItem = v.object({
  property: v.number(),
  /** People who were forgotten before this time are in neither. */
  since: v.number(),
  /** A pass removes the people who were forgotten until this time; `null` between two passes. */
  until: v.nullable(v.number()),
  /** The pass comes to the restatements of this block; those of the people below have been searched. */
  block: v.number(),
  /** The pass is behind this object of the log, which comes after the restatements. */
  after: v.string(),
});
type Cleanup = v.InferOutput<typeof cleanupItem>;

export interface CleanupDeps {
  readonly table: Pick<Table, 'getMany' | 'query' | 'write' | 'writeMany'>;
  readonly forgotten: Pick<ForgottenPeople, 'since' | 'owe'>;
  readonly work: Pick<ObjectStore, 'listAfter' | 'get' | 'put'>;
  readonly clock: Clock;
}

/** Objects, or blocks of restatements, that are read and rewritten at the same time. */
const AT_ONCE = 8;

/** Longer than any attempt at a forgetting, and than any writer that read the person before. */
const QUIET_MS = limits.imports.undoCleanupSeconds * 1_000;

/**
 * Goes on with the cleanups of all properties while there is time. One pass over a property removes everybody
 * who was forgotten since the pass before; passes begin an hour after a forgetting at the earliest. Each page of a pass may
 * be repeated. Throws the first failure after the cleanups of the other properties. Returns the number of changed objects
 * and items.
 */
export const cleanUndoLogs = async (deps: CleanupDeps, mayGoOn: () => boolean): Promise<number> => {
  const failures = new Failures();
  let rewritten = 0;
  const { items } = await deps.table.query(keys.undoCleanups);
  for (const item of inTurn(items, deps.clock())) {
    if (!mayGoOn()) break;
    rewritten +=
      (await failures.attempt(() => cleanProperty(deps, v.parse(cleanupItem, item), mayGoOn))) ?? 0;
  }
  failures.throwFirst();
  return rewritten;
};

const change = (
  { table }: CleanupDeps,
  { property, ...seen }: Cleanup,
  set: Partial<Cleanup> & Attributes,
): Promise<WriteOutcome> =>
  table.write({ kind: 'update', key: keys.undoCleanup(property), set, expect: seen });

const cleanProperty = async (
  deps: CleanupDeps,
  cleanup: Cleanup,
  mayGoOn: () => boolean,
): Promise<number> => {
  const { property, since } = cleanup;
  const until = cleanup.until ?? deps.clock() - QUIET_MS;
  const people = await forgottenBetween(deps.forgotten, property, { since, until });
  if (people.ordinals.length + people.unsure.length === 0) {
    if (!people.isMore) await end(deps, cleanup);
    return 0;
  }
  if (cleanup.until === null && (await change(deps, cleanup, { until })) === 'refused') return 0;
  const gone = await withoutLiving(deps.table, property, people.unsure);
  return pass(deps, { ...cleanup, until }, [...people.ordinals, ...gone], mayGoOn);
};

/** People without those who were not forgotten in the end. No attempt is under way any more: a later one announces anew. */
const withoutLiving = async (
  table: Pick<Table, 'getMany'>,
  property: number,
  ordinals: readonly number[],
): Promise<readonly number[]> => {
  const items = await table.getMany(ordinals.map((ordinal) => keys.profile(property, ordinal)));
  return ordinals.filter((_, index) => parseEntry(items[index]).kind !== 'profile');
};

/** Ends the cleanup of a property, unless somebody was announced meanwhile. */
const end = async ({ table, forgotten }: CleanupDeps, { property, ...seen }: Cleanup): Promise<void> => {
  const outcome = await table.write({ kind: 'delete', key: keys.undoCleanup(property), expect: seen });
  if (outcome === 'refused') return;
  // An announcement adds its person first, and then the cleanup, if there is none. So either its cleanup came after the
  // removal, or its person is found now.
  for await (const page of forgotten.since(property, seen.since))
    if (page.length > 0) return forgotten.owe(property, seen.since);
};

type Pass = Cleanup & { readonly until: number };

const pass = async (
  deps: CleanupDeps,
  cleanup: Pass,
  ordinals: readonly number[],
  mayGoOn: () => boolean,
): Promise<number> => {
  const sorted = ordinals.toSorted((a, b) => a - b);
  const restated = await passRestatements(deps, cleanup, sorted, mayGoOn);
  if (!restated.seen) return restated.changed;
  return restated.changed + (await passLog(deps, restated.seen, sorted, mayGoOn));
};

/** Goes on with the restatements. Without `seen`, they are not done, or another call is at them. */
const passRestatements = async (
  deps: CleanupDeps,
  cleanup: Pass,
  ordinals: readonly number[],
  mayGoOn: () => boolean,
): Promise<{ readonly changed: number; readonly seen?: Pass }> => {
  const { property } = cleanup;
  const people = Map.groupBy(ordinals, blockOf);
  const left = [...people].filter(([block]) => block >= cleanup.block);
  let changed = 0;
  let seen = cleanup;
  for (const blocks of batchesOf(left, AT_ONCE)) {
    if (!mayGoOn()) return { changed };
    const counts = await mapLimited(blocks, AT_ONCE, ([block, own]) =>
      removeRestated(deps.table, property, block, new Set(own)),
    );
    changed += counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
    const block = Math.max(...blocks.map(([one]) => one)) + 1;
    if (counts.includes(undefined) || (await change(deps, seen, { block })) === 'refused') return { changed };
    seen = { ...seen, block };
  }
  return { changed, seen };
};

const passLog = async (
  deps: CleanupDeps,
  cleanup: Pass,
  ordinals: readonly number[],
  mayGoOn: () => boolean,
): Promise<number> => {
  const { property, until } = cleanup;
  const forgotten = new Set(ordinals);
  const folder = folderOf('undo', property);
  let rewritten = 0;
  for (let seen = cleanup; mayGoOn();) {
    const objects = await deps.work.listAfter(folder, seen.after);
    const last = objects.at(-1);
    if (!last) {
      await change(deps, seen, { since: until + 1, until: null, block: 0, after: '' });
      return rewritten;
    }
    const found = objects.filter(({ key }) => isLogObject(key) && mayHave(key, ordinals));
    await mapLimited(found, AT_ONCE, async ({ key }) => {
      const bytes = await deps.work.get(key);
      const rest = bytes && withoutPeople(bytes, forgotten);
      if (!rest) return;
      // The object stays, even without entries: an undo takes a missing object for a lost one.
      await deps.work.put(key, rest, { contentType: 'application/gzip' });
      rewritten += 1;
    });
    if ((await change(deps, seen, { after: last.key })) === 'refused') return rewritten;
    seen = { ...seen, after: last.key };
  }
  return rewritten;
};

/** Whether the range of an object has one of these ordinals, which ascend. */
const mayHave = (key: string, ordinals: readonly number[]): boolean => {
  const { least, most } = ordinalsOfObject(key);
  let [from, to] = [0, ordinals.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((ordinals[middle] ?? 0) < least) from = middle + 1;
    else to = middle;
  }
  return (ordinals[from] ?? Number.POSITIVE_INFINITY) <= most;
};
