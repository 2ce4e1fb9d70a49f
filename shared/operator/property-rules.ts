/** Rule commands: what a property keeps of people, and for how long. */
import * as v from 'valibot';
import {
  findProperty,
  unknownProperty,
  type AccountDeps,
  type Facts,
  type Outcome,
} from '../auth/accounts.ts';
import { limits } from '../config/limits.ts';
import { idSchema } from '../http/text.ts';
import { readRules, rulesOf, type StoredRules } from '../properties/rules.ts';
import { listUpkeep, upkeepOf, type ShownPass } from '../retention/upkeep-tasks.ts';
import { isoTime } from '../runtime/clock.ts';
import { err, ok } from '../runtime/result.ts';
import { changeItem } from '../table/change-item.ts';
import { keys } from '../table/keys.ts';

type RuleDeps = Pick<AccountDeps, 'table' | 'credentials' | 'pause' | 'clock'>;

/** A rule in whole numbers; 0 ends it. */
const bounded = ({ least, most }: { readonly least: number; readonly most: number }) =>
  v.optional(
    v.pipe(
      v.number(),
      v.check(
        (value) => value === 0 || (Number.isSafeInteger(value) && value >= least && value <= most),
        `Must be a whole number from ${least} to ${most}, or 0 to end the rule.`,
      ),
    ),
  );

/** Rules of a property; one that is not named stays. */
export const ruleParameters = v.pipe(
  v.strictObject({
    property: idSchema,
    profile_months: bounded(limits.rules.profileMonths),
    file_days: bounded(limits.rules.fileDays),
    special_categories: v.optional(v.picklist(['on', 'off'])),
    search_names: v.optional(v.picklist(['on', 'off'])),
  }),
  v.check((asked) => Object.keys(asked).length > 1, 'Name at least one rule.'),
);

/**
 * Changes rules of a property. Requests follow them within `limits.rules.refreshSeconds`; what is stored follows when all
 * people and files have been visited, which begins after `limits.rules.settleSeconds`. Refuses an unknown property, and a
 * property that is being deleted.
 */
export const setRules = async (
  deps: RuleDeps,
  {
    property,
    profile_months: months,
    file_days: days,
    special_categories: special,
    search_names: names,
  }: v.InferOutput<typeof ruleParameters>,
): Promise<Outcome> => {
  if (!(await findProperty(deps.credentials, property))) return err(unknownProperty);
  const rules = await changeItem(
    deps,
    { key: keys.rules(property), what: 'accounts: the rules of a property' },
    (item) => {
      const set = {
        ...readRules(item),
        ...(months !== undefined && { profile_months: months === 0 ? null : months }),
        ...(days !== undefined && { file_days: days === 0 ? null : days }),
        ...(special !== undefined && { special_categories: special === 'on' }),
        // Each `on` begins anew: release 0.2.0 may have stored people since.
        ...(names !== undefined && { names_since: names === 'on' ? deps.clock() : null }),
      };
      return { result: set, set };
    },
  );
  await listUpkeep(deps, property, deps.clock());
  return ok({ property, ...shownRules(rules) });
};

/** A property with its rules. Refuses an unknown property, and a property that is being deleted. */
export const showProperty = async (
  deps: Pick<RuleDeps, 'table' | 'credentials' | 'clock'>,
  property: number,
): Promise<Outcome> => {
  const [owned, rules, { people, files }] = await Promise.all([
    findProperty(deps.credentials, property),
    deps.table.get(keys.rules(property)),
    upkeepOf(deps.table, property),
  ]);
  if (!owned) return err(unknownProperty);
  const { name, account } = owned;
  return ok({
    property,
    name,
    account,
    ...shownRules(readRules(rules)),
    people_pass: told(people, deps.clock()),
    files_pass: told(files, deps.clock()),
  });
};

/** Rules as a command takes them. */
const shownRules = (rules: StoredRules): Facts => {
  const { profile_months, file_days, special_categories } = rules;
  const { searchNames } = rulesOf(rules);
  return {
    ...{ profile_months, file_days },
    special_categories: special_categories ? 'on' : 'off',
    search_names: searchNames ? 'on' : 'off',
  };
};

/** When a pass begins, or since when it is under way or due; null without one. */
const told = (pass: ShownPass | undefined, now: number): string | null => {
  if (!pass) return null;
  const since = pass.began ?? pass.due;
  return `${since <= now ? 'under way since' : 'begins'} ${isoTime(since)}`;
};
