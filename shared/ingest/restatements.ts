/**
 * Restatements: keeps the records that restate stored profiles beside the people whom they are about, and merges them for
 * whoever writes an older value there. An item has the records of one write about the people of one block.
 */
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import {
  emptyState,
  mergeStates,
  type State,
  dominatorsOf,
  registerKey,
  type LwwRegister,
  stateOf,
  jobOfOrigin,
  sourceOfOrigin,
} from '../profiles/profile-state.ts';
import { DAY_MS, ttlAt, type Clock } from '../runtime/clock.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import { mapLimited } from '../runtime/pool.ts';
import { blockOf, keys } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { itemsOf, pagesOf } from '../runtime/pages.ts';
import { showSameWinners } from '../profiles/resolve-profile.ts';
import { encodeRegisters, registerGroups, registersIn } from '../profiles/stored-profile.ts';

/** A person whose records of a batch restate the stored profile. */
export interface Restatement {
  readonly ordinal: number;
  /** The stored state. */
  readonly stored: State;
  /** The contributions of the records. */
  readonly records: readonly State[];
  /** Size of the stored state: a write would change only times and jobs in it. */
  readonly bytes: number;
}

/**
 * Whether records leave a stored state as it is, apart from the time and the job of its registers: each register of the
 * records is restated or hidden, no removal among them removes anything, and no older identity or consent becomes the newest.
 */
export const isRestatement = (stored: State, records: readonly State[]): boolean => {
  const isRepeated = (register: LwwRegister): boolean =>
    isRestated(stored, register) || dominatorsOf(stored, register).length > 0;
  if (!records.every((record) => [...record.values()].every(isRepeated))) return false;
  const merged = records.reduce(mergeStates, stored);
  return merged.size === stored.size && showSameWinners(stored, merged);
};

/** Whether a state has a register of an earlier job of the same definition that says the same. */
const isRestated = (stored: State, register: LwwRegister): boolean => {
  const earlier = stored.get(registerKey(register));
  return (
    earlier !== undefined &&
    earlier.stamp <= register.stamp &&
    earlier.tier === register.tier &&
    jobOfOrigin(earlier.origin) !== undefined &&
    sourceOfOrigin(earlier.origin) === sourceOfOrigin(register.origin) &&
    isDeepStrictEqual(earlier.value, register.value)
  );
};

/** The registers of one record that repeat values, with the job of the record and the jobs whose values they repeat. */
export interface Restated {
  readonly job: number;
  readonly earlier: ReadonlySet<number>;
  readonly newest: HybridTimestamp;
  readonly registers: readonly LwwRegister[];
}

/** What each record of a restatement repeats. A record of which everything is hidden repeats nothing. */
const restatedBy = ({ stored, records }: Restatement): readonly Restated[] =>
  records.flatMap((record) => {
    const registers = [...record.values()].filter((register) => isRestated(stored, register));
    const [first] = registers;
    const job = first && jobOfOrigin(first.origin);
    if (!first || job === undefined) return [];
    const earlier = registers.flatMap(
      (register) => jobOfOrigin(stored.get(registerKey(register))?.origin ?? '') ?? [],
    );
    // All registers of a record have its timestamp.
    return [{ job, earlier: new Set(earlier), newest: first.stamp, registers }];
  });

/**
 * Whether a state has all identities of a record. A writer that lost a race may have stored the record at somebody else,
 * after it had noted the record here.
 */
const holdsAll = (state: State, record: State): boolean =>
  [...record].every(([key, { area }]) => area !== 'identity' || state.has(key));

/** Restatements of one job about people of one block. */
export interface RestatementBlock {
  readonly block: number;
  /** The job that repeats the values. */
  readonly job: number;
  /** The jobs that brought the values. */
  readonly earlier: ReadonlySet<number>;
  /** The newest timestamp of a repeated value. */
  readonly newest: HybridTimestamp;
  /** The records, encoded. `recordsIn` reads them. */
  readonly records: Uint8Array;
}

/** Restatements by the cheaper of two ways: in blocks beside the profiles, or as writes of the profiles. */
interface CheapestWrites {
  readonly blocks: readonly RestatementBlock[];
  /** The people whose profiles are written. */
  readonly written: ReadonlySet<Restatement>;
}

/** Text of the records of an item. A larger block takes several items, because an item ends at 400 KB. */
const ITEM_CHARACTERS = 300_000;

/** A write costs a unit for each KB that it begins (Amazon DynamoDB, "Read/write capacity"). */
const UNIT_BYTES = 1_024;

/** Bytes of an item beside its records: the names of its attributes, its key, its job and its expiry. */
const ITEM_BYTES = 150;

/**
 * Chooses the cheaper way for each block, by write units. A file in the order of an earlier one restates whole blocks, for
 * a few units each. The people of a file in another order are strewn over many blocks; then their profiles are written,
 * and nobody has to read a block for one record.
 */
