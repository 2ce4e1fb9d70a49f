/** Enrichers: the enrichers of a property, as stored and as cached. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { grantedTiers } from '../profiles/types.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';

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

/** Reads the enrichers of a property; the result can be up to 30 s old. */
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
