import { mapLimited } from '../runtime/pool.ts';
import { PROFILES_PER_BLOCK } from '../table/keys.ts';
import type { SurfacedProfile } from '../profiles/types.ts';
import type { ReadProfiles } from './membership.ts';

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
    const found = new Map<number, SurfacedProfile>();
    const keep = (profiles: ReadonlyMap<number, SurfacedProfile>): void => {
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
