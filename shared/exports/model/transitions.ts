/**
 * Transitions of export jobs: the state machine over `status`. Import jobs have a state machine of their own, over
 * `phase`.
 */
import type { ExportJob, JobStatus } from './items.ts';

interface Transition {
  readonly from: readonly JobStatus[];
  readonly to: JobStatus;
}

/**
 * The state machine of an export job. Each transition is one write on condition of the state that was read.
 *
 *     pending ──plan──▶ running ──complete──▶ complete
 *        │                 │
 *        ├──────fail───────┼──▶ failed
 *        └─────cancel──────┴──▶ cancelled
 */
export const transitions = {
  /** The members are frozen and cut into shards. */
  plan: { from: ['pending'], to: 'running' },
  /** The file is durable. */
  complete: { from: ['running'], to: 'complete' },
  /** A step of the workflow cannot succeed. */
  fail: { from: ['pending', 'running'], to: 'failed' },
  /** The client cancels the job, or deletes its definition. */
  cancel: { from: ['pending', 'running'], to: 'cancelled' },
} as const satisfies Readonly<Record<string, Transition>>;
export type TransitionName = keyof typeof transitions;

/** Whether a job is in a state that a transition leads out of. */
export const canMove = ({ status }: Pick<ExportJob, 'status'>, name: TransitionName): boolean => {
  const { from }: Transition = transitions[name];
  return from.includes(status);
};

/** The change of state that a transition makes. */
export const moved = <Name extends TransitionName>(
  name: Name,
): { readonly status: (typeof transitions)[Name]['to'] } => ({ status: transitions[name].to });

/** The states that a job can reach from a state in one step; none from a final state. */
export const nextStatuses = (status: JobStatus): readonly JobStatus[] =>
  Object.values<Transition>(transitions)
    .filter(({ from }) => from.includes(status))
    .map(({ to }) => to);

/** Whether a job has not ended. */
export const isOpen = ({ status }: Pick<ExportJob, 'status'>): boolean => nextStatuses(status).length > 0;