export const cheapestWrites = (restatements: readonly Restatement[]): CheapestWrites => {
  const blocks: RestatementBlock[] = [];
  const written = new Set<Restatement>();
  for (const people of Map.groupBy(restatements, ({ ordinal }) => blockOf(ordinal)).values()) {
    const encoded = blocksOf(people);
    const beside = sum(encoded, ({ records }) => unitsOf(ITEM_BYTES + records.length));
    if (beside < sum(people, ({ bytes }) => unitsOf(bytes))) blocks.push(...encoded);
    else for (const person of people) written.add(person);
  }
  return { blocks, written };
};

const unitsOf = (bytes: number): number => Math.ceil(bytes / UNIT_BYTES);

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

interface Draft {
  readonly block: number;
  readonly job: number;
  readonly earlier: Set<number>;
  newest: HybridTimestamp;
  readonly lines: string[];
  characters: number;
}

/** The blocks of restatements, whatever they cost. */
export const blocksOf = (restatements: readonly Restatement[]): readonly RestatementBlock[] => {
  const drafts = new Map<string, Draft>();
  const blocks: RestatementBlock[] = [];
  const end = ({ block, job, earlier, newest, lines }: Draft): void => {
    blocks.push({ block, job, earlier, newest, records: encoded(lines) });
  };
  for (const restatement of restatements) {
    const block = blockOf(restatement.ordinal);
    for (const { job, earlier, newest, registers } of restatedBy(restatement)) {
      const line = JSON.stringify([restatement.ordinal, encodeRegisters(registers)]);
      const name = `${block} ${job}`;
      let draft = drafts.get(name);
      if (draft && draft.characters + line.length > ITEM_CHARACTERS) {
        end(draft);
        draft = undefined;
      }
      draft ??= { block, job, earlier: new Set(), newest, lines: [], characters: 0 };
      for (const one of earlier) draft.earlier.add(one);
      if (newest > draft.newest) draft.newest = newest;
      draft.lines.push(line);
      draft.characters += line.length;
      drafts.set(name, draft);
    }
  }
  for (const draft of drafts.values()) end(draft);
  return blocks;
};

/** The jobs whose values these blocks repeat. */
const restatedJobs = (blocks: readonly RestatementBlock[]): readonly number[] => [
  ...new Set(blocks.flatMap(({ earlier }) => [...earlier])),
];

const line = v.strictTuple([v.number(), registerGroups]);

const linesIn = (bytes: Uint8Array): readonly string[] => gunzipSync(bytes).toString('utf8').split('\n');

const encoded = (lines: readonly string[]): Uint8Array => gzipSync(lines.join('\n'), { level: 1 });

/** The repeated registers of each record of a block, with the ordinal of its person. */
export function* recordsIn(
  bytes: Uint8Array,
): Generator<{ readonly ordinal: number; readonly record: State }> {
  for (const text of linesIn(bytes)) {
    const [ordinal, groups] = v.parse(line, JSON.parse(text));
    yield { ordinal, record: stateOf(registersIn(groups)) };
  }
}

const anybody = v.looseTuple([v.number()]);

/**
 * The records of a block without those of some people; `undefined` in `rest` when nobody else is in it. The other records
 * stay as they are.
 */
const recordsWithout = (
  bytes: Uint8Array,
  ordinals: ReadonlySet<number>,
): { readonly removed: number; readonly rest: Uint8Array | undefined } => {
  const lines = linesIn(bytes);
  const rest = lines.filter((text) => !ordinals.has(v.parse(anybody, JSON.parse(text))[0]));
  return { removed: lines.length - rest.length, rest: rest.length === 0 ? undefined : encoded(rest) };
};

/** Restatements as writers and undos of profiles use them. */
export interface Restatements {
  /** Chooses what is stored for restatements: blocks, or the profiles. */
  readonly choose: (restatements: readonly Restatement[]) => CheapestWrites;
  /**
   * Stores blocks of restatements. `name` is unique per call, and made of ids. Returns those of the restated jobs that are
   * being undone, or were undone: their undo may not see the blocks, so the writer plans again. Otherwise the writer looks
   * whether the profiles are still as they were.
   */
  add(property: number, name: string, blocks: readonly RestatementBlock[]): Promise<ReadonlySet<number>>;
  /**
   * What restated these profiles, by ordinal, with values at least as new as `since`: the merge of all records but those
   * of undone jobs. A record counts only at a profile that has all of its identities.
   */
  over(
    property: number,
    since: HybridTimestamp,
    profiles: ReadonlyMap<number, State>,
  ): Promise<ReadonlyMap<number, State>>;
  /**
   * The newest time of what restated these people or their neighbours, if it is not before `since`. A request is later
   * than everything that was stored when it began, also than what only a restatement says.
   */
  newest(
    property: number,
    since: HybridTimestamp,
    ordinals: readonly number[],
  ): Promise<HybridTimestamp | undefined>;
}

