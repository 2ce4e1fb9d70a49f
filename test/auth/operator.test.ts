import { beforeEach, describe, expect, it } from 'vitest';
import { createClient, listAllProperties } from '../../shared/auth/accounts.ts';
import { changePassword } from '../../shared/auth/revoke.ts';
import { propertyScopes } from '../../shared/auth/property-keys.ts';
import { keys } from '../../shared/table/keys.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { authWorld, credentials, makeAccount, must, PASSWORD, type AuthWorld } from './world.ts';

let world: AuthWorld;
beforeEach(() => {
  world = authWorld();
});

describe('accounts', () => {
  it('hold properties from 1001 on and one client id', async () => {
    const [demo, other] = [await makeAccount(world, 'demo'), await makeAccount(world, 'other')];
    expect([demo.property, other.property]).toEqual([1001, 1002]);
    expect(await world.run({ command: 'client.create', account: demo.account })).toMatchObject({
      ok: false,
      error: { code: 'client_exists' },
    });
    expect(must(await world.run({ command: 'account.show', account: demo.account }))).toMatchObject({
      name: 'demo Ltd',
      client_id: demo.client_id,
      properties: [{ id: 1001, name: 'Shop' }],
      users: [{ username: 'demo', email: 'demo@example.com' }],
    });
  });

  it('have their properties in one list, where one that was never finished does not show', async () => {
    const [demo, other] = [await makeAccount(world, 'demo'), await makeAccount(world, 'other')];
    await world.table.put(keys.listedProperty(1003), { property: 1003 });
    expect(await listAllProperties(world.table)).toEqual({ properties: [demo.property, other.property] });
  });

  it('get one client id when many ask at once', async () => {
    const { account } = must(await world.run({ command: 'account.create', name: 'Racing' }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.run({ command: 'client.create', account })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it('may try again when making a client id died halfway', async () => {
    const { account } = must(await world.run({ command: 'account.create', name: 'Unlucky' }));
    const dying = new MemoryTable();
    const credentials = {
      get: world.credentials.get.bind(world.credentials),
      write: (write: Parameters<MemoryTable['write']>[0]) =>
        write.kind === 'update' ? Promise.reject(new Error('killed')) : world.credentials.write(write),
    };
    const deps = { ...world.deps, credentials: Object.assign(dying, credentials) };
    await expect(createClient(deps, Number(account))).rejects.toThrow('killed');
    expect(must(await world.run({ command: 'client.create', account }))).toHaveProperty('client_id');
  });

  it('share no user names', async () => {
    const demo = await makeAccount(world, 'demo');
    const user = { username: 'demo', email: 'x@example.com', first_name: 'X', last_name: 'Y' };
    expect(await world.run({ command: 'user.create', account: demo.account, ...user })).toMatchObject({
      error: { code: 'username_taken' },
    });
    const shown = must(await world.run({ command: 'account.show', account: demo.account }));
    expect(shown['users']).toHaveLength(1);
  });

  it('get a generated password shown once and stored as a hash', async () => {
    const demo = await makeAccount(world, 'demo');
    const user = { username: 'second', email: 'x@example.com', first_name: 'X', last_name: 'Y' };
    const made = must(await world.run({ command: 'user.create', account: demo.account, ...user }));
    const password = String(made['password']);
    expect(password.length).toBeGreaterThanOrEqual(20);
    expect(JSON.stringify([world.table.items(), world.credentials.items()])).not.toContain(password);
    const body = credentials({ ...demo, username: 'second' }, password);
    expect((await world.send({ body })).statusCode).toBe(200);
  });
});

describe('a password changed', () => {
  it('no longer opens with the old one', async () => {
    const demo = await makeAccount(world, 'demo');
    await changePassword(world.credentials, world.deps.kdf, { username: 'demo', password: 'a new one' });
    expect((await world.send({ body: credentials(demo) })).statusCode).toBe(400);
    expect((await world.send({ body: credentials(demo, 'a new one') })).statusCode).toBe(200);
  });
});

describe('commands that are wrong', () => {
  it.each([
    [null],
    [{}],
    [{ command: 'nothing' }],
    [{ command: 'account.create' }],
    [{ command: 'account.create', name: '' }],
    [{ command: 'account.create', name: 'a\u0000b' }],
    [{ command: 'account.create', name: 'x', extra: 1 }],
    [{ command: 'property.create', account: '1', name: 'x' }],
    [{ command: 'tokens.revoke', username: 'ab' }],
    [{ command: 'tokens.revoke', username: 'x y z' }],
    [{ command: 'token.revoke', token: 'x' }],
    [{ command: 'import.grant', property: 1001, import: 1 }],
    [{ command: 'import.grant', property: 1001, import: 1, tier: 'stated' }],
    [{ command: 'import.grant', property: 1001, import: 1, tier: 'third_party' }],
    [{ command: 'import.revoke', property: 1001, import: 1, tier: 'provider_1' }],
    [{ command: 'user.create', account: 1, username: 'abc', email: 'x', first_name: 'x', last_name: 'y' }],
  ])('%j is refused', async (payload) => {
    expect(await world.run(payload)).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect([...world.table.items(), ...world.credentials.items()]).toEqual([]);
  });

  it.each([
    [{ command: 'property.create', account: 9, name: 'x' }, 'unknown_account'],
    [{ command: 'client.create', account: 9 }, 'unknown_account'],
    [{ command: 'account.show', account: 9 }, 'unknown_account'],
    [{ command: 'tokens.revoke', username: 'nobody' }, 'unknown_user'],
    [{ command: 'import.revoke', property: 1001, import: 1_001_000_000_001 }, 'unknown_import'],
    [{ command: 'token.revoke', token: '0'.repeat(64) }, 'unknown_token'],
  ])('%j names nothing there', async (payload, code) => {
    expect(await world.run(payload)).toMatchObject({ ok: false, error: { code } });
  });
});

describe('a seed', () => {
  const seed = {
    command: 'seed',
    account: 'Demo',
    property: 'Demo shop',
    client_id: 'demo-client',
    username: 'demo',
    password: PASSWORD,
  };

  it('makes the same account however often it runs', async () => {
    const first = must(await world.run(seed));
    const size = () => [world.table.items().length, world.credentials.items().length];
    const before = size();
    expect(must(await world.run(seed))).toEqual(first);
    expect(size()).toEqual(before);
    expect(
      (await world.send({ body: credentials({ client_id: 'demo-client', username: 'demo' }) })).statusCode,
    ).toBe(200);
  });

  it('finishes what a crash at any write left undone', async () => {
    for (let crash = 1; crash <= 10; crash += 1) {
      let writes = 0;
      const dies = (operation: string): void => {
        writes += ['insert', 'update', 'increment'].includes(operation) ? 1 : 0;
        if (writes === crash) throw new Error('killed');
      };
      const crashing = authWorld({ table: new MemoryTable(dies), credentials: new MemoryTable(dies) });
      await crashing.run(seed).catch(() => undefined);
      writes = 100;
      must(await crashing.run(seed));
      const body = credentials({ client_id: 'demo-client', username: 'demo' });
      expect((await crashing.send({ body })).statusCode).toBe(200);
    }
  });

  it('sets the password it is given', async () => {
    must(await world.run(seed));
    must(await world.run({ ...seed, password: 'another one' }));
    const body = credentials({ client_id: 'demo-client', username: 'demo' }, 'another one');
    expect((await world.send({ body })).statusCode).toBe(200);
  });
});

it('a property has keys of its own, the same in every process', async () => {
  const { property } = await makeAccount(world, 'demo');
  const { property: second } = await makeAccount(world, 'other');
  const [scope, again, other] = await Promise.all([
    propertyScopes(world.deps)(property),
    propertyScopes(world.deps)(property),
    propertyScopes(world.deps)(second),
  ]);
  expect(scope).toEqual(again);
  const all = [scope, other].flatMap(({ keys }) =>
    [keys.uuid.k1, keys.uuid.k2, keys.claims, keys.cursors].map((key) => Buffer.from(key).toString('hex')),
  );
  expect(new Set(all).size).toBe(8);
  expect(scope.keys.uuid.k1).toHaveLength(16);
  await expect(propertyScopes(world.deps)(4711)).rejects.toThrow('no such property');
});
