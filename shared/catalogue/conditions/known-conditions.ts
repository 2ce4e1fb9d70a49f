/** The conditions of a property as a process knows them: compiled once, and read again when their list has changed. */
import { limits } from '../../config/limits.ts';
import { UnavailableError } from '../../runtime/aws-errors.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isLive } from '../../references/lifecycle.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import { dayCalendar, type DayCalendar } from '../calendars.ts';
import type { ConditionFacts, SegmentIdentity } from '../types.ts';
import { parseCondition } from './condition-items.ts';
import { livingIn, readConditions, type ConditionList, type SeenList } from './condition-list.ts';
import { ruleOf, type Rule } from './rule.ts';
import { RuleSet, type JudgedField, type TimedField } from './rule-set.ts';
import type { Where } from './shape.ts';

/** The identity of a condition, which carries its id. */
export type ConditionIdentity = SegmentIdentity & { readonly id: number };

/** A condition that writers derive. */
export interface KnownCondition {
  readonly identity: ConditionIdentity;
  readonly rule: Rule;
}

/** What else is known of conditions. */
interface Beside extends Partial<Pick<ConditionList, 'preparing' | 'dropped'>> {
  readonly calendars?: readonly KnownCalendar[];
}

/** The calendar of a field, and whether the index shows all people in it. */
interface KnownCalendar {
  readonly calendar: DayCalendar;
  readonly ready: boolean;
}

/** The conditions of a property. */
export class Conditions {
  readonly #known: ReadonlyMap<number, KnownCondition>;
  readonly #rules: RuleSet;
  /** Conditions, and hidden segments of calendars, whose members are not all in the index yet. */
  readonly preparing: ReadonlySet<number>;
  /** Deleted conditions whose chunks may be there still. */
  readonly dropped: ReadonlySet<number>;
  /** The calendars of the fields of the timed conditions, without that of birthdays. */
  readonly calendars: readonly DayCalendar[];
  /** The conditions whose members change with time alone, by the key of their field. */
  readonly timed: ReadonlyMap<string, readonly KnownCondition[]>;

  constructor(
    known: readonly KnownCondition[],
    { preparing = [], dropped = [], calendars = [] }: Beside = {},
  ) {
    this.#known = new Map(known.map((one) => [one.identity.id, one]));
    this.#rules = new RuleSet(known.map(({ identity: { id }, rule }) => ({ id, rule })));
    const unready = calendars.flatMap(({ ready, calendar }) => (ready ? [] : calendar.segments));
    this.preparing = new Set([...preparing, ...unready].map(({ id }) => id));
    this.dropped = new Set(dropped.map(({ id }) => id));
    this.calendars = calendars.map(({ calendar }) => calendar);
    this.timed = Map.groupBy(
      known.filter(({ rule }) => rule.isTimed),
      ({ rule }) => rule.field.key,
    );
  }

  /** The identity of a condition by its id. */
  identityOf(id: number): ConditionIdentity | undefined {
    return this.#known.get(id)?.identity;
  }

  /** The compiled rule of a condition by its id. */
  ruleOf(id: number): Rule | undefined {
    return this.#known.get(id)?.rule;
  }

  /** The conditions that hold for a profile at a time (epoch milliseconds). */
  of(profile: ResolvedProfile, now: number): readonly ConditionIdentity[] {
    if (this.#known.size === 0) return none;
    return this.#rules.matching(profile, now).flatMap((id) => this.identityOf(id) ?? []);
  }

  /** The fields of the conditions with these ids, for `byField`. */
  fieldsOf(ids: ReadonlySet<number>): readonly JudgedField[] {
    return this.#rules.fieldsOf(ids);
  }

  /** The fields of timed conditions, which judge days. */
  get timedFields(): readonly TimedField[] {
    return this.#rules.timed;
  }

  /** The ids of the conditions that hold for a profile at a time, for each field: see `RuleSet`. */
  byField(
    profile: ResolvedProfile,
    now: number,
    fields?: readonly JudgedField[],
  ): readonly (readonly number[])[] {
    return this.#rules.byField(profile, now, fields);
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

/**
 * Reads the conditions of a property, at most `limits.brands.refreshSeconds` old: the same object until they change. Throws
 * `UnavailableError` when one of them has a rule that this release cannot read.
 */
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
      known.set(id, { identity: { id, type, path, name, key }, rule: ruleOf(readable(id, condition)) });
    // A condition whose item is gone was deleted meanwhile.
    return ids.flatMap((id) => known.get(id) ?? []);
  };
  const compiled = async (property: number, list: SeenList): Promise<Conditions> => {
    const living = livingIn(list);
    if (living.length === 0 && list.dropped.length === 0) return withoutConditions;
    const read = await conditionsOf(property, living);
    return new Conditions(read, { ...list, calendars: calendarsIn(property, list, read) });
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

/**
 * The rule of a condition. Throws for a rule that this release cannot read. Without the rule a writer would not announce the
 * members, and an indexer would leave them out. A condition that is ready would lose these members for good. So the writes of this
 * property wait, without a loss, for a process that can read it, or for the deletion of the condition.
 */
const readable = (id: number, { where }: ConditionFacts): Where => {
  if (where) return where;
  throw new UnavailableError(`conditions: segment ${id} has a rule that this release cannot read`);
};

/** The calendars of a list, each of the field that its conditions have. */
const calendarsIn = (
  property: number,
  { calendars }: ConditionList,
  known: readonly KnownCondition[],
): readonly KnownCalendar[] =>
  calendars.flatMap(({ slot, of, ready }) => {
    const one = known.find(({ identity: { id } }) => of.includes(id));
    return one ? [{ calendar: dayCalendar(property, slot, one.rule.field), ready }] : [];
  });
