/** Versions of the brand catalogue: the current one, and the next one while it is put in place. */
import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Table } from '../table/table.ts';
import { Brands, noBrands } from './brands.ts';
import { readContent } from './brand-content.ts';
import { readPointer, type BrandPointer, type VersionPlace } from './brand-pointer.ts';

/**
 * The versions of the brand catalogue that are in use, as a process last read them. The same object means the same
 * versions.
 */
export class BrandVersions {
  readonly #current: Brands;
  readonly #next: Brands | undefined;
  readonly #effective: number;

  constructor(current: Brands, next?: Brands, effective = Number.POSITIVE_INFINITY) {
    this.#current = current;
    this.#next = next;
    this.#effective = effective;
  }

  /** All versions in use. A journal entry must cover the changes by each of them, because either may index it. */
  get all(): readonly Brands[] {
    return this.#next ? [this.#current, this.#next] : [this.#current];
  }

  /** The version in force at a time. */
  at(now: number): Brands {
    return this.#next && now >= this.#effective ? this.#next : this.#current;
  }

  /** The previous version, while the index may still contain memberships by it. */
  previous(now: number): Brands | undefined {
    return this.#next && now >= this.#effective ? this.#current : undefined;
  }
}

/** Reads the versions in use, at most `limits.brands.refreshSeconds` old. Throws when they cannot be read. */
export type BrandVersionSource = () => Promise<BrandVersions>;

/** The versions on the table, cached. The pointer that names them is read again after each refresh interval. */
export const cachedBrandVersions = ({ table, clock }: { table: Table; clock: Clock }): BrandVersionSource => {
  const loaded = new Map<string, Promise<Brands>>();
  let known: { readonly times: BrandVersions; readonly seen: string; readonly until: number } | undefined;
  const load = (place: VersionPlace | null): Promise<Brands> => {
    if (!place) return Promise.resolve(noBrands);
    const loading = loaded.get(place.name) ?? loadBrands(table, place);
    loaded.set(place.name, loading);
    // A failed read is repeated by the next caller.
    loading.catch(() => loaded.delete(place.name));
    return loading;
  };
  const timesOf = async ({ current, next }: BrandPointer): Promise<BrandVersions> => {
    const names = [current?.name, next?.name];
    for (const name of loaded.keys()) if (!names.includes(name)) loaded.delete(name);
    const brands = await load(current);
    return next
      ? new BrandVersions(brands, await load(next), next.effective ?? undefined)
      : new BrandVersions(brands);
  };
  return async () => {
    const started = clock();
    if (known && started < known.until) return known.times;
    const { w, current, next } = await readPointer(table);
    const seen = JSON.stringify([current, next]);
    const times = known?.seen === seen ? known.times : await timesOf({ current, next });
    // Without a property the first version takes effect at once, so "there is no version" must not be cached.
    known = { times, seen, until: w === undefined ? started : started + limits.brands.refreshSeconds * 1000 };
    return times;
  };
};

export const loadBrands = async (table: Table, place: VersionPlace | null): Promise<Brands> =>
  place ? new Brands(place.version, await readContent(table, place)) : noBrands;
