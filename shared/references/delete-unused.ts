import * as v from 'valibot';
import { err, type Result } from '../runtime/result.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
import { allItems } from '../table/all-items.ts';
import { keys, type UserKind } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { gone, itemKey, type Thing, type User, type UsesDeps } from './uses.ts';

/**
 * How a user stands to a thing that is to be deleted. `coming`: it does not use it, but may have announced that it will;
 * when `stop` goes through, it must look at the thing again before it does.
 */
export type Standing =
  { readonly kind: 'using' } | { readonly kind: 'never' } | { readonly kind: 'coming'; readonly stop: Write };

/** Looks at users of one kind; answers in their order. */
export type LookAtUsers = (
  property: number,
  ids: readonly number[],
  thing: Thing,
) => Promise<readonly Standing[]>;

/** What deleting needs: how to look at the users of each kind. */
export interface DeleteDeps extends UsesDeps {
  readonly users: Readonly<Record<UserKind, LookAtUsers>>;
}

const useItem = v.object({
  kind: v.picklist(['segment', 'collection', 'export', 'timeline']),
  id: v.number(),
});

/** The place of a user that has not come: taken, so that it cannot come any more. */
export const takePlace = (property: number, user: User): Standing => ({
  kind: 'coming',
  stop: { kind: 'insert', key: itemKey(property, user), set: gone },
});

/**
 * Marks a thing as deleted unless it is in use. `read` answers it with its item, or why it cannot be deleted; it is asked
 * again whenever the item has changed. Of several who delete a thing, one is told that it was them.
 */
export const deleteUnused = async <Seen extends { readonly item: StoredItem }, Refusal>(
  deps: DeleteDeps,
  property: number,
  thing: Thing,
  read: () => Promise<Result<Seen, Refusal>>,
): Promise<Result<Seen, Refusal | 'in_use'>> => {
  const { table, pause } = deps;
  const key = itemKey(property, thing);
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'uses: a thing to be deleted');
    const seen = await read();
    if (!seen.ok) return seen;
    const standings = await standingsOf(deps, property, thing);
    if (standings.some(({ kind }) => kind === 'using')) return err('in_use');
    if (!(await stopComing(table, standings))) continue;
    const { w } = seen.value.item;
    if ((await table.write({ kind: 'update', key, set: gone, expect: { w } })) === 'applied') return seen;
  }
};

const standingsOf = async (
  { table, users }: DeleteDeps,
  property: number,
  thing: Thing,
): Promise<readonly Standing[]> => {
  const items = await allItems(table, usesOf(property, thing));
  const byKind = Map.groupBy(
    items.map((item) => v.parse(useItem, item)),
    ({ kind }) => kind,
  );
  const standings = await Promise.all(
    [...byKind].map(([kind, uses]) =>
      users[kind](
        property,
        uses.map(({ id }) => id),
        thing,
      ),
    ),
  );
  return standings.flat();
};

/** Stops whoever may still come; `false` when one of them has moved meanwhile. */
const stopComing = async (table: Table, standings: readonly Standing[]): Promise<boolean> => {
  const stops = standings.flatMap((standing) => (standing.kind === 'coming' ? [standing.stop] : []));
  // Two users may be stopped at one item.
  const distinct = new Map(stops.map((stop) => [`${stop.key.pk}\n${stop.key.sk}`, stop]));
  const outcomes = await table.writeMany([...distinct.values()]);
  return outcomes.every((outcome) => outcome === 'applied');
};

/** Removes what is left of a thing that was marked: its uses, all of them stale, and its item. */
export const sweepUp = async (table: Table, property: number, thing: Thing): Promise<void> => {
  const items = await allItems(table, usesOf(property, thing));
  await table.writeMany(items.map(({ pk, sk, w }) => ({ kind: 'delete', key: { pk, sk }, expect: { w } })));
  await table.write({ kind: 'delete', key: itemKey(property, thing), expect: gone });
};

const usesOf = (property: number, thing: Thing): string =>
  keys.use(property, thing, { kind: 'segment', id: 0 }).pk;
