/** Definition form: a body defines its people by a definition or by a condition. */
import type { Where } from '../catalogue/conditions/shape.ts';
import { problems, type Problem, type ProblemError } from '../http/problem.ts';
import { err, ok, type Result } from '../runtime/result.ts';

/** What a body may define its people by. */
interface Defined<Definition> {
  readonly definition?: Definition | undefined;
  readonly where?: Where | undefined;
}

/** The one of both that a body has; 422 without one, or with both. */
export const formOf = <Definition>({
  definition,
  where,
}: Defined<Definition>): Result<{ readonly definition: Definition } | { readonly where: Where }, Problem> => {
  if (definition === undefined) return where ? ok({ where }) : err(problems.invalid([noForm]));
  return where ? err(problems.invalid([twoForms])) : ok({ definition });
};

const noForm: ProblemError = {
  pointer: '/definition',
  code: 'required',
  detail: 'Is required, unless the segment is defined by a where.',
};
const twoForms: ProblemError = {
  pointer: '/where',
  code: 'not_allowed',
  detail: 'A segment is defined by a definition or by a where, not by both.',
};
