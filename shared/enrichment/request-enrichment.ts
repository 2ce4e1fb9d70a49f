import type { RecordOutcome } from '../profiles/types.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Queue } from '../runtime/ports.ts';
import type { Enricher, CachedEnrichers } from './enrichers.ts';
import { messageOf, type Question } from './enrichment-question.ts';

/** Enrichment: asks enrichers about stored records, for every writer of profiles. */
export interface Enrichment {
  /** Whether a property has an enricher that is asked about new people. Its records then need a `trace`. */
  asksAboutNew(property: number): Promise<boolean>;
  /**
   * Queues the questions about records, which depend on the outcome of each record. Returns once the questions are durable.
   * The function can be repeated for the same records.
   */
  request(
    scope: PropertyScope,
    records: readonly AcceptedRecord[],
    outcomes: readonly RecordOutcome[],
  ): Promise<void>;
}

interface EnrichmentDeps {
  readonly enrichers: CachedEnrichers;
  readonly queue: Queue;
  readonly ids: Ids;
}

/** Enrichment that sends its questions through a queue. */
export const enrichmentOf = ({ enrichers, queue, ids }: EnrichmentDeps): Enrichment => ({
  asksAboutNew: async (property) => (await enrichers(property)).some(({ asks }) => asks === 'identity'),
  request: async (scope, records, outcomes) => {
    const known = await enrichers(scope.id);
    if (known.length === 0) return;
    const questions = records.flatMap((record, index) => questionsOf(known, record, outcomes[index]));
    await queue.send(questions.map((question) => messageOf(scope, ids, question)));
  },
});

/**
 * The questions about a record: to enrichers that accept tokens if the record has a token, and to enrichers that accept
 * identities if the record created its person. There are no questions about a refused record or a forgotten person.
 */
export const questionsOf = (
  enrichers: readonly Enricher[],
  { patch, skipAppends = false }: AcceptedRecord,
  outcome: RecordOutcome | undefined,
): readonly Question[] => {
  if (outcome?.kind !== 'created' && outcome?.kind !== 'updated') return [];
  const { identities, socialToken: token } = patch;
  const common = { identities: [...identities], stamp: outcome.stamp, skipAppends };
  return enrichers.flatMap(({ name, asks }): readonly Question[] => {
    if (asks === 'identity') return outcome.kind === 'created' ? [{ ...common, enricher: name }] : [];
    return token === undefined ? [] : [{ ...common, enricher: name, token }];
  });
};