/** Ports of restatements. */
export interface RestatementsDeps {
  readonly table: Pick<Table, 'writeMany' | 'query'>;
  readonly clock: Clock;
  /** Those of the jobs of a property whose undo has begun. */
  readonly undoneAmong: (property: number, jobs: readonly number[]) => Promise<ReadonlySet<number>>;
}

const KEPT_MS = limits.imports.restatementDays * DAY_MS;

const BLOCKS_AT_ONCE = 8;

/** Behind the time in a sort key. */
const SEPARATOR = '#';

const timeOf = (sk: string): HybridTimestamp => sk.slice(0, sk.indexOf(SEPARATOR));

const restatementItem = v.object({ job: v.number(), records: v.instance(Uint8Array) });

/** The restatements in the table. */
export const restatementsIn = ({ table, clock, undoneAmong }: RestatementsDeps): Restatements => ({
  choose: cheapestWrites,
  add: async (property, name, blocks) => {
    if (blocks.length === 0) return new Set();
    const ttl = ttlAt(clock() + KEPT_MS);
    await table.writeMany(
      blocks.map(({ block, job, newest, records }, part) => ({
        kind: 'insert',
        key: keys.restatement(property, block, `${newest}${SEPARATOR}${name}-${part}`),
        set: { job, records, ttl },
      })),
    );
    // An undo marks its job before it reads. So either the undo finds the blocks, or this read finds the mark.
    return undoneAmong(property, restatedJobs(blocks));
  },
  over: async (property, since, profiles) => {
    const found = new Map<number, State>();
    const marks = new Map<number, Promise<ReadonlySet<number>>>();
    const isUndone = async (job: number): Promise<boolean> => {
      const known = marks.get(job) ?? undoneAmong(property, [job]);
      marks.set(job, known);
      return (await known).has(job);
    };
    const merge = (bytes: Uint8Array): void => {
      for (const { ordinal, record } of recordsIn(bytes)) {
        const profile = profiles.get(ordinal);
        if (profile && holdsAll(profile, record))
          found.set(ordinal, mergeStates(found.get(ordinal) ?? emptyState, record));
      }
    };
    const blocks = [...new Set([...profiles.keys()].map(blockOf))];
    await mapLimited(blocks, BLOCKS_AT_ONCE, async (block) => {
      const { pk, sk: from } = keys.restatement(property, block, since);
      for await (const item of itemsOf((after) => table.query(pk, { from, after }))) {
        const { job, records } = v.parse(restatementItem, item);
        if (!(await isUndone(job))) merge(records);
      }
    });
    return found;
  },
  newest: newestIn(table),
});

const newestIn =
  (table: Pick<Table, 'query'>): Restatements['newest'] =>
  async (property, since, ordinals) => {
    const pages = await mapLimited([...new Set(ordinals.map(blockOf))], BLOCKS_AT_ONCE, (block) => {
      const { pk, sk: from } = keys.restatement(property, block, since);
      return table.query(pk, { from, descending: true, limit: 1 });
    });
    const times = pages.flatMap(({ items }) => items.map(({ sk }) => timeOf(sk)));
    return times.sort().at(-1);
  };

/**
 * Removes people from the restatements of their block. An item keeps its expiry; one without anybody is deleted, because
 * no reader expects an item. Returns the number of changed items; `undefined` when another writer was faster: then the
 * caller looks again later.
 */
export const removeRestated = async (
  table: Pick<Table, 'query' | 'writeMany'>,
  property: number,
  block: number,
  ordinals: ReadonlySet<number>,
): Promise<number | undefined> => {
  let changed = 0;
  const { pk: partition } = keys.restatement(property, block, '');
  for await (const items of pagesOf((after) => table.query(partition, { after }))) {
    const writes = items.flatMap(({ pk, sk, w, ...item }): Write[] => {
      const { removed, rest } = recordsWithout(v.parse(restatementItem, item).records, ordinals);
      if (removed === 0) return [];
      const same = { key: { pk, sk }, expect: { w } };
      return [rest ? { kind: 'update', ...same, set: { records: rest } } : { kind: 'delete', ...same }];
    });
    if ((await table.writeMany(writes)).includes('refused')) return undefined;
    changed += writes.length;
  }
  return changed;
};

/** For rehearsals: every record with a newer time is written, and there is nothing that another writer has kept. */
export const noRestatements: Restatements = {
  choose: (restatements) => ({ blocks: [], written: new Set(restatements) }),
  add: () => Promise.resolve(new Set()),
  over: () => Promise.resolve(new Map()),
  newest: () => Promise.resolve(undefined),
};

/** For writers behind requests: they keep none, and merge none, because they are later than all that were stored. */
export const restatementsOfRequests = (table: Pick<Table, 'query'>): Restatements => ({
  ...noRestatements,
  newest: newestIn(table),
});
