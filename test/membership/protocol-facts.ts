import { storeContent } from '../../shared/catalogue/brand-content.ts';
import { brandKey } from '../../shared/catalogue/brand-keys.ts';
import {
  movePointer,
  openPointer,
  readPointer,
  type VersionPlace,
} from '../../shared/catalogue/brand-pointer.ts';
import { Brands, type BrandContent } from '../../shared/catalogue/brands.ts';
import { BrandVersions } from '../../shared/catalogue/brand-versions.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { derivationsWith } from '../../shared/catalogue/derivation.ts';
import { identityKey } from '../../shared/catalogue/identity.ts';
import type { SegmentIdentity } from '../../shared/catalogue/types.ts';
import { limits } from '../../shared/config/limits.ts';
import type { Journal } from '../../shared/membership/journal.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import { keys } from '../../shared/table/keys.ts';
import type { StoredItem, Table } from '../../shared/table/table.ts';
import { scope } from '../profiles/harness.ts';

/**
 * A new fact that decides segments, in its simplest form: a version of the brand catalogue that only adds a segment. By it
 * whoever likes `NEW` is in a category too. Both pages are of one brand, so that who likes `OLD` already and now likes
 * `NEW` changes no segment of the version before.
 */
export const OLD = 'old';
export const NEW = 'new';

const contentWith = (category: readonly string[]): BrandContent => ({
  pages: [
    { page: OLD, brand: 'Brand', category: [], key: brandKey(OLD), born: 1 },
    { page: NEW, brand: 'Brand', category, key: brandKey(OLD), born: 1 },
  ],
  categories: [],
});
const contents = { before: contentWith([]), after: contentWith(['Category']) };

const brandsAfter = new Brands(2, contents.after);
export const versionsAfter = new BrandVersions(brandsAfter);

/** What decides segments with the fact, for a process that knows nothing else. */
export const derivationsAfter = derivationsWith(() => Promise.resolve(versionsAfter));

/** The segments of whoever likes both pages, by the version with the fact. */
export const factSegments: readonly SegmentIdentity[] = brandsAfter
  .segmentsOf(NEW)
  .map(([, identity]) => identity);

/** The key of the segment that follows from the fact alone. */
export const FACT = factSegments.filter(({ type }) => type === 'CATEGORY').map(identityKey)[0] ?? '';

const placeOf = (version: number, name: keyof typeof contents): VersionPlace => ({
  ...{ version, name, parts: 1 },
  pages: contents[name].pages.length,
});

/** Stores both versions, and puts the first one in force. */
export const storeVersions = async (table: Table): Promise<void> => {
  await storeContent(table, 'before', contents.before);
  await storeContent(table, 'after', contents.after);
  await openPointer(table);
  await movePointer(table, await readPointer(table), { current: placeOf(1, 'before'), next: null });
};

/** An operation on an item that never exists: time may go on until it is answered. */
export const standStill = async (table: Table): Promise<void> => {
  await table.get(keys.profile(scope.id, NOBODY));
};
const NOBODY = 99;

/** Whether the stored pointer says that everybody of the new segment is announced or indexed. */
export const isFilled = (pointer: StoredItem | undefined): boolean => pointer?.['filled'] === true;

interface Preparing {
  readonly table: Table;
  readonly clock: Clock;
  readonly journal: Pick<Journal, 'announce'>;
  readonly attemptId: string;
  readonly ordinal: number;
  /** The time until every profile write knows the fact, from the margin for late writes. */
  readonly waits: (marginMs: number) => number;
}

const MARGIN_MS = limits.segments.journalMarginSeconds * 1000;

/**
 * Puts the fact in place: stores it, and announces the person from before once every profile write knows the fact. The wait
 * begins when the fact is stored for sure. Whoever is called too early leaves the rest to a later call, which no scene has.
 */
export const putInPlace = async (given: Preparing): Promise<void> => {
  const { table, clock, journal, attemptId, ordinal, waits } = given;
  const current = placeOf(2, 'after');
  if (!(await movePointer(table, await readPointer(table), { current, next: null }))) return;
  const known = clock() + waits(MARGIN_MS);
  await standStill(table);
  if (clock() < known) return;
  const pause = (): Promise<void> => Promise.resolve();
  const catalogue = segmentCatalogue({ table, clock, pause, derivations: derivationsAfter });
  const segment = (await catalogue.findIds(scope.id, factSegments)).get(FACT);
  if (segment === undefined) throw new Error('the scenes have a segment that follows from the fact');
  await journal.announce(scope.id, attemptId, [{ segment, ordinal }]);
  await table.write({ kind: 'update', key: keys.brandPointer, set: { filled: true }, expect: {} });
};
