import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { listAllProperties } from '../../properties/items.ts';
import { Failures } from '../../runtime/failures.ts';
import { keys } from '../../table/keys.ts';
import { measureSizes, type SizeDeps } from './measure.ts';
import { isDue, isNewState, isWantedState, type SizeState } from './size-items.ts';
import { pagesOf } from '../../runtime/pages.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { MINUTE_MS } from '../../runtime/clock.ts';

/** `began`: when the last round over all properties began. `after`: where its time was up; null at its end. */
const roundItem = v.object({ began: v.number(), after: v.nullable(v.string()) });
const ROUND = keys.allProperties('sizes');
const PERIOD_MS = limits.sizes.bucketMinutes * MINUTE_MS;

/**
 * One call of the job that measures sizes, which is called every two minutes: measures all properties once in a quarter of
 * an hour, but once in an hour those whose measurement is expensive. The calls in between measure only new ones, and
 * those with an import that `measureSoon` could not count. A property is new until a quarter of an hour after its first
 * list with members. A property that never had a person is not measured: it costs one read a call. Returns the number of measured properties. When the
 * work for a property fails, the other properties go on, and the first failure is thrown at the end.
 */
export const measureAllSizes = async (deps: SizeDeps, hasTime: () => boolean): Promise<number> => {
  const item = await deps.table.get(ROUND);
  const last = item && v.parse(roundItem, item);
  const now = deps.clock();
  if (last && now - last.began < PERIOD_MS) return measureBetween(deps, hasTime);
  const after = last?.after ?? null;
  // First, so that the calls in between do not begin this round as well.
  await deps.table.put(ROUND, { began: now, after });
  return measureFrom(deps, { began: now, after: after ?? undefined }, hasTime);
};

/** Properties are measured from where the time of the last round was up: a large property does not delay the others. */
const measureFrom = async (
  deps: SizeDeps,
  { began, after: from }: { readonly began: number; readonly after: string | undefined },
  hasTime: () => boolean,
): Promise<number> => {
  const failures = new Failures();
  let visited = 0;
  let after = from;
  do {
    const { items: properties, next } = await listAllProperties(deps.table, after);
    const each = { hasTime, failures, only: (state: SizeState) => isDue(state, began) };
    const measured = await measureEach(deps, await withPeople(deps, properties), each);
    visited += measured.visited;
    const { last } = measured;
    const reached = last === undefined ? after : keys.listedProperty(last).sk;
    after = hasTime() ? next : reached;
  } while (after !== undefined && hasTime());
  await deps.table.put(ROUND, { began, after: after ?? null });
  failures.throwFirst();
  return visited;
};

/** Measures some properties side by side, as far as there is time. Returns how many were due, and the last of them. */
const measureEach = async (
  deps: SizeDeps,
  properties: readonly number[],
  { hasTime, failures, only }: Each,
): Promise<{ readonly visited: number; readonly last: number | undefined }> => {
  let visited = 0;
  let last: number | undefined;
  await mapLimited(properties, limits.sizes.propertiesAtOnce, async (property) => {
    if (!hasTime()) return;
    // They begin in their order.
    last = property;
    const outcome = await failures.attempt(() => measureSizes(deps, property, hasTime, only));
    if (outcome !== 'rests') visited += 1;
  });
  return { visited, last };
};

interface Each {
  readonly hasTime: () => boolean;
  readonly failures: Failures;
  /** The states of properties that are measured; by default all. */
  readonly only?: (state: SizeState) => boolean;
}

/** The properties that have ever given out an ordinal, whose counter therefore exists. */
const withPeople = async ({ table }: SizeDeps, properties: readonly number[]): Promise<readonly number[]> => {
  const counters = await table.getMany(properties.map((property) => keys.counter(property, 'ordinal')));
  return properties.filter((_, index) => counters[index] !== undefined);
};

const measureBetween = async (deps: SizeDeps, hasTime: () => boolean): Promise<number> => {
  const failures = new Failures();
  let visited = 0;
  for await (const properties of pagesOf((after) => listAllProperties(deps.table, after))) {
    if (!hasTime()) break;
    const inhabited = await withPeople(deps, properties);
    const states = await deps.table.getMany(inhabited.map((property) => keys.sizes(property)));
    const now = deps.clock();
    const due = inhabited.filter((_, n) => isNewState(states[n], now) || isWantedState(states[n], now));
    visited += (await measureEach(deps, due, { hasTime, failures })).visited;
  }
  failures.throwFirst();
  return visited;
};
