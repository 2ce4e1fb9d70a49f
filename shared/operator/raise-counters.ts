/**
 * Raise counters: after a restore the counters are those of an earlier time, and would give out ids again that clients,
 * objects and webhooks have already. An operator raises them before clients come back.
 */
import * as v from 'valibot';
import type { Outcome } from '../auth/accounts.ts';
import { idSchema } from '../http/text.ts';
import { propertyIdsOf } from '../properties/items.ts';
import { readRules } from '../properties/rules.ts';
import { limits } from '../config/limits.ts';
import { completeDefinitions } from './complete-definitions.ts';
import { listUpkeep, postponeUpkeep } from '../retention/upkeep-tasks.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { ok } from '../runtime/result.ts';
import { changeItem } from '../table/change-item.ts';
import { credentialCounters, credentialKeys } from '../table/credential-keys.ts';
import { idCounters, keys, serviceCounters, type Key } from '../table/keys.ts';
import { counterIn } from '../table/read-counter.ts';
import type { Table } from '../table/table.ts';

/** Ports of the commands about counters. */
export interface CounterDeps {
  readonly table: Table;
  readonly credentials: Table;
  readonly pause: Pause;
  readonly clock: Clock;
}

const value = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const ofProperty = { property: idSchema, name: v.picklist(idCounters) };
const ofService = { name: v.picklist([...serviceCounters, ...credentialCounters]) };

/** A counter as `counters.list` shows it: its last number, and the restore for which it was raised last. */
const state = { value, raised: v.nullable(v.string()) };

/** All counters of a stage: the answer of `counters list`, and what `counters raise` takes as the earlier counters. */
export const listedCounters = v.object({
  service: v.array(v.object({ ...ofService, ...state })),
  counters: v.array(v.object({ ...ofProperty, ...state })),
});
export type ListedCounters = v.InferOutput<typeof listedCounters>;

/** Counters that one call raises. */
export const PER_CALL = 500;

/** The parameters of `counters.raise`: the least value of each counter, and the second to which the tables were restored. */
export const raiseCommand = v.strictObject({
  restored: v.pipe(v.string(), v.isoTimestamp()),
  service: v.pipe(v.array(v.strictObject({ ...ofService, value })), v.maxLength(PER_CALL)),
  counters: v.pipe(v.array(v.strictObject({ ...ofProperty, value })), v.maxLength(PER_CALL)),
});

/** What to raise: the counters with their new values. */
export type RaisePlan = Pick<v.InferOutput<typeof raiseCommand>, 'service' | 'counters'>;

/** Properties whose counters one page of the list shows. */
const PER_PAGE = 500;

type ServiceCounter = ListedCounters['service'][number]['name'];

/** The place of a counter of the service. */
const placeOf = (
  { table, credentials }: Pick<CounterDeps, 'table' | 'credentials'>,
  name: ServiceCounter,
): { readonly table: Table; readonly key: Key } =>
  name === 'brands'
    ? { table, key: keys.serviceCounter(name) }
    : { table: credentials, key: credentialKeys.counter(name) };

/**
 * A page of all counters that give out ids: those of the service on the first page, and those of properties. `after` is
 * the `next` of the page before.
 */
export const listCounters = async (
  deps: Pick<CounterDeps, 'table' | 'credentials'>,
  { after }: { readonly after?: number | undefined },
): Promise<Outcome<ListedCounters & { readonly next: number | null }>> => {
  const { table } = deps;
  const behind = after === undefined ? {} : { after: keys.listedProperty(after).sk };
  const { items, next } = await table.query(keys.properties, { ...behind, limit: PER_PAGE });
  const properties = propertyIdsOf(items);
  const named = properties.flatMap((property) => idCounters.map((name) => ({ property, name })));
  const found = await table.getMany(named.map(({ property, name }) => keys.counter(property, name)));
  const names = after === undefined ? ofService.name.options : [];
  const service = names.map(async (name) => {
    const place = placeOf(deps, name);
    return { name, ...counterIn(await place.table.get(place.key)) };
  });
  return ok({
    service: await Promise.all(service),
    counters: named.map((one, index) => ({ ...one, ...counterIn(found[index]) })),
    next: next === undefined ? null : (properties.at(-1) ?? null),
  });
};

