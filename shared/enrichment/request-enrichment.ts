import type { RecordOutcome } from '../profiles/types.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Queue } from '../runtime/ports.ts';
import type { Enricher, CachedEnrichers } from './enrichers.ts';
import { messageOf, type Question } from './enrichment-question.ts';

/** How those who store records have them enriched. */
export interface Enrichment {
  /** Whether somebody is asked about new people in a property; its records then need a `trace`. */
  asksAboutNew(property: number): Promise<boolean>;
  /**
   * Queues what enrichers are to be asked about records, by what became of each. Returns once nothing of it can be lost;
   * may be called again for the same records.
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

/** Enrichment through a queue. */
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
 * What a property's enrichers are asked about a record: those that take tokens when it carries one, those that take
 * identities when it made its person. Nothing about one that was not stored: nobody hands on what was refused, nor
 * whoever was forgotten.
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
