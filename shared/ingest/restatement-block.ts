/**
 * Restatement block: the restatements of one job about people whose profiles are neighbours in the table, in the form in
 * which they are stored. Decides whether a block costs less than the profiles would.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { stateOf, type State } from '../profiles/profile-state.ts';
import { encodeRegisters, registerGroups, registersIn } from '../profiles/stored-profile.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import { blockOf } from '../table/keys.ts';
import { restatedBy, type Restatement } from './restatement.ts';

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
export interface CheapestWrites {
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
export const restatedJobs = (blocks: readonly RestatementBlock[]): readonly number[] => [
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
export const recordsWithout = (
  bytes: Uint8Array,
  ordinals: ReadonlySet<number>,
): { readonly removed: number; readonly rest: Uint8Array | undefined } => {
  const lines = linesIn(bytes);
  const rest = lines.filter((text) => !ordinals.has(v.parse(anybody, JSON.parse(text))[0]));
  return { removed: lines.length - rest.length, rest: rest.length === 0 ? undefined : encoded(rest) };
};
