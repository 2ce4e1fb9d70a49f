import { beforeEach, describe, expect, it } from 'vitest';
import { seedAccount, type Seed } from '../../shared/operator/seed-account.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { authWorld, credentials, PASSWORD, type AuthWorld } from '../auth/world.ts';

let world: AuthWorld;
beforeEach(() => {
  world = authWorld();
});

const made = async ({ deps }: AuthWorld, seed: Seed) => {
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
    const first = await made(world, seed);
    const size = () => [world.table.items().length, world.credentials.items().length];
    const before = size();
    expect(await made(world, seed)).toEqual(first);
    expect(size()).toEqual(before);
    expect(
      (await world.send({ body: credentials({ client_id: 'demo-client', username: 'demo' }) })).statusCode,
    ).toBe(200);
  });

  it('the seed finishes its work after a crash at any write', async () => {
    for (let crash = 1; crash <= 10; crash += 1) {
      let writes = 0;
      const dies = (operation: string): void => {
        writes += ['insert', 'update', 'increment'].includes(operation) ? 1 : 0;
        if (writes === crash) throw new Error('killed');
      };
      const crashing = authWorld({ table: new MemoryTable(dies), credentials: new MemoryTable(dies) });
      await seedAccount(crashing.deps, seed).catch(() => undefined);
      writes = 100;
      await made(crashing, seed);
      const body = credentials({ client_id: 'demo-client', username: 'demo' });
      expect((await crashing.send({ body })).statusCode).toBe(200);
    }
  });

  it('the seed sets the given password', async () => {
    await made(world, seed);
    await made(world, { ...seed, password: 'another long one' });
    const body = credentials({ client_id: 'demo-client', username: 'demo' }, 'another long one');
    expect((await world.send({ body })).statusCode).toBe(200);
  });
});
