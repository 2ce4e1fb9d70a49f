/**
 * Transitions of import jobs: the state machine over `phase`. Export jobs have a state machine of their own, over
 * `status`.
 */
import type { ImportJob, JobPhase } from './import-job.ts';

interface Transition {
  readonly from: readonly JobPhase[];
  readonly to: JobPhase;
}

/**
 * State machine of a job: all transitions between phases. Each transition is one conditional write: it is refused when
 * the job has changed since it was read. `docs/import-job.svg` shows the diagram.
 */
export const transitions = {
  /** The file of the job has arrived. */
  start: { from: ['awaiting'], to: 'started' },
  /** The header and the columns match the definition. */
  inspect: { from: ['started'], to: 'readable' },
  /** All rows are in batches. */
  split: { from: ['readable'], to: 'split' },
  /** The client sends refused rows again. */
  reopen: { from: ['split'], to: 'reopened' },
  /** The file cannot be read, or not to its end. Once all rows are in batches, only a worker can detect a failure. */
  fail: { from: ['awaiting', 'started', 'readable'], to: 'failed' },
  /** The file was replaced or removed before workers had read all rows. */
  lose: { from: ['split'], to: 'failed' },
  /** A guard of the definition stops a job for batches. The guards judge a file before its rows are in batches. */
  stop: { from: ['open'], to: 'failed' },
  /** The client cancels the job. */
  cancel: { from: ['open', 'awaiting', 'started', 'readable', 'split', 'reopened'], to: 'cancelled' },
} as const satisfies Readonly<Record<string, Transition>>;
export type TransitionName = keyof typeof transitions;

/** Whether a transition starts at the present phase of a job. */
export const canMove = ({ phase }: Pick<ImportJob, 'phase'>, name: TransitionName): boolean => {
  const { from }: Transition = transitions[name];
  return from.includes(phase);
};

/** The attributes that a transition sets. */
export const moved = (name: TransitionName): { readonly phase: JobPhase } => ({
  phase: transitions[name].to,
});
