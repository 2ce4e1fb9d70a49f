/** Rule commands: what a property keeps of people, and for how long. */
import {
  findProperty,
  unknownProperty,
  type AccountDeps,
  type Facts,
  type Outcome,
} from '../auth/accounts.ts';
import { readRules, type StoredRules } from '../properties/rules.ts';
import { listUpkeep, upkeepOf, type ShownPass } from '../retention/upkeep-tasks.ts';
import { isoTime } from '../runtime/clock.ts';
import { err, ok } from '../runtime/result.ts';
import { changeItem } from '../table/change-item.ts';
import { keys } from '../table/keys.ts';

type RuleDeps = Pick<AccountDeps, 'table' | 'credentials' | 'pause' | 'clock'>;

/** A command that changes rules, in whole numbers; 0 ends a rule. */
interface RuleCommand {
  readonly profile_months?: number | undefined;
  readonly file_days?: number | undefined;
  readonly special_categories?: 'on' | 'off' | undefined;
}

/** The rules that a command changes; a rule that it does not name stays. */
export const changedRules = ({
  profile_months: months,
  file_days: days,
  special_categories: special,
}: RuleCommand): Partial<StoredRules> => ({
  ...(months !== undefined && { profile_months: months === 0 ? null : months }),
  ...(days !== undefined && { file_days: days === 0 ? null : days }),
  ...(special !== undefined && { special_categories: special === 'on' }),
});

/**
 * Changes rules of a property. Requests follow them within `limits.rules.refreshSeconds`; what is stored follows when all
 * people and files have been visited, which begins after `limits.rules.settleSeconds`. Refuses an unknown property, and a
 * property that is being deleted.
 */
export const setRules = async (
  deps: RuleDeps,
  property: number,
  changed: Partial<StoredRules>,
): Promise<Outcome> => {
  if (!(await findProperty(deps.credentials, property))) return err(unknownProperty);
  const rules = await changeItem(
    deps,
    { key: keys.rules(property), what: 'accounts: the rules of a property' },
    (item) => {
      const set = { ...readRules(item), ...changed };
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
const shownRules = ({ special_categories, ...rules }: StoredRules): Facts => ({
  ...rules,
  special_categories: special_categories ? 'on' : 'off',
});

/** When a pass begins, or since when it is under way or due; null without one. */
const told = (pass: ShownPass | undefined, now: number): string | null => {
  if (!pass) return null;
  const since = pass.began ?? pass.due;
  return `${since <= now ? 'under way since' : 'begins'} ${isoTime(since)}`;
};
