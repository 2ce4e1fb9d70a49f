/** `createProfile`: stores one record through `applyRecords`, for `POST profiles`. */
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { limits } from '../config/limits.ts';
import type { Enrichment } from '../enrichment/enrichers.ts';
import type { ApiAnswer, NoQuery, UseCase } from '../http/api-types.ts';
import { problems, type ProblemError } from '../http/problem.ts';
import { withDeadline } from '../runtime/deadline.ts';
import { batchesOf } from '../runtime/pool.ts';
import { err, ok } from '../runtime/result.ts';
import { workBudget } from '../runtime/work-budget.ts';
import { applyRecords, type ApplyDeps } from './apply-records.ts';
import { segmentsOfRecord } from './record-segments.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
import { tiers, type RecordOutcome, type RecordRefusal } from '../profiles/types.ts';
import { placeholderWarnings } from '../profiles/placeholder-identities.ts';
import { problemError } from '../profiles/record-fault.ts';
import { patchOf } from '../profiles/normalize-record.ts';
import type { SentRecord } from '../profiles/record-schema.ts';
import { stampOf } from '../runtime/hybrid-timestamp.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { sealOrdinal } from '../profiles/profile-uuid.ts';

export interface CreateProfileDeps extends ApplyDeps {
  readonly segments: ApplyDeps['segments'] & Pick<SegmentCatalogue, 'findIds'>;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly enrichment: Enrichment;
}

/**
 * Stores a record on its profile and in the index before it responds: 201 for a new profile, 200 for a known
 * profile, 422 for a record that breaks a rule or would exceed a limit. By then the questions for enrichers are
 * queued.
 */
export const createProfile: UseCase<CreateProfileDeps, NoQuery, SentRecord> = async (
  deps,
  { property, now, body, requestId, requestKey: trace },
) => {
  const patch = patchOf(body, { now, tier: tiers.stated });
  if (!patch.ok) return err(problems.invalid(patch.error.map(problemError)));
  // A process keeps what it reads here. Its first request reads the brands now, so that the writer finds them.
  const [scope, asks] = await Promise.all([
    deps.scopeOf(property.id),
    deps.enrichment.asksAboutNew(property.id),
    deps.derivations.of(property.id),
  ]);
  const traced = asks ? { trace } : {};
  const record = { patch: patch.value, stamp: stampOf(now), latest: true, ...traced };
  if (!(await fitsRequest(deps, scope, { record, now }))) return err(problems.invalid([tooManySegments]));
  // The request id identifies the attempt, not the Idempotency-Key: a repeated request is another attempt.
  const after: (() => Promise<void>)[] = [];
  const trailing = (work: () => Promise<void>): void => void after.push(work);
  const options = { attemptId: `request-${requestId}`, index: 'now', trailing } as const;
  // The record counts as later than every stored value. That is true only while its client waits.
  const life = { clock: deps.clock, until: now + limits.http.timeoutSeconds * 1000 };
  const [outcome] = await withDeadline(life, () => applyRecords(deps, scope, [record], options));
  if (!outcome) throw new Error('profiles: a record has no outcome');
  if (outcome.kind === 'forgotten')
    throw new Error('profiles: a record of this moment is older than a forgetting');
  if (outcome.kind === 'refused') return err(problems.invalid([refusalError(outcome.refusal)]));
  await deps.enrichment.request(scope, [record], [outcome]);
  const warnings = [...placeholderWarnings(patch.value.identities), ...outcome.warnings];
  const answer = storedAnswerOf({ ...outcome, warnings }, scope);
  return ok({ ...answer, trailing: () => Promise.all(after.map((work) => work())) });
};

/**
 * Whether one request may make the segments of a record. Likes make them: one for the page of each, and those of its
 * categories. Only a record with very many of them costs reads.
 */
const fitsRequest = async (
  { segments, derivations }: CreateProfileDeps,
  { id: property, rules }: PropertyScope,
  { record, now }: { readonly record: AcceptedRecord; readonly now: number },
): Promise<boolean> => {
  const { writes, newSegment } = limits.work.request;
  const perLike = 1 + limits.brands.categoryLevels;
  if ((record.patch.likes?.length ?? 0) * perLike * newSegment <= writes) return true;
  const { all } = await derivations.of(property);
  const made = segmentsOfRecord(record, { rules, now, derivations: all });
  if (made.size * newSegment <= writes) return true;
  const work = workBudget(writes);
  for (const batch of batchesOf(made.values(), SEGMENTS_AT_ONCE)) {
    const known = await segments.findIds(property, batch);
    if (!work.take(known.size + (batch.length - known.size) * newSegment)) return false;
  }
  return true;
};

/** Segments that are looked up at once. */
const SEGMENTS_AT_ONCE = 1_000;

const mostSegments = limits.work.request.writes / limits.work.request.newSegment;

const tooManySegments: ProblemError = {
  pointer: '/social_likes',
  code: 'too_many',
  detail: `Would make more than ${mostSegments} new segments in one request; send the likes in several requests, which add up.`,
};

const refusalError = ({ field, code, message }: RecordRefusal): ProblemError => ({
  pointer: field === null ? '' : `/${field}`,
  code,
  detail: message,
});

const storedAnswerOf = (
  { kind, ordinal, warnings }: Extract<RecordOutcome, { kind: 'created' | 'updated' }>,
  scope: PropertyScope,
): ApiAnswer => ({
  status: kind === 'created' ? 201 : 200,
  body: {
    profile_uuid: sealOrdinal(scope.keys.uuid, ordinal),
    ...(warnings.length > 0 ? { warnings: warnings.map(({ code, detail }) => ({ code, detail })) } : {}),
  },
});
