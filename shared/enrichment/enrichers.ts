/** Enrichers: the enrichers of a property, as stored and as cached, and the questions to them that records raise. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { grantedTiers, type RecordOutcome } from '../profiles/types.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
import { directOrigin } from '../profiles/profile-state.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Queue } from '../runtime/ports.ts';
import { messageOf, type Question } from './enrichment-question.ts';

/** Kinds of questions: for each record with a social token, or for each new person. */
export const questionKinds = ['social_token', 'identity'] as const;

const enricher = v.object({
  name: v.string(),
  url: v.string(),
  asks: v.picklist(questionKinds),
  /** Tiers that its answers may have. */
  tiers: v.array(v.picklist(grantedTiers)),
  /** Encrypted with KMS under the encryption context `secretContext`. */
  secret: v.custom<Uint8Array>((value) => value instanceof Uint8Array),
});

/** Enricher: a service of the customer that knows more about people, as configured by the operator for a property. */
export type Enricher = Readonly<v.InferOutput<typeof enricher>>;

const enrichersItem = v.object({ enrichers: v.array(enricher) });

/** Encryption context of the secret of an enricher, for KMS. */
export const secretContext = (property: number, name: string): Readonly<Record<string, string>> => ({
  purpose: 'enricher-secret',
  property: String(property),
  enricher: name,
});

/** The enrichers in a stored item; none when there is no item. */
export const parseEnrichers = (item: StoredItem | undefined): readonly Enricher[] =>
  item ? v.parse(enrichersItem, item).enrichers : [];

/** Reads the enrichers of a property. */
export const readEnrichers = async (table: Table, property: number): Promise<readonly Enricher[]> =>
  parseEnrichers(await table.get(keys.enrichers(property)));

/** Reads the enrichers of a property; the result can be `limits.enrichment.cacheSeconds` old. */
export type CachedEnrichers = (property: number) => Promise<readonly Enricher[]>;

/** Number of properties whose enrichers a process caches. */
const CACHED_PROPERTIES = 1_000;

/** Reads enrichers from the table, and caches them for `limits.enrichment.cacheSeconds` after the start of the read. */
export const cachedEnrichers = ({ table, clock }: { table: Table; clock: Clock }): CachedEnrichers => {
  const cache = new BoundedMap<number, { readonly enrichers: readonly Enricher[]; readonly until: number }>(
    CACHED_PROPERTIES,
  );
  return async (property) => {
    const started = clock();
    const known = cache.get(property);
    if (known && started < known.until) return known.enrichers;
    const enrichers = await readEnrichers(table, property);
    cache.set(property, { enrichers, until: started + limits.enrichment.cacheSeconds * 1000 });
    return enrichers;
  };
};

/** Enrichment: asks enrichers about stored records, for every writer of profiles. */
export interface Enrichment {
  /** Whether a property has an enricher that is asked about new people. Its records then need a `trace`. */
  asksAboutNew(property: number): Promise<boolean>;
  /**
   * Queues the questions that each record raises, given its outcome. Returns once the questions are durable. Safe to
   * repeat for the same records.
   */
  request(
    scope: PropertyScope,
    records: readonly AcceptedRecord[],
    outcomes: readonly RecordOutcome[],
  ): Promise<void>;
}

export interface EnrichmentDeps {
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
 * identities if the record created its person. There are no questions about a refused record, a forgotten person, or a
 * person who objects to every use.
 */
export const questionsOf = (
  enrichers: readonly Enricher[],
  { patch, skipAppends = false, origin = directOrigin }: AcceptedRecord,
  outcome: RecordOutcome | undefined,
): readonly Question[] => {
  if (outcome?.kind !== 'created' && outcome?.kind !== 'updated') return [];
  if (outcome.warnings.some(({ code }) => code === 'restricted')) return [];
  const { identities, socialToken: token } = patch;
  const common = { identities: [...identities], stamp: outcome.stamp, skipAppends, origin };
  return enrichers.flatMap(({ name, asks }): readonly Question[] => {
    if (asks === 'identity') return outcome.kind === 'created' ? [{ ...common, enricher: name }] : [];
    return token === undefined ? [] : [{ ...common, enricher: name, token }];
  });
};
