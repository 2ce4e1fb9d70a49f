/** Audited requests: runs a request and stores its audit entry, for `apiHandler`. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { isAudited, type AuditedRoute, type AuditedIds, type AuditTrail } from '../audit/audit-trail.ts';
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
  const entry = (status: number, outcome?: Result<ApiAnswer, Problem>) => ({
    ...who,
    time: now,
    action: `${route.method} ${route.path}`,
    outcome: String(status),
    request_id: requestId,
    ids: { ...idsIn(path), ...(showsPeople ? {} : madeIn(outcome)), ...shownBy(outcome) },
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
  const told = entry(outcome.ok ? outcome.value.status : outcome.error.status, outcome);
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

/** A list as one text, because an entry is small. */
const listed = (ids: readonly (string | number)[]): string =>
  [...new Set(ids)].slice(0, limits.audit.namedIds).join(',');

/** Ids of what an answer shows. A problem names people, too, where it cannot say which of them is meant. */
const shownBy = (outcome: Result<ApiAnswer, Problem> | undefined): AuditedIds => {
  const shown: Readonly<Record<string, string | number | readonly (string | number)[]>> = outcome?.ok
    ? { ...outcome.value.audited }
    : { profile_uuids: peopleIn(outcome?.error) };
  return Object.fromEntries(
    Object.entries(shown).flatMap(([name, ids]) => {
      if (typeof ids === 'string' || typeof ids === 'number') return [[name, ids] as const];
      return ids.length === 0 ? [] : [[name, listed(ids)] as const];
    }),
  );
};

const peopleIn = (problem: Problem | undefined): readonly string[] =>
  (problem?.errors ?? []).flatMap(({ code, detail }) => (code === 'profile_uuid' ? [detail] : []));

/** Ids in the answer to a change: of the new resource, or of the changed person. */
const madeIn = (outcome: Result<ApiAnswer, Problem> | undefined): AuditedIds => {
  const body = v.safeParse(made, outcome?.ok ? outcome.value.body : undefined);
  if (!body.success) return {};
  const { profile, ...named } = body.output;
  return Object.fromEntries(
    Object.entries({ ...named, ...profile }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
};
