/** Audited requests: runs a request and stores its audit entry, for `apiHandler`. */
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import {
  isAudited,
  type AuditedRoute,
  type AuditedIds,
  type AuditEntry,
  type AuditTrail,
  type EntryPlace,
} from '../audit/audit-trail.ts';
import { isUnavailable } from '../runtime/aws-errors.ts';
import { ok, type Result } from '../runtime/result.ts';
import type { Announce, ApiAnswer, Audited } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';

/** An admitted request. */
export interface AuditedRequest {
  readonly account: number;
  /** The rate that an operator has set for the account. */
  readonly requestsPerSecond: number | undefined;
  /** Absent on a route about the caller. */
  readonly property?: number;
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
 *
 * A request that announces the person whom it is about to show has its entry stored beside the read. If the answer is
 * another one, a later entry of the request says so, and lists show that one alone. So the log may say more than was
 * shown, and never less.
 */
export const audited = async (
  trail: () => AuditTrail,
  route: AuditedRoute & { readonly path: string },
  request: AuditedRequest,
  run: (announce?: Announce) => Promise<Result<ApiAnswer, Problem>>,
): Promise<Result<ApiAnswer, Problem>> => {
  if (!isAudited(route)) return run();
  const { account, requestsPerSecond, requestId, now, path, ...who } = request;
  const showsPeople = route.shows !== undefined;
  const entry = (status: number, outcome?: Result<ApiAnswer, Problem>): AuditEntry => ({
    ...who,
    time: now,
    action: `${route.method} ${route.path}`,
    outcome: String(status),
    request_id: requestId,
    ids: { ...idsIn(path), ...(showsPeople ? {} : madeIn(outcome)), ...shownBy(outcome) },
  });
  let announced: Announced | undefined;
  const announce = (shown: Audited): void => {
    if (announced) return;
    const told = entry(200, ok({ status: 200, audited: shown }));
    const stored = trail().add(account, told, { requestsPerSecond });
    announced = { told, stored, settled: stored.catch(() => undefined) };
  };
  const place = (): EntryPlace => ({ requestsPerSecond, isLater: announced !== undefined });
  const seen = async (): Promise<Result<ApiAnswer, Problem>> => {
    const answer = await run(route.shows === 'person' ? announce : undefined);
    if (route.shows === 'person' && answer.ok && answer.value.audited?.profile_uuid === undefined)
      throw new Error(`audit: ${route.path} does not say whose data it shows`);
    return answer;
  };
  try {
    const outcome = await seen().catch(async (error: unknown) => {
      await trail().tryAdd(account, entry(isUnavailable(error) ? 503 : 500), place());
      throw error;
    });
    const told = entry(outcome.ok ? outcome.value.status : outcome.error.status, outcome);
    if (announced && isDeepStrictEqual(announced.told, told)) await announced.stored;
    else if (showsPeople) await trail().add(account, told, place());
    else await trail().tryAdd(account, told, place());
    return outcome;
  } finally {
    // No call outlives the answer: Lambda freezes a function that has answered.
    await announced?.settled;
  }
};

/** An entry that is stored beside the read of the person in it. */
interface Announced {
  readonly told: AuditEntry;
  readonly stored: Promise<void>;
  /** Resolves when it is stored or refused. */
  readonly settled: Promise<void>;
}

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
