/** Keep up: goes through the standing work about the people of all properties. */
import { limits } from '../config/limits.ts';
import { NoPropertyDataError, accountOf } from '../properties/items.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { Failures } from '../runtime/failures.ts';
import { inTurn } from '../runtime/turns.ts';
import { forSeconds } from '../runtime/time-budget.ts';
import { allItems } from '../table/all-items.ts';
import { keys } from '../table/keys.ts';
import { deleteOldFiles, type OldFilesDeps } from './delete-old-files.ts';
import { eraseSegment, type EraseSegmentDeps } from './erase-segment.ts';
import { changeUpkeep, endUpkeep, parseUpkeep, type FilesItem, type UpkeepItem } from './upkeep-items.ts';
import { visitPeople, type VisitDeps } from './visit-people.ts';

export interface UpkeepDeps extends VisitDeps, EraseSegmentDeps, OldFilesDeps {
  readonly table: VisitDeps['table'];
  readonly segments: VisitDeps['segments'];
}

const ROUND_MS = limits.rules.fileRoundDays * DAY_MS;

/**
 * Goes on with all work that is due, while there is time. Throws the first failure after the work of the other properties.
 * Returns how many pieces of work it has looked at.
 */
export const keepUp = async (deps: UpkeepDeps, mayGoOn: () => boolean): Promise<number> => {
  const failures = new Failures();
  const listed = (await allItems(deps.table, keys.upkeeps)).map(parseUpkeep);
  const now = deps.clock();
  const due = listed.filter((item) => item.kind === 'erasure' || item.due <= now);
  let looked = 0;
  for (const item of byTurns(due, now)) {
    if (!mayGoOn()) break;
    const hasSlice = forSeconds(deps.clock, limits.rules.sliceSeconds);
    await failures.attempt(() => goOn(deps, item, () => mayGoOn() && hasSlice()));
    looked += 1;
  }
  failures.throwFirst();
  return looked;
};

/** One piece of each property, then another of each that has more: so none waits behind the many pieces of another. */
const byTurns = (due: readonly UpkeepItem[], now: number): readonly UpkeepItem[] => {
  const properties = [...Map.groupBy(due, ({ property }) => property).values()];
  const rounds = inTurn(properties, now).map((own) => [...inTurn(own, now).entries()]);
  return rounds
    .flat()
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
};

/** Goes on with one piece of work. That of a property without data waits until its deletion removes it. */
const goOn = async (deps: UpkeepDeps, item: UpkeepItem, mayGoOn: () => boolean): Promise<void> => {
  try {
    if (item.kind === 'people') await visitPeople(deps, item, mayGoOn);
    else if (item.kind === 'files') await visitFiles(deps, item, mayGoOn);
    else await eraseSegment(deps, item, mayGoOn);
  } catch (failure) {
    if (!(failure instanceof NoPropertyDataError)) throw failure;
  }
};

const visitFiles = async (deps: UpkeepDeps, item: FilesItem, mayGoOn: () => boolean): Promise<void> => {
  const { property } = item;
  const { fileDays: days } = (await deps.scopeOf(property)).rules;
  if (days === null) {
    await endUpkeep(deps.table, item);
    return;
  }
  const account = await accountOf(deps.table, property);
  const { after } = await deleteOldFiles(deps, { account, property, days }, { after: item.after, mayGoOn });
  const next = after === null ? { after: '', due: deps.clock() + ROUND_MS } : { after };
  await changeUpkeep(deps.table, item, next);
};
