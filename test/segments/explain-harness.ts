import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Audited } from '../../shared/http/api-types.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { explainMembership } from '../../shared/segments/explain/explain-membership.ts';
import { membershipAnswer, type ExplainQuery } from '../../shared/segments/explain/schemas.ts';
import { indexedHarness } from '../ingest/indexed-harness.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { request, referencesHarness } from '../references/harness.ts';
import { unloadedBrands, withoutBrands } from '../support/brands.ts';

export type Membership = v.InferOutput<typeof membershipAnswer>;

/** Profiles with their real index, custom segments, and the route that explains memberships. */
export const whyHarness = () => {
  const table = new MemoryTable();
  const people = indexedHarness(table);
  const catalogue = segmentCatalogue({ table, ...withoutBrands });
  const explain = (asked: Parameters<typeof explainMembership>[1]) =>
    explainMembership(
      {
        table,
        derivations: unloadedBrands,
        catalogue,
        profiles: profileRepository({ table }),
        scopeOf: () => Promise.resolve(scope),
      },
      asked,
    );
  const ask = async (segment: number | string, profile_uuid: string): Promise<Membership | number> => {
    const path = { segment_id: String(segment), profile_uuid };
    const told: Audited[] = [];
    const announce = (shown: Audited): void => void told.push(shown);
    const answer = await explain({ ...request(undefined, path), now: people.clock.now, announce });
    if (answer.ok && answer.value.audited?.profile_uuid !== profile_uuid)
      throw new Error('the audit log is not told whose membership is shown');
    if (answer.ok && !isDeepStrictEqual(told, [answer.value.audited]))
      throw new Error('whose membership is shown is not announced');
    return answer.ok ? v.parse(membershipAnswer, answer.value.body) : answer.error.status;
  };
  /** Asks by name. Returns the status with the membership, or with the sentence of the refusal. */
  const askByName = async (
    query: ExplainQuery,
    ordinal: number,
    segment_id = 'by-name',
  ): Promise<readonly [number, Membership | string]> => {
    const path = { segment_id, profile_uuid: sealOrdinal(scope.keys.uuid, ordinal) };
    const answer = await explain({ ...request(undefined, path), query, now: people.clock.now });
    return answer.ok
      ? [answer.value.status, v.parse(membershipAnswer, answer.value.body)]
      : [answer.error.status, answer.error.detail];
  };
  return {
    table,
    catalogue,
    people,
    ask,
    askByName,
    customs: referencesHarness(table),
    /** Stores people, indexes them and returns their ordinals. */
    store: async (records: readonly AcceptedRecord[]): Promise<readonly number[]> =>
      (await people.apply(records)).map((outcome) => ('ordinal' in outcome ? outcome.ordinal : -1)),
    why: async (segment: number, ordinal: number): Promise<Membership> => {
      const answer = await ask(segment, sealOrdinal(scope.keys.uuid, ordinal));
      if (typeof answer === 'number') throw new Error(`answered ${answer}`);
      return answer;
    },
    /** The id of the segment of a name. */
    named: async (name: string): Promise<number> =>
      (await catalogue.find(scope.id, name, { limit: 1 })).items[0]?.id ?? 0,
  };
};
export { NOW };
