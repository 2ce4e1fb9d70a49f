import { beforeEach, describe, expect, it } from 'vitest';
import { seedAccounts, type Seed } from '../../shared/operator/seed-accounts.ts';
import { readUser } from '../../shared/auth/change-user.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { authHarness, credentials, PASSWORD, type AuthHarness } from '../auth/harness.ts';

let harness: AuthHarness;
beforeEach(() => {
  harness = authHarness();
});

const made = async ({ deps }: AuthHarness, seed: Seed) => {
  const seeded = await seedAccounts(deps, [seed]);
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

  it('accounts and properties get their ids in the order of the seeds', async () => {
    const other = { ...seed, account: 'Other', client_id: 'other-client', username: 'other' };
    const seeded = await seedAccounts(harness.deps, [seed, other]);
    const [first] = await made(harness, seed);
    const [second] = await made(harness, other);
    expect(seeded).toEqual({ ok: true, value: [first, second] });
    expect(second?.account).toBe((first?.account ?? 0) + 1);
    expect(second?.property).toBe((first?.property ?? 0) + 1);
  });

  it('the seed finishes its work after a crash at any write', async () => {
    for (let crash = 1; crash <= 10; crash += 1) {
      let writes = 0;
      const dies = (operation: string): void => {
        writes += ['insert', 'update', 'increment'].includes(operation) ? 1 : 0;
        if (writes === crash) throw new Error('killed');
      };
      const crashing = authHarness({ table: new MemoryTable(dies), credentials: new MemoryTable(dies) });
      await seedAccounts(crashing.deps, [seed]).catch(() => undefined);
      writes = 100;
      await made(crashing, seed);
      const body = credentials({ client_id: 'demo-client', username: 'demo' });
      expect((await crashing.send({ body })).statusCode).toBe(200);
    }
  });

  it('a seeded user has the cheapest hash that a login accepts', async () => {
    await made(harness, seed);
    const user = await readUser(harness.credentials, 'demo');
    expect(user?.password).toMatch(/^scrypt\$32768\$8\$1\$/);
  });

  it('the seed sets the given password', async () => {
    await made(harness, seed);
    await made(harness, { ...seed, password: 'another long one' });
    const body = credentials({ client_id: 'demo-client', username: 'demo' }, 'another long one');
    expect((await harness.send({ body })).statusCode).toBe(200);
  });
});
