/** Erase segment: goes on with the erasure of the members of a segment. */
import { decodeFrozen, ordinalsBetween } from '../exports/model/frozen-set.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { keys } from '../table/keys.ts';
import type { Looked } from '../tasks/reconcile.ts';
import { erasePeople, partsOf, type EraseDeps } from './erase-people.ts';
import { parseErasure, type Erasure } from './erasure-items.ts';

export interface EraseSegmentDeps extends EraseDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly work: Pick<ObjectStore, 'get' | 'remove'>;
}

/**
 * Forgets the members that are left, part by part, while there is time. May be repeated at any point: a part counts who of
 * it is forgotten, by whomever, and of two processes one goes on.
 */
export const eraseSegment = async (
  deps: EraseSegmentDeps,
  { property, erasure: id }: { readonly property: number; readonly erasure: number },
  mayGoOn: () => boolean,
): Promise<Looked> => {
  const key = keys.erasure(property, id);
  const stored = await deps.table.get(key);
  if (!stored) return 'done';
  let erasure = parseErasure(stored);
  if (erasure.finished === null) {
    const scope = await deps.scopeOf(property);
    // In a restored table an erasure may be under way that has ended since, and its list is gone. The log of forgettings
    // repeats what it did, so it only ends here.
    for (const part of partsOf((await leftOf(deps, erasure)) ?? [])) {
      if (!mayGoOn()) return {};
      const forgotten = erasure.forgotten + (await erasePeople(deps, scope, part));
      const set = { forgotten, at: (part.at(-1) ?? erasure.at) + 1 };
      const expect = { at: erasure.at, finished: null };
      if ((await deps.table.write({ kind: 'update', key, set, expect })) === 'refused') return {};
      erasure = { ...erasure, ...set };
    }
    const set = { finished: deps.clock() };
    await deps.table.write({ kind: 'update', key, set, expect: { at: erasure.at, finished: null } });
  }
  if (erasure.members !== null) await deps.work.remove(erasure.members);
  return 'done';
};

/** The members who are left, ascending; undefined when the list is gone. */
const leftOf = async (
  { work }: Pick<EraseSegmentDeps, 'work'>,
  { members, at }: Erasure,
): Promise<Iterable<number> | undefined> => {
  const set = members === null ? undefined : await work.get(members);
  if (!set) return undefined;
  return ordinalsBetween(decodeFrozen(set), 0, Number.POSITIVE_INFINITY).filter((ordinal) => ordinal >= at);
};
