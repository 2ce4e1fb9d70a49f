/** Conditions against a filter that is written plainly: random conditions, profiles and days. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalOf } from '../../../shared/catalogue/conditions/canonical.ts';
import { ruleOf, unreadableFor } from '../../../shared/catalogue/conditions/rule.ts';
import { idsBetween, RuleSet } from '../../../shared/catalogue/conditions/rule-set.ts';
import type { Where } from '../../../shared/catalogue/conditions/shape.ts';
import { whereSchema } from '../../../shared/catalogue/conditions/where.ts';
import { check } from '../../../shared/http/schema-faults.ts';
import { withoutSpecialValues } from '../../../shared/profiles/special.ts';
import type { ResolvedProfile } from '../../../shared/profiles/types.ts';
import { DAY_MS } from '../../../shared/runtime/clock.ts';
import { dayText, utcDay } from '../../../shared/runtime/utc-days.ts';
import { casesOf } from '../../support/scale.ts';
import { cases, conditions, days, profiles } from './arbitraries.ts';
import { holdsFor } from './holds-for.ts';
import { dayAfter, holdsPlainly, isUnreadable } from './plain-filter.ts';

const RUNS = casesOf('CONDITION_RUNS', { full: 200_000, sample: 10_000 });
const endOfDay = (day: string): number => Date.parse(`${day}T23:59:59.999Z`);

/** The day and the days around it, and the first days of the next two years. */
const daysAround = (day: string): readonly string[] => {
  const first = utcDay(day) - 35;
  const near = Array.from({ length: 70 }, (_, index) => dayText(first + index));
  return [...near, dayText(utcDay(day) + 365), dayText(utcDay(day) + 366), dayText(utcDay(day) + 731)];
};

