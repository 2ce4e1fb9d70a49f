import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Table } from '../table/table.ts';
import { Brands, noBrands } from './brands.ts';
import { readContent } from './brand-content.ts';
import { readPointer, type BrandPointer, type VersionPlace } from './brand-pointer.ts';

/** The versions of the brand catalogue that are in use, as a process knows them: equal objects, equal knowledge. */
export class BrandVersions {
  readonly #current: Brands;
  readonly #next: Brands | undefined;
  readonly #effective: number;

  constructor(current: Brands, next?: Brands, effective = Number.POSITIVE_INFINITY) {
    this.#current = current;
    this.#next = next;
    this.#effective = effective;
  }

  /** All of them: what is announced must hold whichever one it will be indexed by. */
  get all(): readonly Brands[] {
    return this.#next ? [this.#current, this.#next] : [this.#current];
  }

  /** The version that holds at a time. */
  at(now: number): Brands {
    return this.#next && now >= this.#effective ? this.#next : this.#current;
  }

  /** The version before, as long as memberships of it may be left in the index. */
  previous(now: number): Brands | undefined {
    return this.#next && now >= this.#effective ? this.#current : undefined;
  }
}

/** The versions in use, as they were within `limits.brands.refreshSeconds`. Throws when that cannot be known. */
export type BrandVersionSource = () => Promise<BrandVersions>;

/** Versions on the table, kept in memory; which ones they are is read again and again. */
export const cachedBrandVersions = ({ table, clock }: { table: Table; clock: Clock }): BrandVersionSource => {
  const loaded = new Map<string, Promise<Brands>>();
  let known: { readonly times: BrandVersions; readonly seen: string; readonly until: number } | undefined;
  const load = (place: VersionPlace | null): Promise<Brands> => {
    if (!place) return Promise.resolve(noBrands);
    const loading = loaded.get(place.name) ?? loadBrands(table, place);
    loaded.set(place.name, loading);
    // What could not be read is read again the next time.
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
    // As long as there is no property the first version takes effect at once, so nobody may remember that there is none.
    known = { times, seen, until: w === undefined ? started : started + limits.brands.refreshSeconds * 1000 };
    return times;
  };
};

/** Reads a version. */
export const loadBrands = async (table: Table, place: VersionPlace | null): Promise<Brands> =>
  place ? new Brands(place.version, await readContent(table, place)) : noBrands;
