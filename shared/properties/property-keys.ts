/**
 * Property keys: unwrap the master key of a property (tenant) with KMS and derive its keys, so that tenants are
 * isolated by encryption.
 */
import { hkdfSync } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { systemClock, type Clock } from '../runtime/clock.ts';
import type { PropertyKeys, PropertyScope } from './scope.ts';
import { tableFromEnv } from '../table/dynamo-client.ts';
import type { Env } from '../runtime/env.ts';
import { keyService } from '../runtime/kms-keys.ts';
import type { KeyService } from '../runtime/ports.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { propertyItem, NoPropertyDataError } from './items.ts';
import { readRules, rulesOf } from './rules.ts';

/** Properties whose keys a process caches; beyond it the oldest is dropped. */
const CACHED_PROPERTIES = 1_000;

/**
 * Reads the keys of a property. Throws NoPropertyDataError when the property has no data: callers are routes or jobs that
 * have checked its owner.
 */
export type PropertyScopes = (property: number) => Promise<PropertyScope>;

/** Reads the keys of a property ahead of the use case that needs them; the option `ahead` of a handler. */
export const readKeysAhead = {
  ahead: ({ scopeOf }: { readonly scopeOf: PropertyScopes }, property: number): Promise<unknown> =>
    scopeOf(property),
};

/** The encryption context that KMS binds to the wrapped key of a property. */
export const keyContext = (property: number): Readonly<Record<string, string>> => ({
  property: String(property),
});

/** A scope as a process last read it. */
interface KnownScope {
  readonly reading: Promise<Read>;
  readonly until: number;
}

interface Read {
  readonly scope: PropertyScope;
  readonly wrappedKey: Uint8Array;
}

/**
 * Property scopes from the table and KMS, cached in memory. The master key of a property never changes; its rules are read
 * again after `limits.rules.refreshSeconds`.
 */
export const propertyScopes = (deps: ScopeDeps): PropertyScopes => {
  const cache = new Map<number, KnownScope>();
  return async (property) => {
    const now = deps.clock();
    const known = cache.get(property);
    if (known && now < known.until) return (await known.reading).scope;
    const oldest = known || cache.size < CACHED_PROPERTIES ? undefined : cache.keys().next().value;
    if (oldest !== undefined) cache.delete(oldest);
    const reading = readScope(deps, property, known?.reading);
    const read = { reading, until: now + limits.rules.refreshSeconds * 1_000 };
    cache.set(property, read);
    reading.catch(() => {
      if (cache.get(property) === read) cache.delete(property);
    });
    return (await reading).scope;
  };
};

interface ScopeDeps {
  readonly table: Pick<Table, 'getMany'>;
  readonly keyService: Pick<KeyService, 'decrypt'>;
  readonly clock: Clock;
}

const readScope = async (
  { table, keyService: service }: ScopeDeps,
  property: number,
  before: Promise<Read> | undefined,
): Promise<Read> => {
  const [item, rules] = await table.getMany([keys.property(property), keys.rules(property)]);
  if (!item) throw new NoPropertyDataError('the property has no data');
  const { wrappedKey } = v.parse(propertyItem, item);
  const known = await before?.catch(() => undefined);
  const isSame = known && Buffer.from(wrappedKey).equals(known.wrappedKey);
  const secrets = isSame
    ? known.scope.keys
    : deriveKeys(await service.decrypt(wrappedKey, keyContext(property)));
  return { scope: { id: property, keys: secrets, rules: rulesOf(readRules(rules)) }, wrappedKey };
};

/** The keys of a property, derived by HKDF-SHA256 from its 256-bit master key: one key per use. */
export const deriveKeys = (master: Uint8Array): PropertyKeys => {
  const derive = (info: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', master, new Uint8Array(), info, 32));
  const uuid = derive('tidemark/uuid/1');
  return {
    uuid: { k1: uuid.subarray(0, 16), k2: uuid.subarray(16) },
    claims: derive('tidemark/claims/1'),
    cursors: derive('tidemark/cursors/1'),
    downloads: derive('tidemark/downloads/1'),
    charts: derive('tidemark/charts/1'),
    externalIds: derive('tidemark/external-ids/1'),
    tokens: derive('tidemark/tokens/1'),
  };
};

let fromEnv: PropertyScopes | undefined;

/** Property scopes from the table and the KMS key that the environment names; a process keeps them in memory once. */
export const scopesFromEnv = (env: Env<'TABLE_NAME' | 'PROPERTY_KEY_ID'>): PropertyScopes =>
  (fromEnv ??= propertyScopes({
    table: tableFromEnv(env),
    keyService: keyService(env('PROPERTY_KEY_ID')),
    clock: systemClock,
  }));