/**
 * Raises counters to the given values. A counter that has passed its value keeps its own, so a repetition does no harm.
 * Answers how many counters have changed. Completes the definitions of these properties, and puts off the passes for the rules of these properties: an operator first sets
 * again the rules that were changed since the time of the restore.
 */
export const raiseCounters = async (
  deps: CounterDeps,
  { restored, service, counters }: RaisePlan & { readonly restored: string },
): Promise<Outcome<{ readonly raised: number }>> => {
  const places = [
    ...service.map(({ name, value: least }) => ({ ...placeOf(deps, name), least })),
    ...counters.map(({ property, name, value: least }) => ({
      table: deps.table,
      key: keys.counter(property, name),
      least,
    })),
  ];
  let raised = 0;
  for (const { table, key, least } of places) {
    const changed = await changeItem({ table, pause: deps.pause }, { key, what: 'a counter' }, (item) =>
      counterIn(item).value < least
        ? { result: true, set: { value: least, raised: restored } }
        : { result: false },
    );
    raised += Number(changed);
  }
  const until = deps.clock() + limits.rules.restoredSeconds * 1_000;
  for (const property of new Set(counters.map((one) => one.property))) {
    await completeDefinitions(deps, property, Date.parse(restored));
    await renewNames(deps, property);
    await postponeUpkeep(deps, property, until);
  }
  return ok({ raised });
};

/**
 * Begins the search by name anew where a property has it: a restored profile may list a pointer that was not restored. Until
 * the next pass over all people has stored them all, a search says that it may miss somebody.
 */
const renewNames = async (deps: CounterDeps, property: number): Promise<void> => {
  const isOn = await changeItem(
    { table: deps.table, pause: deps.pause },
    { key: keys.rules(property), what: 'the names of a restored property' },
    (item) => {
      const { names_since } = readRules(item);
      return names_since === null ? { result: false } : { result: true, set: { names_since: deps.clock() } };
    },
  );
  if (isOn) await listUpkeep(deps, property, deps.clock());
};

/** How far counters are raised: beyond the earlier table's (`margin`), or beyond their own if that is unknown (`gap`). */
interface Steps {
  readonly margin: number;
  readonly gap: number;
}

/**
 * The margin covers functions that went on while the earlier counters were read. The gap covers what can have been given
 * out since the restore's time. Gaps cost little, but the audit of the index looks at each ordinal and each id of a
 * segment.
 */
const stepsOf = (name: RaisePlan['counters'][number]['name'] | ServiceCounter): Steps => {
  if (name === 'ordinal') return { margin: 100_000, gap: 10_000_000 };
  if (name === 'segment') return { margin: 1_000, gap: 20_000 };
  // Lists of operators walk through the ids of accounts and properties.
  if (ofService.name.options.some((one) => one === name)) return { margin: 10, gap: 1_000 };
  return { margin: 1_000, gap: 100_000 };
};

/**
 * The counters to raise after a restore, so that nothing is given out twice. With the counters of the earlier tables: to
 * those and a margin. Without them, as for a property that the earlier tables had lost: by a large gap, once for each
 * restore.
 */
export const planRaise = (
  now: ListedCounters,
  restored: string,
  earlier: ListedCounters | undefined,
): RaisePlan => {
  const last = new Map(
    [...(earlier?.service ?? []), ...(earlier?.counters ?? [])].map((one) => [placeName(one), one.value]),
  );
  const least = (one: NamedCounter): readonly { readonly value: number }[] => {
    const { margin, gap } = stepsOf(one.name);
    const known = last.get(placeName(one));
    if (known === undefined) return one.raised === restored ? [] : [{ value: one.value + gap }];
    return known + margin > one.value ? [{ value: known + margin }] : [];
  };
  return {
    service: now.service.flatMap((one) => least(one).map((to) => ({ name: one.name, ...to }))),
    counters: now.counters.flatMap((one) =>
      least(one).map((to) => ({ property: one.property, name: one.name, ...to })),
    ),
  };
};

type NamedCounter = ListedCounters['service'][number] | ListedCounters['counters'][number];

const placeName = (one: NamedCounter): string => `${'property' in one ? one.property : ''} ${one.name}`;
