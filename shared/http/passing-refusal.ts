/** Refusals that pass by themselves: the same request succeeds later. */
import type { Problem } from './problem.ts';

/**
 * A refusal from below the use cases, which none of them can do anything about, like a dependency that is busy. The edge
 * answers with its problem.
 */
export class PassingRefusal extends Error {
  override readonly name = 'PassingRefusal';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}
