import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { grantedTiers } from '../profiles/types.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** What an enricher is asked about: each record that carries a social token, or each person when a record makes them. */
export const questionKinds = ['social_token', 'identity'] as const;

const enricher = v.object({
  name: v.string(),
  url: v.string(),
  asks: v.picklist(questionKinds),
  /** Trust that its answers may have. */
  tiers: v.array(v.picklist(grantedTiers)),
  /** Encrypted with KMS; `secretContext` names what it is bound to. */
  secret: v.custom<Uint8Array>((value) => value instanceof Uint8Array),
});
/** A service of the customer's that knows more about people, as the operator configured it for a property. */
export type Enricher = Readonly<v.InferOutput<typeof enricher>>;

const enrichersItem = v.object({ w: v.string(), enrichers: v.array(enricher) });

/** The enrichers of a property, and the nonce of the state that was read; none before the first. */
export interface StoredEnrichers {
  readonly enrichers: readonly Enricher[];
  readonly w?: string;
}

/** What KMS binds the secret of an enricher to. */
export const secretContext = (property: number, name: string): Readonly<Record<string, string>> => ({
  purpose: 'enricher-secret',
  property: String(property),
  enricher: name,
});

/** Reads the enrichers of a property. */
export const readEnrichers = async (table: Table, property: number): Promise<StoredEnrichers> => {
  const item = await table.get(keys.enrichers(property));
  return item ? v.parse(enrichersItem, item) : { enrichers: [] };
};

/** Puts other enrichers in the place of those that were read; `false` when they have changed since. */
export const replaceEnrichers = async (
  table: Table,
  property: number,
  { w }: StoredEnrichers,
  enrichers: readonly Enricher[],
): Promise<boolean> => {
  const key = keys.enrichers(property);
  const set = { enrichers: enrichers.map((one) => ({ ...one })) };
  const outcome = await table.write(
    w === undefined ? { kind: 'insert', key, set } : { kind: 'update', key, set, expect: { w } },
  );
  return outcome === 'applied';
};

/** The enrichers of a property, as they were within the last 30 s. */
export type CachedEnrichers = (property: number) => Promise<readonly Enricher[]>;

/** Properties whose enrichers a process holds. */
const CACHED_PROPERTIES = 1_000;

/** Enrichers from the table, kept in memory for `limits.enrichment.cacheSeconds` from before they were read. */
export const cachedEnrichers = ({ table, clock }: { table: Table; clock: Clock }): CachedEnrichers => {
  const cache = new BoundedMap<number, { readonly enrichers: readonly Enricher[]; readonly until: number }>(
    CACHED_PROPERTIES,
  );
  return async (property) => {
    const started = clock();
    const known = cache.get(property);
    if (known && started < known.until) return known.enrichers;
    const { enrichers } = await readEnrichers(table, property);
    cache.set(property, { enrichers, until: started + limits.enrichment.cacheSeconds * 1000 });
    return enrichers;
  };
};
