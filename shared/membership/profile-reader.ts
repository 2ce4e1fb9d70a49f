/** Profile reader: reads profiles for the index by key or by block, whichever is cheaper. */
import { mapLimited } from '../runtime/pool.ts';
import { PROFILES_PER_BLOCK } from '../table/keys.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import type { BrandVersionSource } from '../catalogue/brand-versions.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import type { Table } from '../table/table.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';

/** The two ways to read profiles: by key, or a whole block of neighbours by query. */
export interface ProfileReads {
  readonly readMany: ReadProfiles;
  readonly readDense: ReadProfiles;
}

/**
 * The number of wanted profiles in a block from which a query of the whole block is cheaper. A batch get bills at least 4 KB for each
 * item, a query bills the bytes: with profiles of 1 KB, 256 profiles by query cost as much as 64 by key.
 */
const DENSE = PROFILES_PER_BLOCK / 4;
/** Blocks read at once. */
const PARALLEL = 4;

/** Reads the profiles of each block in the cheaper way. */
export const profileReader =
  ({ readMany, readDense }: ProfileReads): ReadProfiles =>
  async (property, ordinals) => {
    const blocks = [...Map.groupBy(ordinals, (ordinal) => Math.floor(ordinal / PROFILES_PER_BLOCK)).values()];
    const sparse = blocks.filter(({ length }) => length < DENSE).flat();
    const dense = blocks.filter(({ length }) => length >= DENSE);
    const found = new Map<number, ResolvedProfile>();
    const keep = (profiles: ReadonlyMap<number, ResolvedProfile>): void => {
      for (const [ordinal, profile] of profiles) found.set(ordinal, profile);
    };
    if (sparse.length > 0) keep(await readMany(property, sparse));
    await mapLimited(dense, PARALLEL, async (block) => keep(await readDense(property, block)));
    return found;
  };

/** Splits ascending ordinals into batches of at least `size` that end at the end of a block, so that no block is read twice. */
export function* blockBatches(ordinals: Iterable<number>, size: number): Generator<number[], void> {
  let batch: number[] = [];
  let block: number | undefined;
  for (const ordinal of ordinals) {
    const own = Math.floor(ordinal / PROFILES_PER_BLOCK);
    if (own !== block && batch.length >= size) {
      yield batch;
      batch = [];
    }
    block = own;
    batch.push(ordinal);
  }
  if (batch.length > 0) yield batch;
}

/** Reads profiles by ordinal, strongly. Ordinals without a profile are absent; they are members of no segment. */
export type ReadProfiles = (
  property: number,
  ordinals: readonly number[],
) => Promise<ReadonlyMap<number, ResolvedProfile>>;

/** `clock` decides age bands, and which version of the brand catalogue is in force. */
export interface MembershipDeps {
  readonly table: Table;
  readonly catalogue: SegmentCatalogue;
  readonly readProfiles: ReadProfiles;
  readonly brands: BrandVersionSource;
  readonly clock: Clock;
  readonly pause: Pause;
}
