/** Copy members: copies the members of a segment into a moment, and counts them on the way. */
import { limits } from '../config/limits.ts';
import type { Pause } from '../runtime/pause.ts';
import { mapLimited } from '../runtime/pool.ts';
import { encodeChunk, noBits, type Bits, directoryWriter } from '../membership/chunk.ts';
import {
  memberGroups,
  snapshotGroups,
  type MemberGroups,
  type MemberChunk,
} from '../membership/read-members.ts';
import type { SegmentExpression } from '../catalogue/types.ts';
import { chunkOf, groupOf, keys, type Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { changeItem } from '../table/change-item.ts';
import { addCounts, countGroup, noCounts, type Counts } from './moment-counts.ts';

export interface CopyDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/**
 * What to copy: the members of `target` into the segment `moment`, with the changes counted since the moment
 * `previous`.
 */
export interface CopyRequest {
  readonly property: number;
  readonly target: SegmentExpression;
  readonly moment: number;
  readonly previous: number | null;
}

/**
 * Copies the members of a target, chunk by chunk, and counts them. A chunk is inserted only where no chunk is stored. A
 * stored chunk comes from the removal of a forgotten person: then the target is read again, after that chunk, and
 * replaces it.
 */
export const copyMembers = async (deps: CopyDeps, request: CopyRequest): Promise<Counts> => {
  const { table } = deps;
  const { property, target, moment, previous } = request;
  const source = await snapshotGroups(deps, { property, expression: target });
  const before =
    previous === null ? undefined : await memberGroups(table, { property, expression: previous });
  await directoryWriter(deps).ensure(property, new Map([[moment, new Set(source.groups)]]));
  const groups = [...new Set([...source.groups, ...(before?.groups ?? [])])];
  const counts = await mapLimited(groups, limits.segments.groupsAtOnce, async (group) => {
    const then = await before?.read(group);
    const copied = await copyGroup(deps, request, source, group);
    return countGroup(copied, then);
  });
  return counts.reduce(addCounts, noCounts(previous !== null));
};

const copyGroup = async (
  deps: CopyDeps,
  request: CopyRequest,
  source: MemberGroups,
  group: number,
): Promise<readonly MemberChunk[]> => {
  const chunks = await source.read(group);
  const outcomes = await deps.table.writeMany(
    chunks.map(({ base, bits }) => ({
      kind: 'insert',
      key: keyOf(request, base),
      set: { members: encodeChunk(bits) },
    })),
  );
  const copied: MemberChunk[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const read = async () => (await source.read(group)).find(({ base }) => base === chunk.base)?.bits;
    const bits =
      outcomes[index] === 'applied' ? chunk.bits : await rewriteChunk(deps, request, chunk.base, read);
    if (bits) copied.push({ base: chunk.base, bits });
  }
  return copied;
};

/** Replaces a chunk that another writer stored: the stored chunk is read first, then the target. */
const rewriteChunk = (
  deps: CopyDeps,
  request: CopyRequest,
  base: number,
  read: () => Promise<Bits | undefined>,
): Promise<Bits | undefined> =>
  changeItem(deps, { key: keyOf(request, base), what: 'timelines: a chunk of a moment' }, async (item) => {
    const bits = await read();
    if (!bits && !item) return { result: undefined };
    return { result: bits, set: { members: encodeChunk(bits ?? noBits()) } };
  });

const keyOf = ({ property, moment }: CopyRequest, base: number): Key =>
  keys.chunk(property, moment, groupOf(base), chunkOf(base));
