import * as v from 'valibot';
import { allItems } from '../table/all-items.ts';
import { chunkOf, groupOf, keys, offsetInChunk } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { hasBit } from './chunk.ts';
import { membersIn } from './chunk-item.ts';

const momentItem = v.object({ segment: v.number() });

/** Moments (segment ids) of a property that hold an ordinal. Costs a read per moment: for forgetting a person only. */
export const momentsWith = async (
  table: Table,
  property: number,
  ordinal: number,
): Promise<readonly number[]> => holding(table, property, ordinal, await momentsOf(table, property));

/** Those of some moments that hold an ordinal. */
export const holding = async (
  table: Table,
  property: number,
  ordinal: number,
  moments: readonly number[],
): Promise<readonly number[]> => {
  const chunks = await table.getMany(
    moments.map((moment) => keys.chunk(property, moment, groupOf(ordinal), chunkOf(ordinal))),
  );
  return moments.filter((_, index) => hasBit(membersIn(chunks[index]), offsetInChunk(ordinal)));
};

const momentsOf = async (table: Table, property: number): Promise<readonly number[]> =>
  (await allItems(table, keys.moments(property))).map((item) => v.parse(momentItem, item).segment);
