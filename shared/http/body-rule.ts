import type { ProblemError } from './problem.ts';

/**
 * A rule over several fields of a body, or over parts that a schema cannot judge. It judges the valid parts of a body that
 * has faults elsewhere, as sent, so that a client learns all faults at once. Its use case applies the same rule to a valid
 * body. `now` is in epoch milliseconds.
 */
export type BodyRule = (sent: unknown, now: number) => readonly ProblemError[];
