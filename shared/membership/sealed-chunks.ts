/**
 * Sealed chunks: the deletion of a value segment seals all chunks of the segment, so that no indexer writes a chunk that
 * it read before. An indexer also inserts new chunks as sealed. Whoever writes to a sealed chunk looks at the segment
 * before, and unseals the chunk.
 */
import { limits } from '../config/limits.ts';
import { mapAhead } from '../runtime/map-ahead.ts';
import { allItems } from '../table/all-items.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { membersIn } from './chunk.ts';
import { readDirectories } from './directory.ts';

/** The attribute of a chunk that nobody writes to without a look at its segment. */
export const sealed = { sealed: true } as const;

/** The attribute of a chunk that is written after such a look. */
export const unsealed = { sealed: null } as const;

export const isSealed = (item: StoredItem | undefined): boolean => item?.['sealed'] === true;

const hasMembers = (item: StoredItem): boolean => membersIn(item).some((word) => word !== 0);

/** The chunks of a segment, group by group. The next groups are read ahead. */
async function* chunksByGroup(
  table: Table,
  property: number,
  segment: number,
): AsyncGenerator<readonly StoredItem[]> {
  const groups = (await readDirectories(table, property, [segment])).get(segment) ?? [];
  yield* mapAhead(groups, limits.segments.groupsAtOnce, (group) =>
    allItems(table, keys.chunk(property, segment, group, 0).pk),
  );
}

/** Whether the index has a member of a segment. Reads up to the first one. */
export const hasMember = async (table: Table, property: number, segment: number): Promise<boolean> => {
  for await (const chunks of chunksByGroup(table, property, segment))
    if (chunks.some(hasMembers)) return true;
  return false;
};

/**
 * Seals the chunks of a segment. `members`: one of them has members. `conflict`: an indexer wrote to one of them at the
 * same time.
 */
export const sealChunks = async (
  table: Table,
  property: number,
  segment: number,
): Promise<'sealed' | 'members' | 'conflict'> => {
  for await (const chunks of chunksByGroup(table, property, segment)) {
    if (chunks.some(hasMembers)) return 'members';
    // Sealed chunks are written as well: the new nonce refuses an indexer that looked at the segment before.
    const writes = chunks.map(({ pk, sk, w }): Write => {
      return { kind: 'update', key: { pk, sk }, set: sealed, expect: { w } };
    });
    if ((await table.writeMany(writes)).includes('refused')) return 'conflict';
  }
  return 'sealed';
};

/** Removes the chunks and the directory of a deleted segment. */
export const removeChunks = async (table: Table, property: number, segment: number): Promise<void> => {
  for await (const chunks of chunksByGroup(table, property, segment))
    await table.writeMany(chunks.map(({ pk, sk }) => ({ kind: 'delete', key: { pk, sk }, expect: {} })));

  await table.write({ kind: 'delete', key: keys.directory(property, segment), expect: {} });
};
