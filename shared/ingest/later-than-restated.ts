/**
 * Requests and restatements: a request is later than everything that was stored when it began. What restates a profile
 * is not in the profile, so the writer behind a request looks for its time.
 */
import { jobOfOrigin } from '../profiles/origin.ts';
import { raisedAbove, type HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import type { Restatements } from './restatements.ts';
import type { Decision, PendingRecord } from './write-plan.ts';

/**
 * The newest time of what restates the profiles that requests are about to change, if a request has no later time: the
 * function that accepted the file has a faster clock. Only a profile with values of an import is ever restated.
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

/** The records with a time after `newest`. */
export const laterThan = (
  newest: HybridTimestamp,
  records: readonly PendingRecord[],
): readonly PendingRecord[] =>
  records.map((one) => ({
    ...one,
    record: { ...one.record, stamp: raisedAbove([newest], one.record.stamp) },
  }));
