import { afterAll, beforeAll, expect, it } from 'vitest';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { onDynamoDb, type Engine } from '../table/engines.ts';
import { danglingIn, expectAgreement, expectNothingStuck } from './consistency.ts';
import { property, referencesHarness } from './harness.ts';

const everyone = everyoneId(property);
let engine: Engine;
beforeAll(async () => {
  engine = await onDynamoDb(0.1);
});
afterAll(() => engine.close());

it('segments are created, named, edited and deleted on a DynamoDB that loses answers', async () => {
  const world = referencesHarness(engine.table);
  for (let round = 0; round < 3; round += 1) {
    const { id: old = 0 } = await world.makeSegment(everyone, `old ${round}`);
    const { id: named = 0 } = await world.makeSegment({ not: everyone }, `named ${round}`);
    const [edit, user, collection, deleted] = await Promise.all([
      world.editSegment(old, { not: named }, `new ${round}`),
      world.makeSegment({ any: [old, named] }),
      world.makeCollection([named]),
      world.deleteSegment(named),
    ]);
    expect(await danglingIn(world)).toEqual([]);
    const users = [edit, user, collection].map(({ status }) => status < 300);
    expect(users).toEqual(users.map(() => deleted.status !== 200));
    await expectAgreement(world, [old, named, edit.id ?? old, user.id ?? old]);
  }
  await expectNothingStuck(world);
}, 60_000);
