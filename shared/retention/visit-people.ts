/** Visit people: a pass over all people of a property, which forgets or changes those whom its rules concern. */
import { limits } from '../config/limits.ts';
import { restrictPerson, type RestrictDeps } from '../ingest/restrict-person.ts';
import { needsRule } from '../ingest/use-rules.ts';
import { profileItems, parseEntry } from '../profiles/stored-profile.ts';
import type { PropertyRules } from '../properties/rules.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { batchesOf } from '../runtime/pool.ts';
import { keys, PROFILES_PER_BLOCK } from '../table/keys.ts';
import { readCounter } from '../table/read-counter.ts';
import { eraseOutdated, partsOf, type EraseDeps } from './erase-people.ts';
import { addErasure, nextErasureId } from './erasure-items.ts';
import { storedBefore } from './people-rule.ts';
import { changeUpkeep, endUpkeep, type PeopleItem } from './upkeep-items.ts';

export interface VisitDeps extends EraseDeps {
  readonly segments: RestrictDeps['segments'];
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
}

const ROUND_MS = limits.rules.peopleRoundDays * DAY_MS;

/** People who are changed at the same time. */
const CHANGES_AT_ONCE = 4;

/** Blocks that are read between two writes of progress, where nobody has to be forgotten. */
const BLOCKS_PER_STEP = 16;

/**
 * Goes on with a pass while there is time. Once at the end, the next pass is due after `peopleRoundDays`; without rules about
 * people there is none. Every call may be repeated: whoever is to be forgotten is noted first, so that each person counts
 * once, and of two processes one goes on.
 */
export const visitPeople = async (
  deps: VisitDeps,
  item: PeopleItem,
  mayGoOn: () => boolean,
): Promise<void> => {
  const scope = await deps.scopeOf(item.property);
  const end = await readCounter(deps.table, keys.counter(item.property, 'ordinal'));
  let seen: PeopleItem | undefined =
    item.began === null ? await changeUpkeep(deps.table, item, { began: deps.clock() }) : item;
  for (let blocks = 1; seen && seen.at < end; blocks += 1) {
    if (!mayGoOn()) {
      await changeUpkeep(deps.table, seen, { at: seen.at });
      return;
    }
    const visited = await visitBlock(deps, scope, seen, { end, mayGoOn });
    const isNoted = visited && blocks % BLOCKS_PER_STEP === 0;
    seen = isNoted ? await changeUpkeep(deps.table, visited, { at: visited.at }) : visited;
  }
  if (seen) await endPass(deps, scope, seen);
};

/**
 * Visits the people of one block; undefined when another process goes on with the pass. Without time for all of them the pass
 * stays at this block, where the next call finds the others.
 */
const visitBlock = async (
  deps: VisitDeps,
  scope: PropertyScope,
  item: PeopleItem,
  { end, mayGoOn }: { readonly end: number; readonly mayGoOn: () => boolean },
): Promise<PeopleItem | undefined> => {
  const to = Math.min(end, item.at + PROFILES_PER_BLOCK);
  const { outdated, changing } = await concernedIn(deps, scope, item, to);
  // People of an interrupted part come first: some of them may be forgotten already.
  let seen = item.batch.length > 0 ? await eraseNoted(deps, scope, item) : item;
  for (const batch of partsOf(outdated.filter((ordinal) => !item.batch.includes(ordinal)))) {
    if (!mayGoOn()) return seen;
    const noted: PeopleItem | undefined = seen && (await note(deps, seen, batch));
    seen = noted && (await eraseNoted(deps, scope, noted));
  }
  // Without a commit: nobody waits for the index, so the drainer brings it up to date.
  const { table, clock, pause, journal, brands, segments } = deps;
  const ports = { table, clock, pause, journal, brands, segments };
  for (const some of batchesOf(changing, CHANGES_AT_ONCE)) {
    if (!mayGoOn()) return seen;
    await Promise.all(
      some.map((ordinal) => restrictPerson(ports, scope, ordinal, `rules-${deps.ids.uuid()}`)),
    );
  }
  return seen && { ...seen, at: to };
};

/** Profiles that were last stored before this time are forgotten; null without such a rule. */
const untilOf = (
  { profileMonths }: PropertyRules,
  { began }: Pick<PeopleItem, 'began'>,
  now: number,
): number | null => (profileMonths === null ? null : storedBefore(began ?? now, profileMonths));

/** The people of a block whom the rules concern: those to be forgotten, and those to be changed. */
const concernedIn = async (
  { table, clock }: VisitDeps,
  { id, rules }: PropertyScope,
  item: PeopleItem,
  to: number,
): Promise<{ readonly outdated: readonly number[]; readonly changing: readonly number[] }> => {
  const now = clock();
  const until = untilOf(rules, item, now);
  const [outdated, changing]: [number[], number[]] = [[], []];
  const ordinals = Array.from({ length: to - item.at }, (_, index) => item.at + index);
  for await (const found of profileItems(table, id, ordinals)) {
    for (const [ordinal, stored] of found) {
      const entry = parseEntry(stored);
      if (entry.kind !== 'profile') continue;
      if (until !== null && entry.updatedAt < until) outdated.push(ordinal);
      else if (needsRule(entry.state, rules, now)) changing.push(ordinal);
    }
  }
  return { outdated, changing };
};

/** Notes who is to be forgotten next, under the id of the receipt. */
const note = async (
  { table }: VisitDeps,
  item: PeopleItem,
  batch: readonly number[],
): Promise<PeopleItem | undefined> => {
  const erasure = item.erasure ?? (await nextErasureId(table, item.property));
  return changeUpkeep(table, item, { at: item.at, batch: [...batch], erasure });
};

const eraseNoted = async (
  deps: VisitDeps,
  scope: PropertyScope,
  item: PeopleItem,
): Promise<PeopleItem | undefined> => {
  // Without the rule, nobody of an interrupted part is due any more.
  const until = untilOf(scope.rules, item, deps.clock()) ?? Number.NEGATIVE_INFINITY;
  const forgotten = item.forgotten + (await eraseOutdated(deps, scope, item.batch, until));
  return changeUpkeep(deps.table, item, { batch: [], forgotten });
};

/** Ends a pass: stores its receipt if anybody was forgotten, and says when the next pass begins. */
const endPass = async (
  { table, clock }: VisitDeps,
  { id, rules }: PropertyScope,
  item: PeopleItem,
): Promise<void> => {
  const now = clock();
  const { erasure, began, forgotten } = item;
  if (erasure !== null) {
    const until = untilOf(rules, item, now);
    await addErasure(table, id, {
      ...{ id: erasure, cause: 'retention', segment: null, stored_before: until, members: null },
      ...{ profiles: forgotten, forgotten, at: item.at, created: began ?? now, created_by: null },
      finished: now,
    });
  }
  const isOver = rules.profileMonths === null && rules.specialCategories;
  if (isOver) {
    await endUpkeep(table, item);
  } else {
    const begun = { began: null, at: 0, batch: [], forgotten: 0, erasure: null };
    await changeUpkeep(table, item, { ...begun, due: now + ROUND_MS });
  }
};
