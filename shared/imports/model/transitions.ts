import type { ImportJob, JobPhase } from './import-job.ts';

interface Transition {
  readonly from: readonly JobPhase[];
  readonly to: JobPhase;
}

/**
 * Everything that moves a job from phase to phase: the only ways there are. Each is one write on condition of the state
 * that it was decided by. Drawn in `docs/import-job.svg`.
 */
export const transitions = {
  /** The file of the job has arrived. */
  start: { from: ['awaiting'], to: 'started' },
  /** Its header and columns are as the definition wants them. */
  inspect: { from: ['started'], to: 'readable' },
  /** All of its rows are in batches. */
  split: { from: ['readable'], to: 'split' },
  /** Refused rows of it are sent again. */
  reopen: { from: ['split'], to: 'reopened' },
  /** It cannot be read, or not further. Once all of its rows are in batches, nothing but a worker can find fault with it. */
  fail: { from: ['awaiting', 'started', 'readable'], to: 'failed' },
  /** It was replaced or removed before workers had read all of its rows. */
  lose: { from: ['split'], to: 'failed' },
  /** The client wants no more of it to be stored. */
  cancel: { from: ['open', 'awaiting', 'started', 'readable', 'split', 'reopened'], to: 'cancelled' },
} as const satisfies Readonly<Record<string, Transition>>;
export type TransitionName = keyof typeof transitions;

/** Whether a job is in a phase that a transition leads out of. */
export const canMove = ({ phase }: Pick<ImportJob, 'phase'>, name: TransitionName): boolean => {
  const { from }: Transition = transitions[name];
  return from.includes(phase);
};

/** The change of phase that a transition makes. */
export const moved = (name: TransitionName): { readonly phase: JobPhase } => ({
  phase: transitions[name].to,
});
