import * as v from 'valibot';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Pause } from '../runtime/pause.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';

const GROUP_BYTES = 4;
/** Segments whose groups a writer remembers: what a directory names once, it names for ever. */
const CACHED = 20_000;

const directoryItem = v.object({ w: v.string(), groups: v.instance(Uint8Array) });

/** The groups that a segment's directory names, ascending. */
const groupsOf = (item: StoredItem | undefined): readonly number[] => {
  if (!item) return [];
  const { groups } = v.parse(directoryItem, item);
  const view = new DataView(groups.buffer, groups.byteOffset, groups.byteLength);
  return Array.from({ length: groups.byteLength / GROUP_BYTES }, (_, index) =>
    view.getUint32(index * GROUP_BYTES, true),
  );
};

const encodeGroups = (groups: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(groups.length * GROUP_BYTES);
  const view = new DataView(bytes.buffer);
  groups.forEach((group, index) => view.setUint32(index * GROUP_BYTES, group, true));
  return bytes;
};

/** Groups by segment, as their directories name them now. */
export const readDirectories = async (
  table: Table,
  property: number,
  segments: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> => {
  const items = await table.getMany(segments.map((segment) => keys.directory(property, segment)));
  return new Map(segments.map((segment, index) => [segment, groupsOf(items[index])]));
};

/** Enters groups into directories: what a reader of chunks looks into is named before its first chunk is written. */
export interface DirectoryWriter {
  ensure(property: number, wanted: ReadonlyMap<number, ReadonlySet<number>>): Promise<void>;
}

/** What a writer of directories needs. */
export interface DirectoryDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/** A writer with a memory of what it has seen entered. */
export const directoryWriter = ({ table, pause }: DirectoryDeps): DirectoryWriter => {
  const known = new BoundedMap<number, ReadonlySet<number>>(CACHED);
  return {
    ensure: async (property, wanted) => {
      let missing: readonly Wanted[] = [...wanted].filter(([segment, groups]) => {
        const entered = known.get(segment);
        return [...groups].some((group) => entered?.has(group) !== true);
      });
      for (let round = 0; missing.length > 0; round += 1) {
        await nextRound(pause, round, manyRounds, `segments: ${missing.length} directories`);
        missing = await enter(table, property, missing, known);
      }
    },
  };
};

type Wanted = readonly [segment: number, groups: ReadonlySet<number>];

/** Tries once to enter what is missing; returns what another writer came between. */
const enter = async (
  table: Table,
  property: number,
  wanted: readonly Wanted[],
  known: BoundedMap<number, ReadonlySet<number>>,
): Promise<readonly Wanted[]> => {
  const items = await table.getMany(wanted.map(([segment]) => keys.directory(property, segment)));
  const steps = wanted.map((one, index) => {
    const [segment, groups] = one;
    const stored = new Set(groupsOf(items[index]));
    const all = new Set([...stored, ...groups]);
    const write = all.size === stored.size ? undefined : writeOf(property, segment, all, items[index]);
    return { one, all, write };
  });
  const writes = steps.flatMap(({ write }) => write ?? []);
  const outcomes = await table.writeMany(writes);
  const refused = new Set(writes.filter((_, index) => outcomes[index] === 'refused'));
  return steps.flatMap(({ one, all, write }) => {
    if (write && refused.has(write)) return [one];
    known.set(one[0], all);
    return [];
  });
};

const writeOf = (
  property: number,
  segment: number,
  groups: ReadonlySet<number>,
  item: StoredItem | undefined,
): Write => {
  const key = keys.directory(property, segment);
  const set = { groups: encodeGroups([...groups].sort((a, b) => a - b)) };
  return item ? { kind: 'update', key, set, expect: { w: item.w } } : { kind: 'insert', key, set };
};
