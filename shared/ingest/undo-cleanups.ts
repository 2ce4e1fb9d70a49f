/**
 * Undo cleanups: removes forgotten people from the undo logs of their properties, some time after the forgetting. A log has
 * too many objects for a request, and a writer under way may add entries until its own end.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { forgottenBetween, type ForgottenPeople } from '../profiles/forgotten-people.ts';
import type { Clock } from '../runtime/clock.ts';
import { Failures } from '../runtime/failures.ts';
import { mapLimited } from '../runtime/pool.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { folderOf } from '../properties/folders.ts';
import { keys } from '../table/keys.ts';
import type { Attributes, Table, WriteOutcome } from '../table/table.ts';
import { isLogObject, ordinalsOfObject, withoutPeople } from './undo-log.ts';

/** A property with forgotten people who may still be in its undo log. */
const cleanupItem = v.object({
  property: v.number(),
  /** People who were forgotten before this time are in no log. */
  since: v.number(),
  /** A pass over the log removes the people who were forgotten until this time; `null` between two passes. */
  until: v.nullable(v.number()),
  /** The pass is behind this object. */
  after: v.string(),
});
type Cleanup = v.InferOutput<typeof cleanupItem>;

export interface CleanupDeps {
  readonly table: Pick<Table, 'query' | 'write'>;
  readonly forgotten: Pick<ForgottenPeople, 'since' | 'owe'>;
  readonly work: Pick<ObjectStore, 'listAfter' | 'get' | 'put'>;
  readonly clock: Clock;
}

/** Objects that are read and rewritten at the same time. */
const OBJECTS_AT_ONCE = 8;

/** Longer than any attempt at a forgetting, and than any writer that read the person before. */
const QUIET_MS = limits.imports.undoCleanupSeconds * 1_000;

/**
 * Goes on with the cleanups of all properties while there is time. One pass over the log of a property removes everybody
 * who was forgotten since the pass before; passes begin an hour after a forgetting at the earliest. Each page of a pass may
 * be repeated. Throws the first failure after the cleanups of the other properties. Returns the number of rewritten objects.
 */
export const cleanUndoLogs = async (deps: CleanupDeps, mayGoOn: () => boolean): Promise<number> => {
  const failures = new Failures();
  let rewritten = 0;
  const { items } = await deps.table.query(keys.undoCleanups);
  // Each call begins with another property, so that none waits behind a long log for ever.
  const first = items.length === 0 ? 0 : Math.floor(deps.clock() / 1_000) % items.length;
  for (const item of [...items.slice(first), ...items.slice(0, first)]) {
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
  if (people.ordinals.length === 0) {
    if (!people.isMore) await end(deps, cleanup);
    return 0;
  }
  if (cleanup.until === null && (await change(deps, cleanup, { until })) === 'refused') return 0;
  return pass(deps, { ...cleanup, until }, people.ordinals, mayGoOn);
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

const pass = async (
  deps: CleanupDeps,
  cleanup: Cleanup & { readonly until: number },
  ordinals: readonly number[],
  mayGoOn: () => boolean,
): Promise<number> => {
  const { property, until } = cleanup;
  const sorted = ordinals.toSorted((a, b) => a - b);
  const forgotten = new Set(sorted);
  const folder = folderOf('undo', property);
  let rewritten = 0;
  for (let seen = cleanup; mayGoOn();) {
    const objects = await deps.work.listAfter(folder, seen.after);
    const last = objects.at(-1);
    if (!last) {
      await change(deps, seen, { since: until + 1, until: null, after: '' });
      return rewritten;
    }
    const found = objects.filter(({ key }) => isLogObject(key) && mayHave(key, sorted));
    await mapLimited(found, OBJECTS_AT_ONCE, async ({ key }) => {
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
