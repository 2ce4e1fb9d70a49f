/**
 * Settling of pointers: makes the pointers to a profile follow the values that it shows now, for pointers whose profile was
 * not written, and for people who were stored before their property searched by name.
 */
import type { PropertyScope } from '../properties/scope.ts';
import type { Pause } from '../runtime/pause.ts';
import { mapLimited } from '../runtime/pool.ts';
import { fewRounds, retryRemaining } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { liveOnes, pointerKeysOf } from './pointer-keys.ts';
import {
  carryOutChanges,
  pointerChangeOf,
  endPointers,
  pointerName,
  readPointers,
  type LeftPointer,
} from './pointers.ts';
import type { State } from './profile-state.ts';
import { parseEntry, pointersItem, type OrdinalEntry } from './stored-profile.ts';
import { closing } from './tombstone.ts';

/** Whether a profile lacks a pointer, or has one that must end. */
export const needsPointers = (scope: PropertyScope, state: State, listed: readonly string[]): boolean => {
  const { fresh, gone } = pointerChangeOf(scope, { before: undefined, after: state, listed });
  return fresh.length > 0 || gone.length > 0;
};

/** Profiles that a settling reads at once, each of up to 380 KB. */
const READS_AT_ONCE = 16;

interface SettleDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/**
 * Settles pointers whose profile was not written: lists them at their profile or ends them, or removes them when nobody is
 * there. Nobody comes back to such an ordinal, so a frozen call may remove them an hour later.
 */
export const settlePointers = async (
  deps: SettleDeps,
  scope: PropertyScope,
  left: readonly LeftPointer[],
): Promise<void> => {
  if (left.length === 0) return;
  const found = await readPointers(deps.table, scope.id, left);
  const existing = left.filter(({ ordinal, pointer }) => found.has(pointerName(ordinal, pointer)));
  await givePointers(deps, scope, existing);
};

/**
 * Gives people the pointers of the values that they show, and ends others, besides those that a write may have left. With
 * `again` it stores listed pointers once more: a restored table may lack some of them.
 */
export const givePointers = async (
  { table, pause }: SettleDeps,
  scope: PropertyScope,
  people: readonly { readonly ordinal: number; readonly pointer?: string }[],
  again = false,
): Promise<void> => {
  const retry = { pause, patience: fewRounds, what: 'profiles: pointers' };
  const grouped = [...Map.groupBy(people, ({ ordinal }) => ordinal)];
  await retryRemaining(retry, grouped, async (pending) => {
    const refused = await mapLimited(pending, READS_AT_ONCE, async (one) => {
      const [ordinal, own] = one;
      const entry = parseEntry(await table.get(keys.profile(scope.id, ordinal)));
      const left = own.flatMap(({ pointer }) => pointer ?? []);
      const stored = await settleAt(table, scope, { ordinal, entry, left, again });
      // What a refused round has stored is left like what others stored: the profile may show another value by now.
      return stored === undefined ? [] : [withLeft(one, stored)];
    });
    return refused.flat();
  });
};

/** A person with the pointers that a write may have left. */
type Settling = [ordinal: number, own: { readonly ordinal: number; readonly pointer?: string }[]];

const withLeft = ([ordinal, own]: Settling, stored: readonly string[]): Settling => [
  ordinal,
  [...own, ...stored.map((pointer) => ({ ordinal, pointer }))],
];

interface Unsettled {
  readonly ordinal: number;
  readonly entry: OrdinalEntry;
  readonly left: readonly string[];
  /** Whether listed pointers are stored once more. */
  readonly again: boolean;
}

/** Settles the pointers to what is stored at an ordinal. Returns those that it stored in vain when that changed meanwhile. */
const settleAt = async (
  table: Table,
  scope: PropertyScope,
  { ordinal, entry, left, again }: Unsettled,
): Promise<readonly string[] | undefined> => {
  // Nobody has stored a profile there. Once the ordinal is closed nobody will, and whoever was about to starts over.
  if (entry.kind === 'empty' && (await table.write(closing(scope.id, ordinal))) === 'refused') return [];
  if (entry.kind !== 'profile') {
    const places = pointerKeysOf(scope.id, ordinal, left);
    await table.writeMany(places.map((key) => ({ kind: 'delete', key, expect: {} })));
    return undefined;
  }
  const { state, pointers: listed, w } = entry;
  const own = { before: undefined, after: state, listed };
  const changed = pointerChangeOf(scope, own, left);
  const repeated = again ? liveOnes(changed.kept) : [];
  const kept = changed.kept.filter((one) => !repeated.includes(one));
  const change = { ...changed, kept, fresh: [...repeated, ...changed.fresh], ordinal, listed };
  const pointed = (await carryOutChanges(table, scope.id, [change])).get(ordinal);
  if (!pointed || (!pointed.lists && pointed.endings.length === 0 && repeated.length === 0)) return undefined;
  // The profile gets another nonce in any case: no writer who read it earlier can list what is about to end.
  const set = pointersItem(pointed.lists ?? { list: listed, listed });
  const key = keys.profile(scope.id, ordinal);
  const written = await table.write({ kind: 'update', key, set, expect: { w } });
  if (written === 'refused') return pointed.fresh;
  await endPointers(table, [pointed]);
  return undefined;
};
