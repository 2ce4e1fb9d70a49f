import type { UseCase } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import { problems, type Problem } from '../http/problem.ts';
import { isoTime } from '../runtime/clock.ts';
import { err, ok } from '../runtime/result.ts';
import { addMoment, type AddMomentDeps } from './add-moment.ts';
import { momentView } from './views.ts';
import { requestIdentityOf } from '../table/idempotent-ids.ts';

export interface CreateMomentDeps extends AddMomentDeps {
  /** The configured address of the service. */
  readonly baseUrl: string;
}

/**
 * `POST timelines/{timeline_id}/moments`: stores the members that the tracked segment has now. 429 while the last
 * moment is too young.
 */
export const createMoment: UseCase<CreateMomentDeps> = async (deps, request) => {
  const { property, path, user, now } = request;
  const requestIdentity = requestIdentityOf(request);
  const timeline = Number(path['timeline_id']);
  const made = await addMoment(deps, {
    property: property.id,
    timeline,
    user,
    requestIdentity: requestIdentity,
  });
  if (made.ok) return ok({ status: 201, body: momentView(deps.baseUrl, property.id, made.value) });

  return err(made.error === 'not_found' ? notFound('timeline', request) : tooEarly(now, made.error.wait));
};

/** 429 with the time at which the next moment may come, in whole seconds. */
const tooEarly = (now: number, wait: number): Problem => {
  const problem = problems.rateLimited('moment_too_early', wait / 1_000);
  const time = isoTime(Math.ceil((now + wait) / 1_000) * 1_000);
  return { ...problem, detail: `The next moment may come at ${time}.` };
};
