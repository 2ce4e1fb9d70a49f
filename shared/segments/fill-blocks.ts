/** Blocks of a fill: the people of a property in stretches that a drainer indexes at once. */
import type { Block } from '../membership/pairs.ts';
import { ORDINALS_PER_CHUNK, ORDINALS_PER_GROUP } from '../table/keys.ts';

/** Pairs of one block at most: they bound the memory of the drainer that indexes it. */
const PAIRS = 1_000_000;

/** People of one block at most: a quarter of a group. */
const PEOPLE = ORDINALS_PER_GROUP / 4;

/** What a fill walks over: all people below `end`, for these segments. */
export interface FillRange {
  readonly ids: readonly number[];
  readonly end: number;
}

/** People of a block of a fill: whole chunks, so that no chunk is written by two blocks. It divides a group. */
const peopleOf = ({ ids }: FillRange): number => {
  let people = PEOPLE;
  while (people > ORDINALS_PER_CHUNK && people * ids.length > PAIRS) people /= 2;
  return people;
};

const groupsOf = ({ end }: FillRange): number => Math.ceil(end / ORDINALS_PER_GROUP);

/** The number of blocks of a fill. */
export const blocksOf = (range: FillRange): number => Math.ceil(range.end / peopleOf(range));

/**
 * The block at an index. Neighbours are in different groups as far as there are several, because drainers of different
 * groups work side by side.
 */
export const blockAt = (range: FillRange, index: number): Block => {
  const people = peopleOf(range);
  const [perGroup, groups] = [ORDINALS_PER_GROUP / people, groupsOf(range)];
  // The last group may have fewer blocks than the others.
  const inLast = blocksOf(range) - (groups - 1) * perGroup;
  const isEven = index < inLast * groups;
  const rest = index - inLast * groups;
  const group = isEven ? index % groups : rest % (groups - 1);
  const slot = isEven ? Math.floor(index / groups) : inLast + Math.floor(rest / (groups - 1));
  const from = group * ORDINALS_PER_GROUP + slot * people;
  const length = Math.min(people, range.end - from);
  return { segments: range.ids, ordinals: Array.from({ length }, (_, at) => from + at) };
};
