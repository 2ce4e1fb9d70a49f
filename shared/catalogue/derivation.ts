/** Derivation: what decides the segments of the profiles of a property, besides the values of the profiles and the time. */
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Table } from '../table/table.ts';
import { cachedBrandVersions, type BrandVersions, type BrandVersionSource } from './brand-versions.ts';
import type { Brands } from './brands.ts';
import { birthMonths, type Calendar, type HiddenSegment } from './calendars.ts';
import {
  cachedConditions,
  withoutConditions,
  type Conditions,
  type ConditionSource,
} from './conditions/known-conditions.ts';
import { everyoneOf } from './identity.ts';
import type { IndexedIdentity, Segment } from './types.ts';

/** One source of what decides segments. The same object means the same decisions. */
export interface Derivation {
  /** The segment of all profiles. */
  readonly everyone: Segment;
  readonly brands: Brands;
  readonly conditions: Conditions;
  readonly calendars: readonly Calendar[];
  /** The segments of the calendars, by id. */
  readonly hidden: ReadonlyMap<number, HiddenSegment>;
}

/** The identity of a segment that no catalogue names to the index: a condition, or a hidden segment. */
export const identityIn = ({ conditions, hidden }: Derivation, id: number): IndexedIdentity | undefined =>
  conditions.identityOf(id) ?? hidden.get(id);

/** The derivations of a property that are in use, as a process last read them. The same object means the same derivations. */
export class Derivations {
  readonly #versions: BrandVersions;
  readonly #of: ReadonlyMap<Brands, Derivation>;

  constructor(property: number, versions: BrandVersions, conditions = withoutConditions) {
    this.#versions = versions;
    const calendars = [birthMonths(property), ...conditions.calendars];
    const hidden = new Map(calendars.flatMap(({ segments }) => segments.map((one) => [one.id, one])));
    const shared = { everyone: everyoneOf(property), conditions, calendars, hidden };
    this.#of = new Map(versions.all.map((brands) => [brands, { ...shared, brands }]));
  }

  /** All derivations in use. A journal entry must cover the changes by each of them, because either may index it. */
  get all(): readonly Derivation[] {
    return [...this.#of.values()];
  }

  /** The derivation in force at a time (epoch milliseconds). */
  at(now: number): Derivation {
    return this.#with(this.#versions.at(now));
  }

  /** The previous derivation, while the index may still contain memberships by it. */
  previous(now: number): Derivation | undefined {
    const brands = this.#versions.previous(now);
    return brands && this.#with(brands);
  }

  #with(brands: Brands): Derivation {
    const found = this.#of.get(brands);
    if (!found) throw new Error('derivation: a version of the brands that is not in use');
    return found;
  }
}

/** Reads what decides segments. Throws when it cannot be read. */
export interface DerivationSource {
  /** The versions of the brand catalogue, which all properties share. */
  readonly brands: BrandVersionSource;
  /** The derivations of a property, at most `limits.brands.refreshSeconds` old. */
  readonly of: (property: number) => Promise<Derivations>;
}

/** The derivations on the table, cached. */
export const cachedDerivations = (ports: {
  readonly table: Table;
  readonly clock: Clock;
}): DerivationSource => derivationsWith(cachedBrandVersions(ports), cachedConditions(ports));

/** Properties whose derivations a process keeps. */
const CACHED = 1_000;

interface Made {
  readonly versions: BrandVersions;
  readonly conditions: Conditions;
  readonly derivations: Derivations;
}

/** The derivations with these brands and conditions. */
export const derivationsWith = (
  brands: BrandVersionSource,
  conditionsOf: ConditionSource = () => Promise.resolve(withoutConditions),
): DerivationSource => {
  const known = new BoundedMap<number, Made>(CACHED);
  return {
    brands,
    of: async (property) => {
      const [versions, conditions] = await Promise.all([brands(), conditionsOf(property)]);
      const last = known.get(property);
      if (last?.versions === versions && last.conditions === conditions) return last.derivations;
      const derivations = new Derivations(property, versions, conditions);
      known.set(property, { versions, conditions, derivations });
      return derivations;
    },
  };
};
