/** Rule set: many conditions that judge a profile at once. Each field is read once a profile, however many compare it. */
import { limits } from '../../config/limits.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { utcDayOf } from '../../runtime/utc-days.ts';
import { ReadValue, type Scalar } from './read-value.ts';
import { rangeFrom, touches, type DayRange } from './day-ranges.ts';
import type { FieldValues } from './fields.ts';
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

/** Some of the conditions of a field. Equal ones are the same object. */
interface Met {
  /** A bit for each condition of the field, in words. */
  readonly bits: readonly number[];
  /** Ascending. */
  readonly ids: readonly number[];
}

/** Bits of a word, so that it is a small integer for V8. */
const WORD = 30;

/** A value, and the conditions that it meets on one day: most profiles are judged on the same day. */
interface KnownValue {
  readonly value: ReadValue;
  day: number;
  met: Met;
  /** The timed ones that it meets in one span, if it is used from a day on. */
  during?: { readonly span: DayRange; readonly used: number; readonly met: Met };
}

/**
 * A full cache that knows less than one value in so many is asked for one in so many only: where most values come once, to look
 * for each and to keep it takes longer than to judge it.
 */
const SELDOM = 8;

/** How far back the share of known values goes: about so many values. */
const WATCHED = 64;

/** Whether a value meets a condition on a day: a span of one. */
type Meets = (value: ReadValue, day: DayRange) => boolean;

const meetsOf = ({ verdict: { test, rangesOf } }: Rule): Meets =>
  test ?? ((value, day) => isIn(rangesOf(value, day), day.from));

interface FieldRule extends IdentifiedRule {
  readonly meets: Meets;
}

/** The conditions of one field. */
class FieldRules implements JudgedField, TimedField {
  readonly field: Rule['field'];
  /** By id. */
  readonly #rules: readonly FieldRule[];
  readonly isTimed: boolean;
  /** People share most values. */
  readonly #known = new BoundedMap<Scalar, KnownValue>(limits.conditions.knownValues);
  #kept = 0;
  #values = 0;
  /** The share of the last values that the cache has known. */
  #share = 1;
  readonly #nothing: Met;
  /** By their bits: different values meet the same conditions. */
  readonly #met = new BoundedMap<number | string, Met>(limits.conditions.knownValues);

  constructor(field: Rule['field'], rules: readonly IdentifiedRule[]) {
    this.field = field;
    this.#rules = rules.map((one) => ({ ...one, meets: meetsOf(one.rule) })).sort((a, b) => a.id - b.id);
    this.isTimed = rules.some(({ rule }) => rule.isTimed);
    this.#nothing = this.#where(() => false);
  }

  /** Whether one of these ids is that of a condition of the field. */
  hasAny(ids: ReadonlySet<number>): boolean {
    return this.#rules.some(({ id }) => ids.has(id));
  }

  /** What `matching` costs: see `RuleSet`. */
  costOf(profile: ResolvedProfile): number {
    const values = this.field.valuesOf(profile);
    const sizes = (isList(values) ? values : [values]).map((value) =>
      value === null ? 0 : String(value).length + VALUE,
    );
    const size = sizes.reduce((sum, one) => sum + one, 0);
    return size * this.#rules.length;
  }

  /** The ids of the conditions of the field that hold for a profile on a day. */
  matching(profile: ResolvedProfile, today: number): readonly number[] {
    const values = this.field.valuesOf(profile);
    if (values === null || today < usedFrom(this.field, profile)) return none;
    return this.#anyOf(values, (value) => this.#metOn(value, today)).ids;
  }

  during(profile: ResolvedProfile, span: DayRange): readonly number[] {
    const used = usedFrom(this.field, profile);
    return this.#anyOf(this.field.valuesOf(profile), (value) => this.#metDuring(value, span, used)).ids;
  }

  /** What any of some values meets. */
  #anyOf(values: FieldValues, metBy: (value: Scalar) => Met): Met {
    if (values === null) return this.#nothing;
    if (!isList(values)) return metBy(values);
    const all = values.map((value) => (value === null ? this.#nothing : metBy(value)));
    const [first = this.#nothing, ...others] = all;
    if (others.length === 0) return first;
    return this.#of(
      first.bits.map((word, at) => others.reduce((sum, { bits }) => sum | (bits[at] ?? 0), word)),
    );
  }

  /** What a value meets on a day. */
  #metOn(stored: Scalar, today: number): Met {
    const asks = this.#asks();
    const known = asks ? this.#known.get(stored) : undefined;
    if (asks) this.#share += ((known ? 1 : 0) - this.#share) / WATCHED;
    if (known?.day === today) return known.met;
    const value = known?.value ?? new ReadValue(stored);
    const day = onDay(today);
    const met = value.line === '' ? this.#nothing : this.#where(({ meets }) => meets(value, day));
    if (known) [known.day, known.met] = [today, met];
    else if (asks) this.#remember(stored, { value, day: today, met });
    return met;
  }

  /** The timed conditions that a value meets on any day of a span, from the day on which it is used. */
  #metDuring(stored: Scalar, span: DayRange, used: number): Met {
    const known = this.#known.get(stored);
    const last = known?.during;
    if (last?.used === used && last.span.from === span.from && last.span.to === span.to) return last.met;
    const value = known?.value ?? new ReadValue(stored);
    const holds = ({ isTimed, verdict }: Rule): boolean =>
      isTimed &&
      verdict
        .rangesOf(value, span)
        .map((range) => rangeFrom(range, used))
        .some((range) => range.from <= range.to && touches(range, span));
    const met = value.line === '' ? this.#nothing : this.#where(({ rule }) => holds(rule));
    if (known) known.during = { span, used, met };
    return met;
  }

  /** Whether to ask the cache for the next value. */
  #asks(): boolean {
    this.#values += 1;
    return (
      this.#kept < limits.conditions.knownValues || this.#share * SELDOM >= 1 || this.#values % SELDOM === 0
    );
  }

  #remember(stored: Scalar, known: KnownValue): void {
    if (typeof stored === 'string' && stored.length > limits.conditions.knownCharacters) return;
    this.#kept += 1;
    this.#known.set(stored, known);
  }

  /** By index, because this runs for very many values: an iterator makes garbage of each step. */
  #where(holds: (rule: FieldRule) => boolean): Met {
    const bits: number[] = [];
    for (let at = 0; at < this.#rules.length; at += 1) {
      const rule = this.#rules[at];
      if (at % WORD === 0) bits.push(0);
      if (rule && holds(rule)) bits[bits.length - 1] = (bits[bits.length - 1] ?? 0) | (1 << (at % WORD));
    }
    return this.#of(bits);
  }

  /** The conditions with these bits. */
  #of(bits: readonly number[]): Met {
    const name = bits.length === 1 ? (bits[0] ?? 0) : bits.join();
    const known = this.#met.get(name);
    if (known) return known;
    const isMet = (at: number): boolean => (((bits[Math.floor(at / WORD)] ?? 0) >> (at % WORD)) & 1) === 1;
    const met = { bits, ids: this.#rules.flatMap(({ id }, at) => (isMet(at) ? [id] : [])) };
    this.#met.set(name, met);
    return met;
  }
}
