/** Rules of a property: what its customer decides about keeping and using the data of people. An operator sets them. */
import * as v from 'valibot';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';

/** The rules of a property as stored; a property without this item has none. The schema has no bounds: these may change, and what is stored must be read. */
export const storedRules = v.object({
  /** Profiles that nothing has renewed for so many months are forgotten; null: profiles stay. */
  profile_months: v.nullable(v.number()),
  /** Files and reports are deleted after so many days; null: as every property has it. */
  file_days: v.nullable(v.number()),
  /** False: ethnicity and ages under 18 make no segments, and exports have empty cells for them. */
  special_categories: v.boolean(),
  /**
   * When the operator last switched the search by name on, in epoch milliseconds; null: off. Releases before this attribute
   * stored none.
   */
  names_since: v.optional(v.nullable(v.number()), null),
  /** The `names_since` of which a pass over all people has ended: everybody is found. */
  names_ready: v.optional(v.nullable(v.number()), null),
});
export type StoredRules = Readonly<v.InferOutput<typeof storedRules>>;

/** Rules of a property for the code that obeys them. */
export interface PropertyRules {
  readonly profileMonths: number | null;
  readonly fileDays: number | null;
  readonly specialCategories: boolean;
  /** Whether people are found by their last names: writers then store pointers from them. */
  readonly searchNames: boolean;
  /** Whether everybody has these pointers, also who was stored before the search was switched on. */
  readonly allNames: boolean;
}

/** Rules of a property for which nobody has set any. */
export const noRules: StoredRules = {
  ...{ profile_months: null, file_days: null, special_categories: true },
  ...{ names_since: null, names_ready: null },
};

/** The rules in the item of a property; without an item there are none. */
export const readRules = (item: StoredItem | undefined): StoredRules =>
  item ? v.parse(storedRules, item) : noRules;

/** Reads the rules of a property for code that needs no key of it. */
export const rulesIn =
  (table: Pick<Table, 'get'>) =>
  async (property: number): Promise<PropertyRules> =>
    rulesOf(readRules(await table.get(keys.rules(property))));

/** Rules in the form for code. */
export const rulesOf = ({
  profile_months,
  file_days,
  special_categories,
  names_since: since,
  names_ready: ready,
}: StoredRules): PropertyRules => ({
  profileMonths: profile_months,
  fileDays: file_days,
  specialCategories: special_categories,
  searchNames: since !== null,
  allNames: since !== null && ready === since,
});
