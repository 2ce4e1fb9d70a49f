import { describe, expect, it } from 'vitest';
import { keys } from '../../shared/table/keys.ts';
import { countMembers } from '../../shared/membership/read-members.ts';
import { property } from '../segments/fixture.ts';
import { dropping, overtaken, unconditional, whole, type LeftOut } from '../support/weakened.ts';
import { clearUpMoments, HOUR, taggedPeople } from './harness.ts';

/** Two makers of the second moment of a timeline at once. Returns whether both brought one. */
const twoMakers = async (leftOut: LeftOut): Promise<boolean> => {
  const { table, clock, harness, tag } = await taggedPeople();
  const { id } = await harness().created('t', tag);
  clock.now += HOUR;
  const add = () => harness().add(id);
  await overtaken(table, leftOut, add, add);
  return (await harness().counted(id)).moments.length > 2;
};

/** A maker that is frozen until its copy was cleared up. Returns whether it brought a moment without its members. */
const clearedUp = async (leftOut: LeftOut): Promise<boolean> => {
  const { table, clock, harness, tag } = await taggedPeople();
  const { id } = await harness().created('t', tag);
  clock.now += HOUR;
  const clear = async () => {
    clock.now += HOUR;
    await clearUpMoments({ table, clock: () => clock.now });
  };
  await overtaken(table, leftOut, () => harness().add(id), clear);
  const [timeline] = (await harness().list()).timelines;
  const newest = timeline?.moments.at(-1)?.id ?? 0;
  return (await countMembers(table, { property, expression: newest })) !== 3;
};

/** Two timelines that take one name at once. Returns whether both have it. */
const oneName = async (leftOut: LeftOut): Promise<boolean> => {
  const { table, harness, tag } = await taggedPeople();
  const create = () => harness().create('t', tag);
  await overtaken(table, leftOut, create, create);
  return (await harness().list()).timelines.length > 1;
};

const timelines = keys.timeline(property, 0).pk;

describe('the transaction of a moment or timeline needs', () => {
  it.each<[string, (leftOut: LeftOut) => Promise<boolean>, LeftOut]>([
    [
      'the condition that its timeline is as it was',
      twoMakers,
      unconditional(({ key }) => key.pk === timelines),
    ],
    ['the open item of the moment', clearedUp, dropping(({ key }) => key.pk === keys.moments(property))],
    ['the item of the name', oneName, dropping(({ key }) => key.pk.includes('#TN#'))],
  ])('%s', async (_, isBroken, leftOut) => {
    expect(await isBroken(whole)).toBe(false);
    expect(await isBroken(leftOut)).toBe(true);
  });
});
