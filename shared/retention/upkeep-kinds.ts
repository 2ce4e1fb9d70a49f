/** Upkeep kinds: the looks at erasures, and at the people and files of properties with rules. */
import { limits } from '../config/limits.ts';
import { NoPropertyDataError, accountOf } from '../properties/items.ts';
import { DAY_MS } from '../runtime/clock.ts';
import type { Look, Looked, TaskKind } from '../tasks/reconcile.ts';
import type { Task } from '../tasks/tasks.ts';
import { deleteOldFiles, type OldFilesDeps } from './delete-old-files.ts';
import { eraseSegment, type EraseSegmentDeps } from './erase-segment.ts';
import { filesPassOf, nextFilesPass } from './upkeep-tasks.ts';
import { visitPeople, type VisitDeps } from './visit-people.ts';

export interface UpkeepDeps extends VisitDeps, EraseSegmentDeps, OldFilesDeps {
  readonly table: VisitDeps['table'];
  readonly segments: VisitDeps['segments'];
}

/** The tasks of erasures and of rules. Each goes on where it stopped. */
export const upkeepKinds = (deps: UpkeepDeps) =>
  ({
    people: kindOf((task, look) => visitPeople(deps, task, look)),
    files: kindOf((task, { mayGoOn }) => visitFiles(deps, task, mayGoOn)),
    erasure: kindOf(({ property, ids: [erasure = 0] }, { mayGoOn }) =>
      eraseSegment(deps, { property, erasure }, mayGoOn),
    ),
  }) satisfies Record<string, TaskKind>;

/** A kind whose tasks wait, in a property without data, until the deletion of the property removes them. */
const kindOf = (goOn: (task: Task, look: Look) => Promise<Looked>): TaskKind => ({
  pauseSeconds: limits.rules.pauseSeconds,
  look: async (task, look) => {
    try {
      return await goOn(task, look);
    } catch (failure) {
      if (!(failure instanceof NoPropertyDataError)) throw failure;
      return {};
    }
  },
});

const ROUND_MS = limits.rules.fileRoundDays * DAY_MS;

const visitFiles = async (deps: UpkeepDeps, task: Task, mayGoOn: () => boolean): Promise<Looked> => {
  const { property } = task;
  const { fileDays: days } = (await deps.scopeOf(property)).rules;
  if (days === null) return 'done';
  const account = await accountOf(deps.table, property);
  const pass = filesPassOf(task);
  const began = pass.began ?? deps.clock();
  const rule = { account, property, days };
  const { after } = await deleteOldFiles(deps, rule, { after: pass.after, mayGoOn });
  return after === null
    ? { due: deps.clock() + ROUND_MS, state: nextFilesPass }
    : { state: { began, after } };
};
