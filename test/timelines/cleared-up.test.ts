import { expect, it } from 'vitest';
import { keys, type Key } from '../../shared/table/keys.ts';
import { countMembers } from '../../shared/membership/read-members.ts';
import { property } from '../segments/fixture.ts';
import { frozenAt } from '../support/frozen.ts';
import { viewOf } from '../support/table-view.ts';
import { clearUpMoments, HOUR, taggedPeople } from './harness.ts';

const ABANDONED_MS = 901_000;

const isWork = ({ pk }: Key): boolean => pk.startsWith('TASKS#');

/** Three people with a tag, and a timeline whose maker died right after the write by which its second moment came. */
const setUp = async () => {
  const { tag, clock, table, harness: process } = await taggedPeople();
  const harness = process();
  const { id } = await harness.created('t', tag);
  clock.now += HOUR;
  const dying = viewOf(table, {
    write: (write) => {
      if (write.kind === 'delete' && isWork(write.key)) throw new Error('killed');
      return table.write(write);
    },
  });
  await expect(process(dying).add(id)).rejects.toThrow('killed');
  const { moments } = await harness.counted(id);
  clock.now += ABANDONED_MS;
  return { table, clock, harness, id, moment: moments.at(-1)?.id ?? 0 };
};

it('a moment that has come stays, although its timeline is deleted while it is cleared up after its dead maker', async () => {
  const { table, clock, harness, id, moment } = await setUp();
  const timeline = keys.timeline(property, id);
  // The first look at the timeline comes after the abandoned moment has been listed.
  const clearing = frozenAt(
    table,
    (operation, { pk, sk }) => operation === 'get' && pk === timeline.pk && sk === timeline.sk,
  );
  const cleared = await clearing.during(
    (view) => clearUpMoments({ table: view, clock: () => clock.now }),
    async () => expect((await harness.remove(id)).status).toBe(200),
  );
  expect(cleared).toBe(1);
  expect(await harness.deps.catalogue.get(property, moment)).toMatchObject({ type: 'moment' });
  expect(await countMembers(table, { property, expression: moment })).toBe(3);
  expect(table.items().filter(isWork)).toEqual([]);
});
