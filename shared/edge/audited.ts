/** Audited requests: runs a request and stores its audit entry, for `apiHandler`. */
import * as v from 'valibot';
import { isAudited, type AuditedRoute } from '../audit/audited-routes.ts';
import type { AuditedIds, AuditTrail } from '../audit/audit-trail.ts';
import { isUnavailable } from '../runtime/aws-errors.ts';
import type { Result } from '../runtime/result.ts';
import type { ApiAnswer } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';

/** An admitted request. */
export interface AuditedRequest {
  readonly account: number;
  readonly property: number;
  readonly user: number;
  readonly token: string;
  readonly source: string;
  readonly requestId: string;
  readonly now: number;
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Runs a request and stores its audit entry before the answer goes out. A request that shows data of people fails when its
 * entry cannot be stored, so that every such request is on record. The entry of a change goes to the function's log
 * instead, because the change has happened.
 */
export const audited = async (
  trail: () => AuditTrail,
  route: AuditedRoute & { readonly path: string },
  request: AuditedRequest,
  run: () => Promise<Result<ApiAnswer, Problem>>,
): Promise<Result<ApiAnswer, Problem>> => {
  if (!isAudited(route)) return run();
  const { account, requestId, now, path, ...who } = request;
  const showsPeople = route.shows !== undefined;
  const entry = (status: number, answer?: ApiAnswer) => ({
    ...who,
    time: now,
    action: `${route.method} ${route.path}`,
    outcome: String(status),
    request_id: requestId,
    ids: { ...idsIn(path), ...(showsPeople ? {} : madeIn(answer)), ...answer?.audited },
  });
  const seen = async (): Promise<Result<ApiAnswer, Problem>> => {
    const answer = await run();
    if (route.shows === 'person' && answer.ok && answer.value.audited?.profile_uuid === undefined)
      throw new Error(`audit: ${route.path} does not say whose data it shows`);
    return answer;
  };
  const outcome = await seen().catch(async (error: unknown) => {
    await trail().tryAdd(account, entry(isUnavailable(error) ? 503 : 500));
    throw error;
  });
  const told = outcome.ok ? entry(outcome.value.status, outcome.value) : entry(outcome.error.status);
  if (showsPeople) await trail().add(account, told);
  else await trail().tryAdd(account, told);
  return outcome;
};

/** The ids of a path, which admission has checked; the other parameters name kinds of resources. */
const idsIn = (path: AuditedRequest['path']): AuditedIds =>
  Object.fromEntries(Object.entries(path).filter(([name]) => name.endsWith('_id')));

const id = v.optional(v.union([v.string(), v.number()]));
const person = { profile_uuid: id };
const made = v.object({
  id,
  ...person,
  batch_job_uuid: id,
  job_id: id,
  profile: v.optional(v.object(person)),
});

/** Ids in the answer to a change: of the new resource, or of the changed person. */
const madeIn = (answer: ApiAnswer | undefined): AuditedIds => {
  const body = v.safeParse(made, answer?.body);
  if (!body.success) return {};
  const { profile, ...named } = body.output;
  return Object.fromEntries(
    Object.entries({ ...named, ...profile }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
};
