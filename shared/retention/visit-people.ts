/** Visit people: a pass over all people of a property, which forgets or changes those whom its rules concern. */
import { limits } from '../config/limits.ts';
import { restrictPerson, type RestrictDeps } from '../ingest/restrict-person.ts';
import { needsRule } from '../ingest/use-rules.ts';
import { profileItems } from '../profiles/profile-items.ts';
import { givePointers, needsPointers } from '../profiles/settle-pointers.ts';
import { parseEntry } from '../profiles/stored-profile.ts';
import { readRules, type PropertyRules } from '../properties/rules.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { batchesOf } from '../runtime/pool.ts';
import { changeItem } from '../table/change-item.ts';
import { keys, PROFILES_PER_BLOCK } from '../table/keys.ts';
import { readCounter } from '../table/read-counter.ts';
import type { Look, Looked } from '../tasks/reconcile.ts';
import type { Task } from '../tasks/tasks.ts';
import { eraseOutdated, partsOf, type EraseDeps } from './erase-people.ts';
import { erasureWrite, nextErasureId } from './erasure-items.ts';
import { storedBefore } from './people-rule.ts';
import { nextPeoplePass, peoplePassOf, type PeoplePass } from './upkeep-tasks.ts';

export interface VisitDeps extends EraseDeps {
  readonly segments: RestrictDeps['segments'];
  readonly deflateFrom: RestrictDeps['deflateFrom'];
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
}

const SETTLE_MS = limits.rules.settleSeconds * 1_000;
const ROUND_MS = limits.rules.peopleRoundDays * DAY_MS;

/** People who are changed at the same time. */
const CHANGES_AT_ONCE = 4;

/** People who get their pointers between two looks at the time. */
const POINTED_AT_ONCE = 64;

/** Blocks that are read between two writes of progress, where nobody has to be forgotten. */
const BLOCKS_PER_STEP = 16;

/** Stores how far a pass is. Returns the pass as it is now; undefined when another process goes on with it. */
const changed = async (
  { save }: Look,
  pass: PeoplePass,
  change: Partial<PeoplePass>,
): Promise<PeoplePass | undefined> => {
  const now = { ...pass, ...change };
  return (await save(now)) ? now : undefined;
};

/**
 * Goes on with a pass while there is time. Once at the end, the next pass is due after `peopleRoundDays`; without rules about
 * people there is none. Every call may be repeated: whoever is to be forgotten is noted first, so that each person counts
 * once, and of two processes one goes on.
 */
export const visitPeople = async (deps: VisitDeps, task: Task, look: Look): Promise<Looked> => {
  const scope = await deps.scopeOf(task.property);
  const end = await readCounter(deps.table, keys.counter(task.property, 'ordinal'));
  const pass = peoplePassOf(task);
  let seen = pass.began === null ? await changed(look, pass, { began: deps.clock() }) : pass;
  for (let blocks = 1; seen && seen.at < end; blocks += 1) {
    if (!look.mayGoOn()) return { state: seen };
    const visited = await visitBlock(deps, scope, seen, { end, look });
    const isNoted = visited && blocks % BLOCKS_PER_STEP === 0;
    seen = isNoted ? await changed(look, visited, {}) : visited;
  }
  return seen ? endPass(deps, scope, seen) : {};
};

/**
 * Visits the people of one block; undefined when another process goes on with the pass. Without time for all of them the pass
 * stays at this block, where the next call finds the others.
 */
const visitBlock = async (
  deps: VisitDeps,
  scope: PropertyScope,
  pass: PeoplePass,
  { end, look }: { readonly end: number; readonly look: Look },
): Promise<PeoplePass | undefined> => {
  const to = Math.min(end, pass.at + PROFILES_PER_BLOCK);
  const { outdated, changing, pointing } = await concernedIn(deps, scope, pass, to);
  // People of an interrupted part come first: some of them may be forgotten already.
  let seen = pass.batch.length > 0 ? await eraseNoted(deps, scope, pass, look) : pass;
  for (const batch of partsOf(outdated.filter((ordinal) => !pass.batch.includes(ordinal)))) {
    if (!look.mayGoOn()) return seen;
    const noted: PeoplePass | undefined = seen && (await note(deps, scope, seen, { batch, look }));
    seen = noted && (await eraseNoted(deps, scope, noted, look));
  }
  // Without a commit: nobody waits for the index, so the drainer brings it up to date.
  const { table, deflateFrom, clock, pause, journal, derivations, segments } = deps;
  const ports = { table, deflateFrom, clock, pause, journal, derivations, segments };
  for (const some of batchesOf(changing, CHANGES_AT_ONCE)) {
    if (!look.mayGoOn()) return seen;
    await Promise.all(
      some.map((ordinal) => restrictPerson(ports, scope, ordinal, `rules-${deps.ids.uuid()}`)),
    );
  }
  for (const some of batchesOf(pointing, POINTED_AT_ONCE)) {
    if (!look.mayGoOn()) return seen;
    const people = some.map((ordinal) => ({ ordinal }));
    await givePointers(deps, scope, people, isRenewing(scope.rules));
  }
  return seen && { ...seen, at: to };
};

