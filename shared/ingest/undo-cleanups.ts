/**
 * Undo cleanups: removes forgotten people from what their properties keep for undos, which are the undo logs and the
 * restatements, some time after the forgetting. A log has too many objects for a request, and a writer under way may add
 * to either until its own end. Whoever was not forgotten in the end is restricted as the claims say: an attempt that died
 * may have objected for some of them.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { forgottenBetween, type ForgottenPeople } from '../profiles/forgotten-people.ts';
import { parseEntry } from '../profiles/stored-profile.ts';
import { Failures } from '../runtime/failures.ts';
import { batchesOf, mapLimited } from '../runtime/pool.ts';
import type { Ids } from '../runtime/ids.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { named, unless } from '../runtime/unless.ts';
import { folderOf } from '../properties/folders.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { blockOf, keys } from '../table/keys.ts';
import type { Look, Looked, TaskKind } from '../tasks/reconcile.ts';
import type { NewTask } from '../tasks/tasks.ts';
import { removeRestated } from './restatements.ts';
import { restrictPerson, type RestrictDeps } from './restrict-person.ts';
import { isLogObject, ordinalsOfObject, withoutPeople } from './undo-log.ts';

/** How far the cleanup of a property is, which has forgotten people who may still be in its undo log or its restatements. */
const cleanupState = v.object({
  /** People who were forgotten before this time are in neither. */
  since: v.number(),
  /** A pass removes the people who were forgotten until this time; `null` between two passes. */
  until: v.nullable(v.number()),
  /** The pass comes to this ordinal; those of the living below are restricted as their claims say. */
  restricted: v.optional(v.number(), 0),
  /** The pass comes to the restatements of this block; those of the people below have been searched. */
  block: v.number(),
  /** The pass is behind this object of the log, which comes after the restatements. */
  after: v.string(),
});
type Cleanup = v.InferOutput<typeof cleanupState>;

export interface CleanupDeps extends RestrictDeps {
  readonly forgotten: Pick<ForgottenPeople, 'since'>;
  readonly work: Pick<ObjectStore, 'listAfter' | 'get' | 'put'>;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly ids: Pick<Ids, 'uuid'>;
}

/** Objects, or blocks of restatements, that are read and rewritten at the same time. */
const AT_ONCE = 8;

/** Longer than any attempt at a forgetting, and than any writer that read the person before. */
const QUIET_MS = limits.imports.undoCleanupSeconds * 1_000;

const between = { until: null, restricted: 0, block: 0, after: '' };

/** The task that removes people whose forgetting is announced now. Their attempt has ended when it is due. */
export const cleanupTask = (property: number, now: number): NewTask => ({
  kind: 'undo-cleanup',
  property,
  ids: [],
  due: now + QUIET_MS + limits.profiles.forgettingSeconds * 1_000,
  state: { since: now, ...between },
});

/**
 * The cleanups of properties. One pass over a property removes everybody who was forgotten since the pass before; passes
 * begin an hour after a forgetting at the earliest. Each page of a pass may be repeated.
 */
export const undoCleanups = (deps: CleanupDeps): TaskKind => ({
  pauseSeconds: limits.imports.pauseSeconds,
  look: async ({ property, state }, look) => {
    const cleanup = v.parse(cleanupState, state);
    const { since } = cleanup;
    const until = cleanup.until ?? deps.clock() - QUIET_MS;
    const people = await forgottenBetween(deps.forgotten, property, { since, until });
    if (people.ordinals.length + people.unsure.length === 0)
      return people.isMore ? { state: { since, ...between } } : 'done';
    const { living, gone } = await sortedOut(deps.table, property, people.unsure);
    const begun = { ...cleanup, until };
    if (!(await look.save(begun))) return {};
    const ordinals = [...people.ordinals, ...gone].toSorted((a, b) => a - b);
    const pass = { deps, property, ordinals, look };
    const failures = new Failures();
    const restricted = await passLiving(pass, living, begun, failures);
    const searched = restricted && (await passRestatements(pass, restricted));
    const looked = searched ? await passLog(pass, searched) : goesOn(pass);
    // The pass does not end before all are restricted, and whoever is busy holds up nobody else.
    failures.throwFirst();
    return looked;
  },
});

