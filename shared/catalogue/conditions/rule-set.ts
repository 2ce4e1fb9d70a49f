/** Rule set: many conditions that judge a profile at once. Each field is read once a profile, however many compare it. */
import { limits } from '../../config/limits.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { utcDayOf } from '../../runtime/utc-days.ts';
import { ReadValue, type Scalar } from './read-value.ts';
import { rangeFrom, touches, type DayRange } from './day-ranges.ts';
import { isIn, isList, onDay, usedFrom, type Rule } from './rule.ts';

/** A condition, and the id of its segment. */
export interface IdentifiedRule {
  readonly id: number;
  readonly rule: Rule;
}

const none: readonly number[] = [];

/** A comparison costs as much as so many characters, besides those that it compares. */
const VALUE = 10;

/** The conditions of a property. They never change; other conditions are another set. */
export class RuleSet {
  readonly #fields: readonly FieldRules[];

  constructor(rules: readonly IdentifiedRule[]) {
    const byField = Map.groupBy(rules, ({ rule }) => rule.field.key);
    this.#fields = [...byField.values()].flatMap((group) =>
      group.slice(0, 1).map(({ rule }) => new FieldRules(rule.field, group)),
    );
  }

  /** The fields with conditions whose members change with time alone. */
  get timed(): readonly TimedField[] {
    return this.#fields.filter(({ isTimed }) => isTimed);
  }

  /** The fields of some conditions: who asks only about these need not judge the others. */
  fieldsOf(ids: ReadonlySet<number>): readonly JudgedField[] {
    return this.#fields.filter((field) => field.hasAny(ids));
  }

  /**
   * For each of the fields, the ids of its conditions that hold for a profile at a time (epoch milliseconds), ascending. Most
   * profiles that meet the same conditions have the same array.
   */
  byField(
    profile: ResolvedProfile,
    now: number,
    fields: readonly JudgedField[] = this.#fields,
  ): readonly (readonly number[])[] {
    const today = utcDayOf(now);
    return fields.map((field) => field.matching(profile, today));
  }

  /** The ids of all conditions that hold for a profile at a time (epoch milliseconds), in no order. */
  matching(profile: ResolvedProfile, now: number): readonly number[] {
    // One array of the right length: to append each id takes a fifth of the time of all conditions.
    return none.concat(...this.byField(profile, now));
  }

  /** What it costs to judge a profile, in characters: each condition may compare each character of the values of its field. */
  costOf(profile: ResolvedProfile): number {
    let cost = 0;
    for (const field of this.#fields) cost += field.costOf(profile);
    return cost;
  }
}

/** The conditions of one field, which judge a profile. */
export interface JudgedField {
  readonly matching: (profile: ResolvedProfile, today: number) => readonly number[];
}

/** The conditions of one field whose members change with time alone. */
export interface TimedField {
  readonly field: Rule['field'];
  /** The ids of those that hold for a profile on any day of a finite span, ascending. */
  readonly during: (profile: ResolvedProfile, span: DayRange) => readonly number[];
}

/** The ids that are in just one of two lists by field. A list that is the same array is not looked at. */
export const idsBetween = (
  one: readonly (readonly number[])[],
  other: readonly (readonly number[])[],
): readonly number[] => {
  const found: number[] = [];
  for (let field = 0; field < Math.max(one.length, other.length); field += 1) {
    const [a, b] = [one[field] ?? none, other[field] ?? none];
    if (a === b) continue;
    for (const id of a) if (!b.includes(id)) found.push(id);
    for (const id of b) if (!a.includes(id)) found.push(id);
  }
  return found;
};

/** A value, and the ids of the conditions that it meets on one day: most profiles are judged on the same day. */
interface KnownValue {
  readonly value: ReadValue;
  day: number;
  ids: readonly number[];
  /** The timed ones that it meets in one span, if it is used from a day on. */
  during?: { readonly span: DayRange; readonly used: number; readonly ids: readonly number[] };
}

/** Of the values that a full cache does not know, it takes every so many-th: where most come once, it would only churn. */
const TAKEN = 8;

/** Whether a value meets a condition on a day. */
type Meets = (value: ReadValue, today: number) => boolean;

const meetsOf = ({ verdict: { test, rangesOf } }: Rule): Meets =>
  test ?? ((value, today) => isIn(rangesOf(value, onDay(today)), today));

