/**
 * Requests and restatements: a request is later than everything that was stored when it began. What restates a profile
 * is not in the profile, so the writer behind a request looks for its time.
 */
import type { AcceptedRecord } from '../profiles/contribution.ts';
import { jobOfOrigin } from '../profiles/origin.ts';
import type { RecordOutcome } from '../profiles/types.ts';
import { raisedAbove, type HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import type { Restatements } from './restatements.ts';
import type { Decision } from './write-plan.ts';

/**
 * The newest time of what restated the profiles before requests changed them, if a request has no later time: the function
 * that accepted the file has a faster clock, or accepted it while the request was under way. Only a profile with values of
 * an import is ever restated.
 */
export const newestRestated = (
  restatements: Restatements,
  property: number,
  decisions: readonly Decision[],
): Promise<HybridTimestamp | undefined> => {
  const ordinals: number[] = [];
  let since: HybridTimestamp | undefined;
  for (const { pending, person, stamp, refusal } of decisions) {
    const { entry, ordinal } = person;
    if (refusal || pending.record.latest !== true || entry.kind !== 'profile' || ordinal === undefined)
      continue;
    if (![...entry.state.values()].some(({ origin }) => jobOfOrigin(origin) !== undefined)) continue;
    ordinals.push(ordinal);
    if (since === undefined || stamp < since) since = stamp;
  }
  return since === undefined ? Promise.resolve(undefined) : restatements.newest(property, since, ordinals);
};

/** The records, those of requests with a time after `newest`. */
export const laterThan = (
  newest: HybridTimestamp,
  records: readonly AcceptedRecord[],
): readonly AcceptedRecord[] =>
  records.map((one) => (one.latest === true ? { ...one, stamp: raisedAbove([newest], one.stamp) } : one));

/**
 * The outcome of a record that was stored again with a later time. Only the first time tells what is new about it, unless
 * the person was forgotten since.
 */
export const toldBefore = (outcome: RecordOutcome, first: RecordOutcome | undefined): RecordOutcome => {
  if (!first || !('stamp' in first && 'stamp' in outcome) || first.ordinal !== outcome.ordinal)
    return outcome;
  return { ...first, stamp: outcome.stamp };
};