describe('a condition', () => {
  it('holds where the plain filter says so, also by the profile as its property shows it', () => {
    fc.assert(
      fc.property(cases, ([where, profile, day]) => {
        const expected = holdsPlainly(where, profile, day);
        const rule = ruleOf(where);
        expect(holdsFor(rule, profile, Date.parse(day))).toBe(expected);
        expect(holdsFor(rule, profile, endOfDay(day))).toBe(expected);
        if (!profile.withoutSpecial) return;
        const shown = { ...withoutSpecialValues(profile, endOfDay(day)), withoutSpecial: false };
        expect(holdsFor(rule, shown, endOfDay(day))).toBe(expected);
      }),
      { numRuns: RUNS },
    );
  });

  it('knows the days on which it holds, and the last of them', () => {
    fc.assert(
      fc.property(cases, ([where, profile, day]) => {
        const rule = ruleOf(where);
        const around = daysAround(day);
        const span = { from: utcDay(around[0] ?? day), to: utcDay(around.at(-1) ?? day) };
        const ranges = rule.daysOf(profile, span);
        for (const one of around) {
          const at = utcDay(one);
          const isIn = ranges.some(({ from, to }) => from <= at && at <= to);
          expect(`${one} ${isIn}`).toBe(`${one} ${holdsPlainly(where, profile, one)}`);
        }
        for (const [index, { from, to }] of ranges.entries()) {
          const before = ranges[index - 1];
          expect(from <= to && to >= span.from && from <= span.to).toBe(true);
          expect(before === undefined || before.to < from - 1).toBe(true);
        }
        const wide = { from: span.from - 3_000, to: span.to + 3_000 };
        const touching = rule
          .daysOf(profile, wide)
          .filter(({ from, to }) => to >= span.from && from <= span.to);
        expect(ranges).toEqual(touching);
        if (!rule.isTimed)
          expect(ranges.every(({ from, to }) => from === -Infinity && to === Infinity)).toBe(true);
      }),
      { numRuns: Math.ceil(RUNS / 10) },
    );
  });

  it('says what makes it hold, and until when', () => {
    fc.assert(
      fc.property(cases, ([where, profile, day]) => {
        const { values, until } = ruleOf(where).compared(profile, Date.parse(day));
        expect(values.length > 0).toBe(holdsPlainly(where, profile, day));
        if (until === null) {
          // Whoever stays for good is there in a hundred years, too, if something does not end it first.
          if (values.length > 0)
            expect(holdsPlainly(where, profile, `${Number(day.slice(0, 4)) + 100}-03-01`)).toBe(true);
          return;
        }
        expect(until >= day && holdsPlainly(where, profile, until)).toBe(true);
        expect(holdsPlainly(where, profile, dayAfter(until))).toBe(false);
        const few = dayText(Math.min(utcDay(day) + 3, utcDay(until)));
        expect(holdsPlainly(where, profile, few)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('counts people with a value that it cannot read', () => {
    fc.assert(
      fc.property(conditions, profiles, (where, profile) => {
        const usable: ResolvedProfile = { ...profile, withoutSpecial: false };
        const unreadable = holdsFor(unreadableFor(ruleOf(where)), usable, Date.parse('2024-01-01'));
        expect(unreadable).toBe(isUnreadable(where, usable, '2024-01-01'));
      }),
      { numRuns: RUNS },
    );
  });

  it('is taken by the schema as it is', () => {
    fc.assert(
      fc.property(conditions, (where) => {
        expect(check(whereSchema, where)).toEqual({ ok: true, value: where });
      }),
      { numRuns: Math.ceil(RUNS / 10) },
    );
  });
});

describe('a set of conditions', () => {
  it('finds the conditions that hold, each once, and those of the fields of some ids', () => {
    const some = fc.uniqueArray(conditions, { maxLength: 30, selector: (where) => JSON.stringify(where) });
    fc.assert(
      fc.property(some, fc.array(fc.tuple(profiles, days), { maxLength: 8 }), (wheres, people) => {
        const set = new RuleSet(wheres.map((where, index) => ({ id: 100 + index, rule: ruleOf(where) })));
        const odd = new Set([1, ...wheres.keys()].map((index) => 100 + index).filter((id) => id % 2 === 1));
        // Twice, because a set remembers what values meet.
        for (const [profile, day] of [...people, ...people]) {
          const expected = wheres.flatMap((where, index) =>
            holdsPlainly(where, profile, day) ? [100 + index] : [],
          );
          const found = set.matching(profile, endOfDay(day));
          expect(found.toSorted((a, b) => a - b)).toEqual(expected);
          const asked = set.byField(profile, endOfDay(day), set.fieldsOf(odd)).flat();
          expect(new Set(asked).size).toBe(asked.length);
          const odds = asked.filter((id) => odd.has(id)).toSorted((a, b) => a - b);
          expect(odds).toEqual(expected.filter((id) => odd.has(id)));
        }
      }),
      { numRuns: Math.ceil(RUNS / 20) },
    );
  });

  it('finds the timed conditions that hold on a day of a span', () => {
    const some = fc.uniqueArray(conditions, { maxLength: 30, selector: (where) => JSON.stringify(where) });
    const spans = fc.tuple(days, fc.integer({ min: 0, max: 40 })).map(([day, more]) => {
      const from = utcDay(day);
      return { from, to: from + more };
    });
    fc.assert(
      fc.property(some, fc.array(fc.tuple(profiles, spans), { maxLength: 8 }), (wheres, people) => {
        const rules = wheres.map((where, id) => ({ id, rule: ruleOf(where) }));
        const set = new RuleSet(rules);
        // Twice, because a set remembers what values meet. A judgement in between makes it remember more.
        const all = people.flatMap(([profile, span]) =>
          [true, false].map((withoutSpecial) => [{ ...profile, withoutSpecial }, span] as const),
        );
        const longer = all.map(([profile, { from, to }]) => [profile, { from, to: to + 9 }] as const);
        for (const [profile, span] of [...all, ...longer, ...all.toReversed()]) {
          set.matching(profile, span.to * DAY_MS);
          const timed = rules.filter(({ rule }) => rule.isTimed && rule.daysOf(profile, span).length > 0);
          const found = set.timed.flatMap((field) => field.during(profile, span));
          expect(found.toSorted((a, b) => a - b)).toEqual(timed.map(({ id }) => id));
        }
      }),
      { numRuns: Math.ceil(RUNS / 20) },
    );
  });
});

describe('two profiles', () => {
  it('differ in the conditions that just one of them meets', () => {
    const some = fc.uniqueArray(conditions, { maxLength: 30, selector: (where) => JSON.stringify(where) });
    fc.assert(
      fc.property(some, profiles, profiles, days, (wheres, one, other, day) => {
        const set = new RuleSet(wheres.map((where, index) => ({ id: index, rule: ruleOf(where) })));
        const [a, b] = [set.byField(one, endOfDay(day)), set.byField(other, endOfDay(day))];
        const met = (profile: ResolvedProfile) =>
          wheres.map((where, index) => (holdsPlainly(where, profile, day) ? index : -1));
        const [byOne, byOther] = [met(one), met(other)];
        const expected = [...wheres.keys()].filter((index) => byOne[index] !== byOther[index]);
        expect(idsBetween(a, b).toSorted((x, y) => x - y)).toEqual(expected);
        const all = byOther.filter((index) => index >= 0);
        expect(idsBetween([], b).toSorted((x, y) => x - y)).toEqual(all);
        expect(idsBetween(b, set.byField(other, endOfDay(day)))).toEqual([]);
      }),
      { numRuns: Math.ceil(RUNS / 20) },
    );
  });
});

describe('the canonical form', () => {
  it('is one for conditions that hold for the same people because their texts are alike', () => {
    fc.assert(
      fc.property(conditions, fc.array(fc.tuple(profiles, days), { maxLength: 5 }), (where, people) => {
        const other = respelled(where);
        expect(canonicalOf(other)).toBe(canonicalOf(where));
        for (const [profile, day] of people)
          expect(holdsFor(ruleOf(other), profile, Date.parse(day))).toBe(
            holdsFor(ruleOf(where), profile, Date.parse(day)),
          );
      }),
      { numRuns: Math.ceil(RUNS / 5) },
    );
  });

  it('differs for conditions of which one holds and the other does not', () => {
    fc.assert(
      fc.property(conditions, conditions, profiles, days, (one, other, profile, day) => {
        if (holdsPlainly(one, profile, day) !== holdsPlainly(other, profile, day))
          expect(canonicalOf(one)).not.toBe(canonicalOf(other));
      }),
      { numRuns: RUNS },
    );
  });
});

/** The same condition in other letters. */
const respelled = (where: Where): Where => {
  const spelled = (text: string): string => ` ${text.normalize('NFD').toLowerCase()}\u00a0`;
  if (where.op === 'starts_with' || where.op === 'contains') return { ...where, value: spelled(where.value) };
  if (where.op === 'eq')
    return typeof where.value === 'string' ? { ...where, value: spelled(where.value) } : where;
  if (where.op !== 'in') return where;
  if (typeof where.value[0] === 'number') return { ...where, value: where.value.toReversed() };
  const texts = where.value.map((text) => spelled(String(text)));
  return { ...where, value: [...texts, ...texts].toReversed() };
};
