/** Upkeep tasks: the standing work about the people and the files of a property, which stays as long as its rules do. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Table } from '../table/table.ts';
import { findTask, replaceTask, type AddTaskDeps, type Task, type TaskRef } from '../tasks/tasks.ts';

const whole = v.pipe(v.number(), v.safeInteger());

/** How far a pass over all people of a property is. Times are in epoch milliseconds. */
const peoplePass = v.object({
  /** When the pass under way began. */
  began: v.nullable(v.number()),
  /** People below this ordinal have been visited. */
  at: whole,
  /** People who are being forgotten. */
  batch: v.array(whole),
  /** People whom this pass has forgotten. */
  forgotten: whole,
  /** The erasure that is the receipt of this pass. */
  erasure: v.nullable(whole),
});
export type PeoplePass = Readonly<v.InferOutput<typeof peoplePass>>;

/** A pass over people that has not begun. */
export const nextPeoplePass: PeoplePass = { began: null, at: 0, batch: [], forgotten: 0, erasure: null };

export const peoplePassOf = ({ state }: Pick<Task, 'state'>): PeoplePass => v.parse(peoplePass, state);

/** How far a pass over the files of a property is. */
const filesPass = v.object({
  began: v.nullable(v.number()),
  /** Objects up to this key have been looked at. */
  after: v.string(),
});
export type FilesPass = Readonly<v.InferOutput<typeof filesPass>>;

/** A pass over files that has not begun. */
export const nextFilesPass: FilesPass = { began: null, after: '' };

export const filesPassOf = ({ state }: Pick<Task, 'state'>): FilesPass => v.parse(filesPass, state);

const refOf = (kind: 'people' | 'files', property: number): TaskRef => ({ kind, property, ids: [] });

const SETTLE_MS = limits.rules.settleSeconds * 1_000;

/**
 * Adds the work that changed rules of a property make, from the beginning. It is due when nobody remembers the earlier
 * rules. A pass under way begins anew, but its receipt is still to come: whom it has forgotten counts. `now` is in
 * milliseconds.
 */
export const listUpkeep = async (deps: AddTaskDeps, property: number, now: number): Promise<void> => {
  const due = now + SETTLE_MS;
  await replaceTask(deps, refOf('people', property), (stored) => {
    const { batch, forgotten, erasure } = stored ? peoplePassOf(stored) : nextPeoplePass;
    return { due, state: { ...nextPeoplePass, batch, forgotten, erasure } };
  });
  await replaceTask(deps, refOf('files', property), () => ({ due, state: nextFilesPass }));
};

/**
 * Puts off the passes over a property that are due or under way until a time (epoch milliseconds). In a restored table the
 * rules are those of then, and so is the time of each profile.
 */
export const postponeUpkeep = async (deps: AddTaskDeps, property: number, until: number): Promise<void> => {
  for (const kind of ['people', 'files'] as const) {
    await replaceTask(deps, refOf(kind, property), (stored) =>
      stored && stored.due < until ? { due: until } : undefined,
    );
  }
};

/** Since when the next pass is under way or due, or when it will begin; undefined without one. */
export interface ShownPass {
  readonly due: number;
  readonly began: number | null;
}

/** The passes over the people and the files of a property. */
export const upkeepOf = async (
  table: Pick<Table, 'get'>,
  property: number,
): Promise<{ readonly people: ShownPass | undefined; readonly files: ShownPass | undefined }> => {
  const [people, files] = await Promise.all([
    findTask(table, refOf('people', property)),
    findTask(table, refOf('files', property)),
  ]);
  return {
    people: people && { due: people.due, began: peoplePassOf(people).began },
    files: files && { due: files.due, began: filesPassOf(files).began },
  };
};
