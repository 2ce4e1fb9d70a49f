/** Restore state: what a restore has done so far, in a file, so that it may be stopped and run again. */
import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { replaceFile } from '../local/core/folder.ts';
import { listedCounters } from '../shared/operator/raise-counters.ts';

/** The steps of a restore, in their order. */
export const stepNames = [
  'check',
  'close',
  'quiet',
  'keep',
  'restore',
  'switch',
  'raise',
  'forget',
  'compare',
  'schedules',
  'audit',
  'report',
  'open',
] as const;
export type StepName = (typeof stepNames)[number];

const time = v.pipe(v.string(), v.isoTimestamp());

/** Schema of the file of a restore. */
export const restoreState = v.strictObject({
  stage: v.string(),
  /** The time to which the data go back. */
  to: time,
  /** The table that the stage uses when the restore begins, and the table that takes its place. */
  source: v.string(),
  target: v.string(),
  /** Whether the table cannot be read, so that nobody knows what its counters have given out. */
  lost: v.boolean(),
  done: v.array(v.picklist(stepNames)),
  /** Whether an operator had closed the stage before. Then it stays closed. */
  was_closed: v.optional(v.boolean()),
  closed_at: v.optional(time),
  /** The counters of the source, when nothing ran any more. */
  counters: v.optional(listedCounters),
  /** What is left for people to do, by the step that found it. */
  left: v.optional(v.record(v.string(), v.array(v.string())), {}),
});
export type RestoreState = v.InferOutput<typeof restoreState>;

/** What a step adds to the state. */
export type StateChange = Partial<Pick<RestoreState, 'was_closed' | 'closed_at' | 'counters'>> & {
  readonly left?: readonly string[];
};

/** Whether a restore has come to its end. */
export const isFinished = ({ done }: RestoreState): boolean => stepNames.every((name) => done.includes(name));

/** Where the state is kept. */
export interface StateFile {
  /** `undefined` when there is none. Throws an error when the file is not a state. */
  read(): RestoreState | undefined;
  write(state: RestoreState): void;
}

/** Name of the file of the restore of a stage. */
export const stateFileOf = (stage: string): string => `.restore.${stage}.json`;

/** A state in a file, which is replaced whole. */
export const stateFile = (path: string): StateFile => ({
  read: () => {
    if (!existsSync(path)) return undefined;
    return v.parse(v.pipe(v.string(), v.parseJson(), restoreState), readFileSync(path, 'utf8'));
  },
  write: (state) => replaceFile(path, `${JSON.stringify(state, undefined, 2)}\n`),
});
