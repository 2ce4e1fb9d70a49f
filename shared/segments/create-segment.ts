import type { NoQuery } from '../http/api-handler.ts';
import type { UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import { err, ok } from '../runtime/result.ts';
import type { UsesDeps } from '../uses/uses.ts';
import type { SegmentCatalogue } from './catalogue.ts';
import { customAnswerOf, refusalProblem } from './custom-answers.ts';
import { addCustom } from './custom-segments.ts';
import { resolveDefinition } from './resolve-definition.ts';
import type { SegmentBody } from './schemas.ts';

/** What making custom segments needs. */
export interface CustomDeps extends UsesDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'getMany'>;
}

/** `POST segments`: a custom segment of others. 422 when one of them is unknown, 409 when there is no room for more. */
export const createSegmentUseCase =
  (deps: CustomDeps): UseCase<NoQuery, SegmentBody> =>
  async ({ property, body: { name, definition }, user, now }) => {
    const resolved = await resolveDefinition(deps, property.id, definition);
    if (!resolved.ok) return err(problems.invalid(resolved.error));
    const { things, ...facts } = resolved.value;
    const draft = { ...facts, name, created: now, created_by: user };
    const made = await addCustom(deps, property.id, { draft, things });
    return made.ok
      ? ok({ status: 201, body: customAnswerOf(made.value) })
      : err(refusalProblem(made.error, definition));
  };
