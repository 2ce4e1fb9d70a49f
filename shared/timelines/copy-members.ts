import { limits } from '../config/limits.ts';
import type { Pause } from '../runtime/pause.ts';
import { mapLimited } from '../runtime/pool.ts';
import { fewRounds, nextRound } from '../runtime/retry.ts';
import { encodeChunk, noBits, type Bits } from '../membership/chunk.ts';
import { directoryWriter } from '../membership/directory.ts';
import { memberGroups, snapshotGroups, type MemberGroups } from '../membership/member-groups.ts';
import type { MemberChunk } from '../membership/read-window.ts';
import type { SegmentExpression } from '../catalogue/types.ts';
import { chunkOf, groupOf, keys, type Key } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { addCounts, noCounts, countGroup, type Counts } from './moment-counts.ts';

/** What copying needs. */
export interface CopyDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/** Whose members are copied, into which segment, and the moment that they are compared with. */
export interface CopyRequest {
  readonly property: number;
  readonly target: SegmentExpression;
  readonly moment: number;
  readonly previous: number | null;
  /** Called now and then while it goes on; throws to end it. */
  readonly renewLease: () => Promise<void>;
}

/**
 * Copies the members of a target, chunk by chunk, and counts them. A chunk is inserted only where none is. One that is there
 * was put by who takes a forgotten person out: then the target is read again, after it, and written over what was read.
 */
export const copyMembers = async (deps: CopyDeps, order: CopyRequest): Promise<Counts> => {
  const { table } = deps;
  const { property, target, moment, previous } = order;
  const source = await snapshotGroups(deps, { property, expression: target });
  const before =
    previous === null ? undefined : await memberGroups(table, { property, expression: previous });
  await directoryWriter(deps).ensure(property, new Map([[moment, new Set(source.groups)]]));
  const groups = [...new Set([...source.groups, ...(before?.groups ?? [])])];
  const counts = await mapLimited(groups, limits.timelines.groupsAtOnce, async (group) => {
    await order.renewLease();
    const then = await before?.read(group);
    const copied = await copyGroup(deps, order, source, group);
    return countGroup(copied, then);
  });
  return counts.reduce(addCounts, noCounts(previous !== null));
};

const copyGroup = async (
  deps: CopyDeps,
  order: CopyRequest,
  source: MemberGroups,
  group: number,
): Promise<readonly MemberChunk[]> => {
  const chunks = await source.read(group);
  const outcomes = await deps.table.writeMany(
    chunks.map((chunk) => chunkWrite(keyOf(order, chunk.base), chunk.bits, undefined)),
  );
  const copied: MemberChunk[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const read = async () => (await source.read(group)).find(({ base }) => base === chunk.base)?.bits;
    const bits =
      outcomes[index] === 'applied' ? chunk.bits : await rewriteChunk(deps, order, chunk.base, read);
    if (bits) copied.push({ base: chunk.base, bits });
  }
  return copied;
};

/** Writes a chunk that somebody else has written since: what is there is read first, then the target. */
const rewriteChunk = async (
  { table, pause }: CopyDeps,
  order: CopyRequest,
  base: number,
  read: () => Promise<Bits | undefined>,
): Promise<Bits | undefined> => {
  const key = keyOf(order, base);
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, fewRounds, 'timelines: a chunk of a moment');
    const item = await table.get(key);
    const bits = await read();
    if (!bits && !item) return undefined;
    const write = chunkWrite(key, bits ?? noBits(), item);
    if ((await table.write(write)) === 'applied') return bits;
  }
};

const keyOf = ({ property, moment }: CopyRequest, base: number): Key =>
  keys.chunk(property, moment, groupOf(base), chunkOf(base));

const chunkWrite = (key: Key, bits: Bits, item: StoredItem | undefined): Write => {
  const set = { members: encodeChunk(bits) };
  return item ? { kind: 'update', key, set, expect: { w: item.w } } : { kind: 'insert', key, set };
};