/** Profiles that were last stored before this time are forgotten; null without such a rule. */
const untilOf = (
  { profileMonths }: PropertyRules,
  { began }: Pick<PeoplePass, 'began'>,
  now: number,
): number | null => (profileMonths === null ? null : storedBefore(began ?? now, profileMonths));

/** The people of a block whom the rules concern. */
interface Concerned {
  /** Those to be forgotten. */
  readonly outdated: readonly number[];
  /** Those of whom the rules want other segments. */
  readonly changing: readonly number[];
  /** Those who lack a pointer, or have one that must end. */
  readonly pointing: readonly number[];
}

const concernedIn = async (
  { table, clock }: VisitDeps,
  scope: PropertyScope,
  pass: PeoplePass,
  to: number,
): Promise<Concerned> => {
  const { id, rules } = scope;
  const now = clock();
  const until = untilOf(rules, pass, now);
  const [outdated, changing, pointing]: [number[], number[], number[]] = [[], [], []];
  const ordinals = Array.from({ length: to - pass.at }, (_, index) => pass.at + index);
  for await (const found of profileItems(table, id, ordinals)) {
    for (const [ordinal, stored] of found) {
      const entry = parseEntry(stored);
      if (entry.kind !== 'profile') continue;
      if (until !== null && entry.updatedAt < until) {
        outdated.push(ordinal);
      } else {
        if (needsRule(entry.state, rules, now)) changing.push(ordinal);
        if (isRenewing(rules) || needsPointers(scope, entry.state, entry.pointers)) pointing.push(ordinal);
      }
    }
  }
  return { outdated, changing, pointing };
};

/**
 * Whether not everybody is found by name yet. A pass then stores listed pointers once more, because a restore of the table may
 * have brought back a list without its pointers.
 */
const isRenewing = ({ searchNames, allNames }: PropertyRules): boolean => searchNames && !allNames;

/** Notes who is to be forgotten next, under the id of the receipt. */
const note = async (
  { table }: VisitDeps,
  { id }: PropertyScope,
  pass: PeoplePass,
  { batch, look }: { readonly batch: readonly number[]; readonly look: Look },
): Promise<PeoplePass | undefined> => {
  const erasure = pass.erasure ?? (await nextErasureId(table, id));
  return changed(look, pass, { batch: [...batch], erasure });
};

const eraseNoted = async (
  deps: VisitDeps,
  scope: PropertyScope,
  pass: PeoplePass,
  look: Look,
): Promise<PeoplePass | undefined> => {
  // Without the rule, nobody of an interrupted part is due any more.
  const until = untilOf(scope.rules, pass, deps.clock()) ?? Number.NEGATIVE_INFINITY;
  const forgotten = pass.forgotten + (await eraseOutdated(deps, scope, pass.batch, until));
  return changed(look, pass, { batch: [], forgotten });
};

/** Ends a pass: stores its receipt if anybody was forgotten, and says when the next pass begins. */
const endPass = async (
  { table, clock, pause }: VisitDeps,
  { id, rules }: PropertyScope,
  pass: PeoplePass,
): Promise<Looked> => {
  const now = clock();
  if (rules.searchNames && !rules.allNames) await noteNames({ table, pause }, id, pass);
  const { erasure, began, forgotten } = pass;
  if (erasure !== null) {
    const until = untilOf(rules, pass, now);
    const receipt = erasureWrite(id, {
      ...{ id: erasure, cause: 'retention', segment: null, stored_before: until, members: null },
      ...{ profiles: forgotten, forgotten, at: pass.at, created: began ?? now, created_by: null },
      finished: now,
    });
    await table.write(receipt);
  }
  const isOver = rules.profileMonths === null && rules.specialCategories;
  return isOver ? 'done' : { due: now + ROUND_MS, state: nextPeoplePass };
};

/** Notes that everybody is found by name, if the pass began when every process knew that it should be so. */
const noteNames = async (
  deps: Pick<VisitDeps, 'table' | 'pause'>,
  property: number,
  { began }: Pick<PeoplePass, 'began'>,
): Promise<void> => {
  await changeItem(deps, { key: keys.rules(property), what: 'retention: names of a property' }, (item) => {
    const since = readRules(item).names_since;
    const isRight = since !== null && began !== null && began >= since + SETTLE_MS;
    return { result: undefined, ...(isRight && { set: { names_ready: since } }) };
  });
};
