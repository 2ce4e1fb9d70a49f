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
  const harness = referencesHarness(engine.table);
  for (let round = 0; round < 3; round += 1) {
    const { id: old = 0 } = await harness.makeSegment(everyone, `old ${round}`);
    const { id: named = 0 } = await harness.makeSegment({ not: everyone }, `named ${round}`);
    const [edit, user, collection, deleted] = await Promise.all([
      harness.editSegment(old, { not: named }, `new ${round}`),
      harness.makeSegment({ any: [old, named] }),
      harness.makeCollection([named]),
      harness.deleteSegment(named),
    ]);
    expect(await danglingIn(harness)).toEqual([]);
    const users = [edit, user, collection].map(({ status }) => status < 300);
    expect(users).toEqual(users.map(() => deleted.status !== 200));
    await expectAgreement(harness, [old, named, edit.id ?? old, user.id ?? old]);
  }
  await expectNothingStuck(harness);
}, 60_000);