/** The conditions of one field. */
class FieldRules implements JudgedField, TimedField {
  readonly field: Rule['field'];
  /** By id. */
  readonly #rules: readonly (IdentifiedRule & { readonly meets: Meets })[];
  readonly #timed: readonly IdentifiedRule[];
  /** People share most values. */
  readonly #known = new BoundedMap<Scalar, KnownValue>(limits.conditions.knownValues);
  #unknown = 0;
  /** Lists of ids by their ids: different values meet the same conditions. */
  readonly #lists = new BoundedMap<string, readonly number[]>(limits.conditions.knownValues);

  constructor(field: Rule['field'], rules: readonly IdentifiedRule[]) {
    this.field = field;
    this.#rules = rules.map((one) => ({ ...one, meets: meetsOf(one.rule) })).sort((a, b) => a.id - b.id);
    this.#timed = this.#rules.filter(({ rule }) => rule.isTimed);
  }

  get isTimed(): boolean {
    return this.#timed.length > 0;
  }

  /** Whether one of these ids is that of a condition of the field. */
  hasAny(ids: ReadonlySet<number>): boolean {
    return this.#rules.some(({ id }) => ids.has(id));
  }

  /** What `matching` costs: see `RuleSet`. */
  costOf(profile: ResolvedProfile): number {
    const values = this.#field.valuesOf(profile);
    const sizes = (isList(values) ? values : [values]).map((value) =>
      value === null ? 0 : String(value).length + VALUE,
    );
    const size = sizes.reduce((sum, one) => sum + one, 0);
    return size * (this.#untimed.length + this.#timed.length);
  }

  /** The ids of the conditions of the field that hold for a profile on a day. */
  matching(profile: ResolvedProfile, today: number): readonly number[] {
    const values = this.field.valuesOf(profile);
    if (values === null || today < usedFrom(this.field, profile)) return none;
    if (!isList(values)) return this.#met(values, today);
    const [first = null] = values;
    if (values.length === 1) return first === null ? none : this.#met(first, today);
    const ids = new Set(values.flatMap((value) => (value === null ? none : this.#met(value, today))));
    return this.#shared([...ids].sort((a, b) => a - b));
  }

  /** The ids of the conditions that a value meets on a day. */
  #met(stored: Scalar, today: number): readonly number[] {
    const known = this.#known.get(stored);
    if (known?.day === today) return known.ids;
    const value = known?.value ?? new ReadValue(stored);
    const ids = this.#shared(this.#metBy(value, today));
    if (known) [known.day, known.ids] = [today, ids];
    else this.#remember(stored, { value, day: today, ids });
    return ids;
  }

  during(profile: ResolvedProfile, span: DayRange): readonly number[] {
    const values = this.field.valuesOf(profile);
    const used = usedFrom(this.field, profile);
    if (values === null) return none;
    if (!isList(values)) return this.#metDuring(values, span, used);
    const ids = values.flatMap((value) => (value === null ? none : this.#metDuring(value, span, used)));
    return this.#shared([...new Set(ids)].sort((a, b) => a - b));
  }

  #metDuring(stored: Scalar, span: DayRange, used: number): readonly number[] {
    const known = this.#known.get(stored);
    const last = known?.during;
    if (last?.used === used && last.span.from === span.from && last.span.to === span.to) return last.ids;
    const value = known?.value ?? new ReadValue(stored);
    const holds = ({ rule }: IdentifiedRule): boolean =>
      rule.verdict
        .rangesOf(value, span)
        .map((range) => rangeFrom(range, used))
        .some((range) => range.from <= range.to && touches(range, span));
    const ids = value.line === '' ? none : this.#shared(this.#timed.filter(holds).map(({ id }) => id));
    if (known) known.during = { span, used, ids };
    return ids;
  }

  #metBy(value: ReadValue, today: number): readonly number[] {
    if (value.line === '') return none;
    const ids: number[] = [];
    for (const { id, meets } of this.#rules) if (meets(value, today)) ids.push(id);
    return ids;
  }

  #remember(stored: Scalar, known: KnownValue): void {
    this.#unknown += 1;
    const takes = this.#unknown <= limits.conditions.knownValues || this.#unknown % TAKEN === 0;
    if (takes && (typeof stored !== 'string' || stored.length <= limits.conditions.knownCharacters))
      this.#known.set(stored, known);
  }

  /** The array of these ids that others have, too. */
  #shared(ids: readonly number[]): readonly number[] {
    const name = ids.join();
    const known = this.#lists.get(name);
    if (!known) this.#lists.set(name, ids);
    return known ?? ids;
  }
}