/** Those who are there still, and those who are gone. No attempt is under way any more: a later one announces anew. */
const sortedOut = async (
  table: Pick<RestrictDeps['table'], 'getMany'>,
  property: number,
  ordinals: readonly number[],
): Promise<{ readonly living: readonly number[]; readonly gone: readonly number[] }> => {
  const items = await table.getMany(ordinals.map((ordinal) => keys.profile(property, ordinal)));
  const isLiving = (_: number, index: number): boolean => parseEntry(items[index]).kind === 'profile';
  return {
    living: ordinals.filter(isLiving),
    gone: ordinals.filter((ordinal, index) => !isLiving(ordinal, index)),
  };
};

/** A look at a pass, and the people whom the pass removes, ascending. */
interface Pass {
  readonly deps: CleanupDeps;
  readonly property: number;
  readonly ordinals: readonly number[];
  readonly look: Look;
}

/** Without time the pass goes on at the next call; beside another writer, or another look, after the pause. */
const goesOn = ({ deps, look }: Pass): Looked => (look.mayGoOn() ? {} : { due: deps.clock() });

/**
 * Restricts the living as their claims say: a forgetting that died between its objections and the tombstone has left profiles
 * that do not follow (`objectAhead`). Nobody waits for the index. A property without data has nobody to restrict. After a
 * failure it goes on with the others, and the next look comes back to it. Returns undefined when another look is at them.
 */
const passLiving = async (
  { deps, property, look }: Pass,
  living: readonly number[],
  cleanup: Cleanup,
  failures: Failures,
): Promise<Cleanup | undefined> => {
  const left = living.filter((ordinal) => ordinal >= cleanup.restricted).toSorted((a, b) => a - b);
  if (left.length === 0) return cleanup;
  const { table, deflateFrom, clock, pause, journal, derivations, segments } = deps;
  const ports = { table, deflateFrom, clock, pause, journal, derivations, segments };
  const scope = await unless(named('NoPropertyDataError'), () => deps.scopeOf(property));
  if (!scope) return cleanup;
  let [seen, hasFailed] = [cleanup, false];
  for (const ordinals of batchesOf(left, AT_ONCE)) {
    // Without time the steps after this one end, too.
    if (!look.mayGoOn()) return seen;
    const restricted = await mapLimited(ordinals, AT_ONCE, (ordinal) =>
      failures.attempt(async () => {
        await restrictPerson(ports, scope, ordinal, `restrict-${deps.ids.uuid()}`);
        return ordinal;
      }),
    );
    hasFailed ||= restricted.includes(undefined);
    if (hasFailed) continue;
    seen = { ...seen, restricted: Math.max(...ordinals) + 1 };
    if (!(await look.save(seen))) return undefined;
  }
  return seen;
};

/** Goes on with the restatements. Returns undefined when they are not done, or another look is at them. */
const passRestatements = async (
  { deps, property, ordinals, look }: Pass,
  cleanup: Cleanup,
): Promise<Cleanup | undefined> => {
  const people = Map.groupBy(ordinals, blockOf);
  const left = [...people].filter(([block]) => block >= cleanup.block);
  let seen = cleanup;
  for (const blocks of batchesOf(left, AT_ONCE)) {
    if (!look.mayGoOn()) return undefined;
    const counts = await mapLimited(blocks, AT_ONCE, ([block, own]) =>
      removeRestated(deps.table, property, block, new Set(own)),
    );
    seen = { ...seen, block: Math.max(...blocks.map(([one]) => one)) + 1 };
    if (counts.includes(undefined) || !(await look.save(seen))) return undefined;
  }
  return seen;
};

const passLog = async (pass: Pass, cleanup: Cleanup): Promise<Looked> => {
  const { deps, property, ordinals, look } = pass;
  const forgotten = new Set(ordinals);
  const folder = folderOf('undo', property);
  for (let seen = cleanup; look.mayGoOn();) {
    const objects = await deps.work.listAfter(folder, seen.after);
    const last = objects.at(-1);
    if (!last) return { state: { since: (seen.until ?? seen.since) + 1, ...between } };
    const found = objects.filter(({ key }) => isLogObject(key) && mayHave(key, ordinals));
    await mapLimited(found, AT_ONCE, async ({ key }) => {
      const bytes = await deps.work.get(key);
      const rest = bytes && withoutPeople(bytes, forgotten);
      // The object stays, even without entries: an undo takes a missing object for a lost one.
      if (rest) await deps.work.put(key, rest, { contentType: 'application/gzip' });
    });
    seen = { ...seen, after: last.key };
    if (!(await look.save(seen))) return {};
  }
  return goesOn(pass);
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
