import { expect, it } from 'vitest';
import type { Table } from '../../shared/table/table.ts';
import { everyone } from '../segments/fixture.ts';
import { viewOf } from '../support/table-view.ts';
import { HOUR, taggedPeople } from './harness.ts';

/** A table, and the number of its queries. */
const counted = (table: Table): { readonly table: Table; readonly queries: () => number } => {
  let queries = 0;
  return {
    queries: () => queries,
    table: viewOf(table, {
      query: (pk, range) => {
        queries += 1;
        return table.query(pk, range);
      },
    }),
  };
};

it('a page of timelines reads no moments that its answer has no room for, and the next page goes on', async () => {
  const { clock, table: own, harness: process } = await taggedPeople([0]);
  const { table, queries } = counted(own);
  const harness = process(table);
  const made: number[] = [];
  // Each quote takes four bytes of an answer, so a page holds fewer than 300 timelines.
  for (let index = 0; index < 400; index += 1)
    made.push((await harness.created(`t${index}`, everyone, '"'.repeat(4_000))).id);
  clock.now += HOUR;
  for (const id of made) await harness.added(id);
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const before = queries();
    const { timelines, link } = await harness.list({ limit: 1_000, ...(cursor !== undefined && { cursor }) });
    expect(queries() - before).toBeLessThan(300);
    seen.push(...timelines.map(({ id }) => id));
    cursor = /cursor=([^>&]+)/.exec(link ?? '')?.[1];
  } while (cursor !== undefined);
  expect(seen).toEqual(made);
}, 60_000);
