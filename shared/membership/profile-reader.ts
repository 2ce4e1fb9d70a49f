import { mapLimited } from '../runtime/pool.ts';
import { PROFILES_PER_BLOCK } from '../table/keys.ts';
import type { ResolvedProfile } from '../profiles/types.ts';
import type { BrandVersionSource } from '../catalogue/brand-versions.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import type { Table } from '../table/table.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';

/** The two ways to read profiles: one by one, and a whole block of neighbours. */
export interface ProfileReads {
  readonly readMany: ReadProfiles;
  readonly readDense: ReadProfiles;
}

/**
 * Wanted profiles of a block from which a query of the block is cheaper. A batch get bills each item as 4 KB at least, a
 * query bills the bytes: at 1 KB a profile 256 of them cost as much as 64 single ones.
 */
const DENSE = PROFILES_PER_BLOCK / 4;
/** Blocks read at once. */
const PARALLEL = 4;

/** Reads profiles the cheaper way, block by block. */
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

/**
 * Cuts ascending ordinals into batches of at least `size`, the last one shorter, that end where a block ends: so that no
 * block is asked for twice.
 */
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

/** Profiles by ordinal, read strongly; what is no profile is absent, and so a member of nothing. */
export type ReadProfiles = (
  property: number,
  ordinals: readonly number[],
) => Promise<ReadonlyMap<number, ResolvedProfile>>;

/** What the index needs. `clock` decides age bands, and which version of the brands holds. */
export interface MembershipDeps {
  readonly table: Table;
  readonly catalogue: SegmentCatalogue;
  readonly readProfiles: ReadProfiles;
  readonly brands: BrandVersionSource;
  readonly clock: Clock;
  readonly pause: Pause;
}
