/** Undo counts: what an undo did to people and values. */
import * as v from 'valibot';

const whole = v.pipe(v.number(), v.safeInteger());

/** The counts in a stored job. They follow from the states after the undo, so a repeated undo counts the same. */
export const undoCounts = v.object({
  /**
   * Values of the job that were removed, values that newer values had replaced before, and withdrawals of consent, which
   * stay. Undos of 0.2.0 kept none.
   */
  values: v.object({ taken_back: whole, replaced: whole, kept: v.optional(whole, 0) }),
  /**
   * People who had nothing but values of the job, people with other values, and people without a value of the job.
   * `not_restored`: of those, the people who did not get everything back that the job had hidden, or kept values of it.
   */
  people: v.object({ removed: whole, changed: whole, unchanged: whole, not_restored: whole }),
});

/** Counts of people and values. */
export type UndoCounts = Readonly<v.InferOutput<typeof undoCounts>>;

/** Nobody and nothing. */
export const noCounts: UndoCounts = {
  values: { taken_back: 0, replaced: 0, kept: 0 },
  people: { removed: 0, changed: 0, unchanged: 0, not_restored: 0 },
};

/** The sum of two counts. */
export const addCounts = (one: UndoCounts, other: UndoCounts): UndoCounts => ({
  values: {
    taken_back: one.values.taken_back + other.values.taken_back,
    replaced: one.values.replaced + other.values.replaced,
    kept: one.values.kept + other.values.kept,
  },
  people: {
    removed: one.people.removed + other.people.removed,
    changed: one.people.changed + other.people.changed,
    unchanged: one.people.unchanged + other.people.unchanged,
    not_restored: one.people.not_restored + other.people.not_restored,
  },
});
