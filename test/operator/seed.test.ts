import { beforeEach, describe, expect, it } from 'vitest';
import { seedAccount, type Seed } from '../../shared/operator/seed-account.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { authHarness, credentials, PASSWORD, type AuthHarness } from '../auth/harness.ts';

let harness: AuthHarness;
beforeEach(() => {
  harness = authHarness();
});

const made = async ({ deps }: AuthHarness, seed: Seed) => {
  const seeded = await seedAccount(deps, seed);
  if (!seeded.ok) throw new Error(seeded.error.message);
  return seeded.value;
};

describe('a seed', () => {
  const seed = {
    account: 'Demo',
    property: 'Demo shop',
    client_id: 'demo-client',
    username: 'demo',
    password: PASSWORD,
  };

  it('the seed makes the same account however often it runs', async () => {
    const first = await made(harness, seed);
    const size = () => [harness.table.items().length, harness.credentials.items().length];
    const before = size();
    expect(await made(harness, seed)).toEqual(first);
    expect(size()).toEqual(before);
    expect(
      (await harness.send({ body: credentials({ client_id: 'demo-client', username: 'demo' }) })).statusCode,
    ).toBe(200);
  });

  it('the seed finishes its work after a crash at any write', async () => {
    for (let crash = 1; crash <= 10; crash += 1) {
      let writes = 0;
      const dies = (operation: string): void => {
        writes += ['insert', 'update', 'increment'].includes(operation) ? 1 : 0;
        if (writes === crash) throw new Error('killed');
      };
      const crashing = authHarness({ table: new MemoryTable(dies), credentials: new MemoryTable(dies) });
      await seedAccount(crashing.deps, seed).catch(() => undefined);
      writes = 100;
      await made(crashing, seed);
      const body = credentials({ client_id: 'demo-client', username: 'demo' });
      expect((await crashing.send({ body })).statusCode).toBe(200);
    }
  });

  it('the seed sets the given password', async () => {
    await made(harness, seed);
    await made(harness, { ...seed, password: 'another long one' });
    const body = credentials({ client_id: 'demo-client', username: 'demo' }, 'another long one');
    expect((await harness.send({ body })).statusCode).toBe(200);
  });
});
