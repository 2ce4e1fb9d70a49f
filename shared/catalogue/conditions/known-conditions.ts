/** The conditions of a property as a process knows them: compiled once, and read again when their list has changed. */
import { limits } from '../../config/limits.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isLive } from '../../references/lifecycle.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import type { SegmentIdentity } from '../types.ts';
import { parseCondition } from './condition-items.ts';
import { livingIn, readConditions, type ConditionList, type SeenList } from './condition-list.ts';
import { ruleOf, type Rule } from './rule.ts';
import { RuleSet } from './rule-set.ts';

/** The identity of a condition, which carries its id. */
export type ConditionIdentity = SegmentIdentity & { readonly id: number };

interface KnownCondition {
  readonly identity: ConditionIdentity;
  readonly rule: Rule;
}

/** The conditions of a property. */
export class Conditions {
  readonly #known: ReadonlyMap<number, KnownCondition>;
  readonly #rules: RuleSet;
  /** Conditions whose members are not all in the index yet. */
  readonly preparing: ReadonlySet<number>;
  /** Deleted conditions whose chunks may be there still. */
  readonly dropped: ReadonlySet<number>;

  constructor(
    known: readonly KnownCondition[],
    { preparing = [], dropped = [] }: Partial<Pick<ConditionList, 'preparing' | 'dropped'>> = {},
  ) {
    this.#known = new Map(known.map((one) => [one.identity.id, one]));
    this.#rules = new RuleSet(known.map(({ identity: { id }, rule }) => ({ id, rule })));
    this.preparing = new Set(preparing.map(({ id }) => id));
    this.dropped = new Set(dropped.map(({ id }) => id));
  }

  /** The identity of a condition by its id. */
  identityOf(id: number): ConditionIdentity | undefined {
    return this.#known.get(id)?.identity;
  }

  /** The compiled rule of a condition by its id. */
  ruleOf(id: number): Rule | undefined {
    return this.#known.get(id)?.rule;
  }

  /** The conditions that hold for a profile at a time (epoch milliseconds): all, or those with one of these ids. */
  of(profile: ResolvedProfile, now: number, among?: ReadonlySet<number>): readonly ConditionIdentity[] {
    if (this.#known.size === 0 || among?.size === 0) return none;
    const ids = among ? this.#rules.matchingAmong(profile, now, among) : this.#rules.matching(profile, now);
    return ids.flatMap((id) => this.identityOf(id) ?? []);
  }
}

const none: readonly ConditionIdentity[] = [];

/** A property without conditions. */
export const withoutConditions = new Conditions([]);

/** Properties whose conditions a process keeps, and rules, which never change. */
const CACHED = { properties: 1_000, rules: 10_000 };

const REFRESH_MS = limits.brands.refreshSeconds * 1_000;

interface Read {
  readonly w: string | undefined;
  readonly until: number;
  readonly conditions: Conditions;
}

/** Reads the conditions of a property, at most `limits.brands.refreshSeconds` old: the same object until they change. */
export type ConditionSource = (property: number) => Promise<Conditions>;

/** The conditions on the table, cached. */
export const cachedConditions = ({
  table,
  clock,
}: {
  readonly table: Pick<Table, 'get' | 'getMany'>;
  readonly clock: Clock;
}): ConditionSource => {
  const properties = new BoundedMap<number, Read>(CACHED.properties);
  const known = new BoundedMap<number, KnownCondition>(CACHED.rules);
  const conditionsOf = async (
    property: number,
    ids: readonly number[],
  ): Promise<readonly KnownCondition[]> => {
    const fresh = ids.filter((id) => known.get(id) === undefined);
    const items =
      fresh.length === 0 ? [] : await table.getMany(fresh.map((id) => keys.segment(property, id)));
    const read = items.filter(isLive).map(parseCondition);
    for (const { id, type, path, name, key = '', condition } of read)
      known.set(id, { identity: { id, type, path, name, key }, rule: ruleOf(condition.where) });
    // A condition whose item is gone was deleted meanwhile.
    return ids.flatMap((id) => known.get(id) ?? []);
  };
  const compiled = async (property: number, list: SeenList): Promise<Conditions> => {
    const living = livingIn(list);
    if (living.length === 0 && list.dropped.length === 0) return withoutConditions;
    return new Conditions(await conditionsOf(property, living), list);
  };
  return async (property) => {
    const started = clock();
    const last = properties.get(property);
    if (last && started < last.until) return last.conditions;
    const list = await readConditions(table, property);
    const conditions = last && last.w === list.w ? last.conditions : await compiled(property, list);
    properties.set(property, { w: list.w, until: started + REFRESH_MS, conditions });
    return conditions;
  };
};
