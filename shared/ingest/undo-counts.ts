/** Undo counts: what an undo did to people and values. */

/** Counts of people and values. They follow from the states after the undo, so a repeated undo counts the same. */
export interface UndoCounts {
  readonly values: {
    readonly taken_back: number;
    readonly replaced: number;
    /** Withdrawals of consent, which no undo takes back. */
    readonly kept: number;
  };
  readonly people: {
    readonly removed: number;
    readonly changed: number;
    readonly unchanged: number;
    /** Of those, the people who did not get everything back that the job had hidden, or kept values of the job. */
    readonly not_restored: number;
  };
}

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
