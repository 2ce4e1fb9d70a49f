import { describe, expect, it } from 'vitest';
import { countMembers } from '../../shared/membership/read-members.ts';
import { property } from '../segments/fixture.ts';
import { viewOf } from '../support/table-view.ts';
import { HOUR, taggedPeople } from './harness.ts';

describe('a moment that has come', () => {
  it('stays, although its maker is told that it was refused, and its timeline was deleted meanwhile', async () => {
    const { tag, clock, table, harness: process } = await taggedPeople();
    const harness = process();
    const { id } = await harness.created('t', tag);
    clock.now += HOUR;
    let seen: number | undefined;
    const lossy = viewOf(table, {
      // The table reports a transaction as refused when its answer was lost and its items have changed since.
      transact: async (writes) => {
        expect(await table.transact(writes)).toEqual([]);
        const { moments } = await harness.counted(id);
        seen = moments.at(-1)?.id;
        expect((await harness.remove(id)).status).toBe(200);
        return [0];
      },
    });
    const added = await process(lossy).add(id);
    expect(added).toMatchObject({ status: 404 });
    expect(await harness.deps.catalogue.get(property, seen ?? 0)).toMatchObject({ type: 'moment' });
    expect(await countMembers(table, { property, expression: seen ?? 0 })).toBe(3);
  });
});
